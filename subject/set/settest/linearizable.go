package settest

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/syncwrite/syncwrite/subject/set"
)

const (
	histories = 8
	clients   = 4
	calls     = 40 // of a client in one history
	searched  = 6  // elements: so few that calls meet
)

var errNotLinearizable = errors.New("no order of the calls explains what they returned")

// A call is what a client asked of the set, and what it got.
type call struct {
	kind    string
	element int
}

type reply struct {
	n  int // how many, or which element
	ok bool
}

// CheckLinearizable lets several clients use one set and looks for one order of
// their calls that explains every reply.
func CheckLinearizable(make MakeFunc) error {
	for seed := range uint64(histories) {
		history := record(make(), seed)
		switch result := porcupine.CheckOperationsTimeout(oneSet, history, time.Minute); result {
		case porcupine.Ok:
		case porcupine.Illegal:
			return fmt.Errorf("seed %d: %w", seed, errNotLinearizable)
		default:
			return fmt.Errorf("seed %d: undecided whether %d calls are linearizable", seed, len(history))
		}
	}
	return nil
}

// record runs the clients and notes what each call was told, and when.
func record(s set.Interface[int], seed uint64) []porcupine.Operation {
	parts := make([][]porcupine.Operation, clients)
	began := time.Now()
	together(clients, func(c int) error {
		random := rand.New(rand.NewPCG(seed, uint64(c)))
		for range calls {
			asked := draw(random)
			o := porcupine.Operation{ClientId: c, Input: asked, Call: time.Since(began).Nanoseconds()}
			o.Output = ask(s, asked)
			o.Return = time.Since(began).Nanoseconds()
			parts[c] = append(parts[c], o)
		}
		return nil
	})
	var all []porcupine.Operation
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func draw(random *rand.Rand) call {
	kinds := []string{"add", "add", "add", "remove", "remove", "contains", "contains", "len", "pop", "clear"}
	return call{kinds[random.IntN(len(kinds))], random.IntN(searched)}
}

func ask(s set.Interface[int], c call) (r reply) {
	switch c.kind {
	case "add":
		r.n = s.Add(c.element)
	case "remove":
		r.n = s.Remove(c.element)
	case "contains":
		r.ok = s.Contains(c.element)
	case "len":
		r.n = s.Len()
	case "pop":
		r.n, r.ok = s.Pop()
	default:
		s.Clear()
	}
	return r
}

// oneSet is a set whose state is a word with a bit for each element.
var oneSet = porcupine.Model{
	Init: func() any { return uint64(0) },
	Step: func(state, input, output any) (bool, any) {
		next, right := stepWord(state.(uint64), input.(call), output.(reply))
		return right, next
	},
	DescribeOperation: func(input, output any) string { return fmt.Sprint(input, output) },
}

func stepWord(in uint64, c call, r reply) (next uint64, right bool) {
	bit := uint64(1) << c.element
	present := boolToInt(in&bit != 0)
	switch c.kind {
	case "add":
		return in | bit, r.n == 1-present
	case "remove":
		return in &^ bit, r.n == present
	case "contains":
		return in, r.ok == (present == 1)
	case "len":
		return in, r.n == bits.OnesCount64(in)
	case "pop":
		if !r.ok {
			return in, in == 0
		}
		popped := uint64(1) << r.n
		return in &^ popped, in&popped != 0
	}
	return 0, true
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
