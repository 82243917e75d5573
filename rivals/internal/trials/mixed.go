package trials

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// RivalMixed reads and appends at once. Every log in it finds an entry by its
// index, and its acknowledged appends survive kill -9.
func RivalMixed() harness.Experiment {
	e := harness.Experiment{
		Name:       "rival-mixed",
		Question:   "What do random reads among appends cost, in our log and in other people's?",
		Unit:       "operation",
		Factors:    []harness.Factor{payloadFactor(), readsFactor(), mixedStoredFactor()},
		Goroutines: []int{8},
	}
	for _, r := range Stores() {
		e.Variants = append(e.Variants, mixedVariant(r))
	}
	return e
}

func readsFactor() harness.Factor {
	return harness.Factor{Name: "reads", About: "percent of the operations that read a random entry", Default: "50", Check: harness.Between(0, 100)}
}

func mixedStoredFactor() harness.Factor {
	return harness.Factor{Name: "stored", About: "entries that the log holds before the window", Default: "65536", Check: harness.Between(1, 1<<24)}
}

// Stores are the rivals whose logs are stores, and survive kill -9.
func Stores() []logs.Rival {
	var all []logs.Rival
	for _, r := range logs.Rivals() {
		switch r.Name {
		case "tidwall":
			r.Open, r.About = logs.OpenTidwallToRead, r.About+", all segments cached, no copies"
			all = append(all, r)
		case "file", "raft-wal", "leveldb", "bbolt", "badger":
			all = append(all, r)
		}
	}
	return all
}

// mixedVariant fills the log before the window; the check reads all of it.
func mixedVariant(r logs.Rival) harness.Variant {
	return harness.Variant{Name: r.Name, About: r.About, Promise: r.Promise, Open: func(s harness.Setup) (harness.Instance, error) {
		log, err := r.Open(s.Dir, s.Goroutines)
		if err != nil {
			return harness.Instance{}, err
		}
		m := newMixed(s, log.(logs.Store))
		if err := m.fill(s); err != nil {
			return harness.Instance{}, errors.Join(err, log.Close())
		}
		once := &logs.CloseOnce{Log: log}
		return harness.Instance{
			Worker: func(g int) harness.Operation { return m.operation(&m.clients[g]) },
			Check: func(int) error {
				if err := once.Close(); err != nil {
					return err
				}
				return r.Holds(s.Dir, m.appended(), m.value)
			},
			Close: once.Close,
		}, nil
	}}
}

// mixed is one log and what its clients know to be in it.
type mixed struct {
	log     logs.Store
	value   []byte
	reads   uint64 // percent
	filled  []uint64
	clients []client
}

// A client is one goroutine. It reads what was filled and what it has itself
// appended: all of it is acknowledged.
type client struct {
	random *rand.PCG
	added  []uint64
	buf    []byte
	_      [64]byte // no two clients on one cache line
}

func newMixed(s harness.Setup, log logs.Store) *mixed {
	reads, _ := strconv.ParseUint(s.Factors["reads"], 10, 64) // checked before the run began
	m := &mixed{log: log, value: workload.Payload(s), reads: reads, clients: make([]client, s.Goroutines)}
	for g := range m.clients {
		m.clients[g] = client{
			random: rand.NewPCG(s.Seed, uint64(g)),
			added:  make([]uint64, 0, s.Ops/s.Goroutines+1),
			buf:    make([]byte, 0, len(m.value)),
		}
	}
	return m
}

// fill appends from as many goroutines as the window has, for which the logs
// are tuned.
func (m *mixed) fill(s harness.Setup) error {
	stored, _ := strconv.Atoi(s.Factors["stored"])
	m.filled = make([]uint64, stored)
	errs := make([]error, s.Goroutines)
	var done sync.WaitGroup
	for g := range errs {
		done.Go(func() {
			for i := g; i < stored && errs[g] == nil; i += s.Goroutines {
				m.filled[i], errs[g] = m.log.Add(m.value)
			}
		})
	}
	done.Wait()
	return errors.Join(errs...)
}

func (m *mixed) operation(c *client) harness.Operation {
	return func() error {
		draw := c.random.Uint64()
		if draw%100 < m.reads {
			return m.read(c, int((draw>>32)*uint64(len(m.filled)+len(c.added))>>32))
		}
		index, err := m.log.Add(m.value)
		c.added = append(c.added, index)
		return err
	}
}

// read fetches one of the entries that the client knows.
func (m *mixed) read(c *client, which int) error {
	var index uint64
	if which < len(m.filled) {
		index = m.filled[which]
	} else {
		index = c.added[which-len(m.filled)]
	}
	got, err := m.log.Fetch(index, c.buf)
	if err == nil && len(got) != len(m.value) {
		err = fmt.Errorf("entry %d holds %d bytes, %d were appended", index, len(got), len(m.value))
	}
	return err
}

func (m *mixed) appended() int {
	n := len(m.filled)
	for _, c := range m.clients {
		n += len(c.added)
	}
	return n
}
