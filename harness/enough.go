package harness

import "strings"

// LeastPairs is the fewest pairs of trials of a variant: all but the last tell how they scatter.
const LeastPairs = 13

// A sparing is two programs that take turns, of which neither measures what has enough trials.
type sparing struct {
	both   [2]*apart
	config Config
	along  map[string]bool // experiments that nobody asked for
}

// spareBoth has each decide when it comes to a block, by the blocks that both had ended before the last
// one: so both decide alike, whoever comes first.
func spareBoth(both [2]*apart, config Config, experiments []Experiment) {
	s := sparing{both, config, map[string]bool{}}
	for _, e := range experiments {
		s.along[e.Name] = e.Along
	}
	for i, a := range both {
		a.spare = func() { a.trials = s.spare(&a.state, &both[1-i].state) }
	}
}

// spare marks the series that need no trial of a program's next block, and returns how many blocks those
// need that somebody asked for, as far as is known.
func (s sparing) spare(state, other *state) (blocks int) {
	pairs := state.Block - 2
	if pairs < LeastPairs-1 {
		return s.config.Trials
	}
	blocks = state.Block - 1
	for i := range state.Series {
		g, beside := &state.Series[i], other.Series[i]
		if g.Failed = g.Failed || beside.lost(); g.Failed { // nothing is told of one alone
			continue
		}
		need := s.needs(i, pairs)
		experiment, _, _ := strings.Cut(g.Name, "/")
		switch {
		case need <= pairs:
			g.Failed, g.Enough = true, true
		case !s.along[experiment]:
			blocks = max(blocks, state.Block, need)
		}
	}
	return min(blocks, s.config.Trials)
}

// needs is how many pairs of trials a series needs; none where it has no rates.
func (s sparing) needs(series, pairs int) int {
	older, newer := s.both[0].state.Series[series].rates(pairs), s.both[1].state.Series[series].rates(pairs)
	if older == nil || newer == nil {
		return 0
	}
	return s.config.Pairs(newer, older)
}

// rates are those of a series's first blocks, cell by cell; nil where it has not so many.
func (g seriesState) rates(blocks int) (all [][]float64) {
	for _, c := range g.Cells {
		if len(c.Rates) < blocks {
			return nil
		}
		all = append(all, c.Rates[:blocks])
	}
	return all
}
