package logdir

import (
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// An outcome is what a verification comes to, in one word.
type outcome string

func outcomeOf(v *commitlog.Verification) outcome {
	switch {
	case !v.Opens || len(fresh(v.Damage)) > 0:
		return outcomeDamaged
	case v.Lost > 0:
		return outcomeRepaired
	case v.Tail.CutBytes > 0:
		return outcomeTornTail
	}
	return outcomeSound
}

// fresh leaves out what an earlier repair has settled.
func fresh(damage []*commitlog.CorruptError) []*commitlog.CorruptError {
	var left []*commitlog.CorruptError
	for _, d := range damage {
		if !d.Lost {
			left = append(left, d)
		}
	}
	return left
}

const (
	outcomeSound    outcome = "sound"
	outcomeTornTail outcome = "torn_tail"
	// outcomeRepaired is a log without damage that a repair has left without
	// some of its entries.
	outcomeRepaired outcome = "repaired"
	outcomeDamaged  outcome = "damaged"
)
