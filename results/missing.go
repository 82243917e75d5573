package results

import "encoding/json"

// What a record is before its line is read: every Number missing, so that a
// field that is absent from the line is not taken for zero.

func missingEnv() Env {
	return Env{
		LoadBefore: Missing(),
		Machine:    Machine{CPUQuota: Missing()},
		Overhead:   Overhead{Missing(), Missing(), Missing()},
	}
}

func missingEnd() End { return End{LoadAfter: Missing()} }

func missingTrial() Trial {
	return Trial{Latency: missingLatency(), Naive: Naive{Missing(), Missing()}, Usage: MissingUsage()}
}

func missingLatency() Latency {
	m := Missing()
	return Latency{MeanNS: m, P50NS: m, P90NS: m, P99NS: m, P999NS: m, MaxNS: m, ChunkNS: m, FloorNS: m}
}

// UnmarshalJSON reads a guard; a number that is absent is missing.
func (g *Guard) UnmarshalJSON(text []byte) error {
	type plain Guard
	read := plain{BusyNS: Missing(), BusyShare: Missing()}
	err := json.Unmarshal(text, &read)
	*g = Guard(read)
	return err
}
