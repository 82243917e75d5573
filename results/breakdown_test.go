package results

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// A breakdown is read as it was written, what is printable of it; one whose times cannot be is
// a problem.
func TestBreakdown(t *testing.T) {
	want := Breakdown{Experiment: "e", Variant: "v", Factors: map[string]string{"a": "b"}, Goroutines: 4, WindowNS: 5, TimeNS: 20, OpsPerS: 3,
		Parts: []BreakdownPart{{Kind: "asleep", NS: 15, Places: []BreakdownPlace{{Where: "a.go:1", Func: "f", Call: "time.Sleep", NS: 15, Woken: "b.go:2", Doing: "asleep"}}}}}
	run := &Run{Envs: []Env{{Format: Format}}, Breakdowns: []Breakdown{want}}
	var text bytes.Buffer
	if err := Write(&text, run); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&text, "f")
	if err != nil || len(got.Problems) > 0 || !reflect.DeepEqual(got.Breakdowns, run.Breakdowns) {
		t.Errorf("%+v, %v, want %+v", got, err, run.Breakdowns)
	}
	for line, problem := range map[string]string{
		`{"record":"breakdown","source":"hearsay","experiment":"e","variant":"v","goroutines":4,"time_ns":20}`:                                                                 "by \"hearsay\"",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":9},{"kind":"a","ns":9}]}`:                                  "\"a\" twice",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":9,"places":[{"where":"x","ns":5},{"where":"y","ns":5}]}]}`: "5 ns of 9 at y",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":21}]}`:                                                     "21 ns of 20",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":-1}]}`:                                                     "-1 ns",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":9,"places":[{"where":"x","ns":-5}]}]}`:                     "-5 ns",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"","ns":9}]}`:                                                       "part",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"ops_per_s":-1}`:                                                                     "breakdown",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":4,"time_ns":20,"parts":[{"kind":"a","ns":9223372036854775807},{"kind":"b","ns":9}]}`:                "ns",
		`{"record":"breakdown","variant":"v","goroutines":4}`:                                                                                                                  "breakdown",
		`{"record":"breakdown","experiment":"e","variant":"v","goroutines":0}`:                                                                                                 "0 goroutines",
	} {
		env, err := Encode(Env{Format: Format})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(strings.NewReader(string(env)+"\n"+line+"\n"), "f")
		if err != nil || len(got.Breakdowns) > 0 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Text, problem) {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	bad := Breakdown{Experiment: "e", Variant: "v\x1b[2J", Goroutines: 1, Reason: "a\x07b"}
	if line, _ := Encode(PrintableRecord(bad)); bytes.ContainsAny(line, "\x1b\x07") {
		t.Errorf("%q", line)
	}
}
