package commitlog

import (
	"fmt"
	"testing"
)

// The protocol of a File, drawn as a model: what each caller does under the turn, or
// with a duty, is one step, and all orders of all steps are gone through. Crashes come
// between any two. INTERNALS.md tells the same in words.
//
// A model proves nothing about the code but that the order of its steps is sound: the
// simulation, the race detector and the kills hold the code.

const (
	modelEntries = 6 // at most
	perSegment   = 2 // entries for which a segment has room
	modelCallers = 3
)

// A world is the state of the log, and of its callers.
type world struct {
	closed    bool
	next      int8 // the turn's
	limit     int8 // entries below have room; 0: halted
	written   int8 // entries of the last segment that are in its file
	segments  int8
	safe      int8
	shown     int8
	memory    [modelEntries]int8 // who appended the entry
	file      [modelEntries]int8
	taken     [duties]bool
	excluded  bool // somebody has excluded all others
	batch     int8 // that waits; 0: none
	batches   int8
	ended     [modelEntries + 2]int8 // of batches: 0 waits, 1 is done, 2 has failed
	full      int8                   // so many writes find no space
	seen      [modelEntries]int8     // what a reader saw
	callers   [modelCallers]caller
	promised  [modelEntries]int8 // acknowledged entries
	sealed    int8               // segments
	cut       uint64             // who appended what was truncated, a bit each
	violation string
}

// A caller is one goroutine: what it does, how far it is, and what it remembers.
type caller struct {
	does     string
	at       int8
	left     int8 // calls to be made
	index    int8
	batch    int8
	leads    bool
	from, to int8
	segments int8
	id       int8
	holds    int8 // duties, while it takes all
	result   string
}

// A protocol is what the model is told to get wrong; nothing, to be the log.
type protocol struct {
	durable bool
	mapped  bool

	rollsBesideAppends bool // room is made without halting the appends
	closesBesideDuties bool // Close does not wait for duties
	keepsWaiting       bool // what waits behind a write that failed is not failed with it
	acksBeforeFlush    bool
	writtenOfAnother   bool // what was handed over is noted for whatever segment is the last one by now
	showsUnwritten     bool
	sealsBesideCut     bool // a truncation does not wait for who seals
}

// handed is the index behind what is in files.
func (w *world) handed() int8 { return (w.segments-1)*perSegment + w.written }

// hand notes that, where there are so many segments.
func (w *world) hand(index, segments int8) { w.written = index - (segments-1)*perSegment }

func (p protocol) shownBelow(w *world) int8 {
	switch {
	case p.mapped || p.showsUnwritten:
		return w.next
	case p.durable:
		return w.safe
	}
	return w.shown
}

// step lets one caller take its next step; it reports false if that has to wait.
func (p protocol) step(w *world, c *caller) bool {
	switch c.does {
	case "append":
		return p.append(w, c)
	case "sync":
		return p.sync(w, c)
	case "close":
		return p.close(w, c)
	case "cut":
		return p.cut(w, c)
	case "seal":
		return p.seal(w, c)
	case "read":
		return p.read(w, c)
	}
	panic(c.does)
}

func take(w *world, d duty) bool {
	if w.taken[d] {
		return false
	}
	w.taken[d] = true
	return true
}

// exclude takes the next of all duties from one on, in their order. It reports false if that
// has to wait, and whether they are all taken.
func exclude(w *world, c *caller, from duty) (moved, all bool) {
	c.holds = max(c.holds, int8(from))
	if c.holds < int8(duties) {
		if w.taken[c.holds] {
			return false, false
		}
		w.taken[c.holds] = true
		c.holds++
	}
	w.excluded = c.holds == int8(duties)
	return true, w.excluded
}

// admit gives back what exclude took.
func admit(w *world, c *caller, from duty) {
	for d := from; d < duties; d++ {
		w.taken[d] = false
	}
	w.excluded, c.holds = false, 0
}

// The steps of an append: 0 puts, 1 to 6 commit, 10 to 16 make room.
func (p protocol) append(w *world, c *caller) bool {
	switch c.at {
	case 0:
		switch {
		case w.closed:
			c.result, c.left, c.at = "closed", 0, -1
		case w.next >= w.limit:
			c.at = 10
		default:
			p.put(w, c)
		}
	case 1: // who leads takes the duty
		d := writing
		if p.durable {
			d = flushing
		}
		if !c.leads {
			c.at = 6
			return w.ended[c.batch] != 0 && p.finish(w, c)
		}
		if !take(w, d) {
			return false
		}
		c.at = 2
		if w.ended[c.batch] != 0 {
			w.taken[d] = false
			c.at = 6
		}
	case 2, 3, 4, 5:
		return p.flush(w, c, 2, 6)
	case 6:
		return w.ended[c.batch] != 0 && p.finish(w, c)
	default:
		return p.makeRoom(w, c)
	}
	return true
}

func (p protocol) put(w *world, c *caller) {
	c.id++
	c.index = w.next
	w.memory[w.next] = c.id
	if p.mapped {
		w.file[w.next] = c.id
	}
	w.next++
	if p.mapped || p.acksBeforeFlush {
		w.promised[c.index] = c.id
		p.done(c)
		return
	}
	if c.leads = w.batch == 0; c.leads {
		w.batches++
		w.batch = w.batches
	}
	c.batch, c.at = w.batch, 1
}

// finish is what an append does when its batch has ended.
func (p protocol) finish(w *world, c *caller) bool {
	if w.ended[c.batch] == 1 && w.cut&(1<<c.id) == 0 {
		w.promised[c.index] = c.id
	}
	p.done(c)
	return true
}

func (p protocol) done(c *caller) {
	c.left--
	c.at = 0
	if c.left == 0 {
		c.at = -1
	}
}

// flush is handing over and making safe, from the step that takes the work on. The duty
// of flushing, or of writing, is the caller's.
func (p protocol) flush(w *world, c *caller, first, behind int8) bool {
	switch c.at - first {
	case 0: // takes the work
		if p.durable || c.does != "append" {
			if !w.excluded && !take(w, writing) {
				return false
			}
		}
		c.from, c.to, c.segments, c.batch = w.handed(), w.next, w.segments, w.batch
		w.batch = 0
	case 1: // writes it
		if c.from < c.to && !p.mapped && w.full > 0 {
			w.full--
			p.takeBack(w, c)
			p.release(w, c, false)
			c.at = behind
			return true
		}
		if !p.mapped {
			for i := c.from; i < c.to; i++ {
				w.file[i] = w.memory[i]
			}
		}
	case 2: // notes it
		if c.segments == w.segments || p.writtenOfAnother {
			w.hand(c.to, c.segments)
		}
		if !p.durable {
			w.shown = max(w.shown, c.to)
			p.end(w, c, 1)
		}
		if !w.excluded {
			w.taken[writing] = false
		}
		if c.does == "append" && !p.durable {
			c.at = behind
			return true
		}
	case 3: // makes it safe
		w.safe = max(w.safe, c.to)
		p.end(w, c, 1)
		p.release(w, c, true)
		c.at = behind
		return true
	}
	c.at++
	return true
}

func (p protocol) end(w *world, c *caller, how int8) {
	if c.batch != 0 && w.ended[c.batch] == 0 {
		w.ended[c.batch] = how
	}
}

// release gives back the duty of who flushes, and of who writes where that failed.
func (p protocol) release(w *world, c *caller, wrote bool) {
	if w.excluded {
		return
	}
	if !wrote {
		w.taken[writing] = false
	}
	if p.durable || c.does != "append" {
		w.taken[flushing] = false
	}
}

// takeBack undoes what could not be written, and fails all that wait for it.
func (p protocol) takeBack(w *world, c *caller) {
	p.end(w, c, 2)
	if w.batch != 0 && !p.keepsWaiting {
		w.ended[w.batch], w.batch = 2, 0
	}
	for i := c.from; i < w.next; i++ {
		w.memory[i] = 0
	}
	w.next = c.from
}

// makeRoom rolls to another segment.
func (p protocol) makeRoom(w *world, c *caller) bool {
	switch c.at {
	case 10:
		if !take(w, preparing) {
			return false
		}
		c.at = 11
	case 11: // looks again, and halts the appends
		if w.closed || w.next < w.limit {
			w.taken[preparing] = false
			c.at = 0
			return true
		}
		if !p.rollsBesideAppends {
			w.limit = 0
		}
		c.at = 12
		if p.mapped {
			c.at = 17
		}
	case 12: // settles: all is in the file of the segment before
		d := writing
		if p.durable {
			d = flushing
		}
		if !take(w, d) {
			return false
		}
		c.at = 13
	case 13, 14, 15, 16:
		return p.flush(w, c, 13, 17)
	case 17:
		if !p.mapped && w.handed() != w.next && !p.rollsBesideAppends { // it failed: appends go on where they were
			w.limit = w.segments * perSegment
			w.taken[preparing] = false
			c.at = 0
			return true
		}
		w.segments++
		w.limit = min(w.segments*perSegment, modelEntries)
		w.hand(w.next, w.segments)
		w.taken[preparing] = false
		c.at = 0
		if w.limit == w.next { // the model ends here
			c.result, c.left, c.at = "no room", 0, -1
		}
	}
	return true
}

func (p protocol) sync(w *world, c *caller) bool {
	switch c.at {
	case 0:
		if w.closed {
			c.result, c.left, c.at = "closed", 0, -1
			return true
		}
		if !take(w, flushing) {
			return false
		}
		c.at = 1
	case 5:
		p.done(c)
	default:
		return p.flush(w, c, 1, 5)
	}
	return true
}

func (p protocol) close(w *world, c *caller) bool {
	switch c.at {
	case 0:
		if moved, all := exclude(w, c, p.closeFrom()); !all {
			return moved
		}
		w.closed, w.limit = true, 0
		admit(w, c, p.closeFrom())
		c.at = 1
	case 1:
		if !take(w, flushing) {
			return false
		}
		c.at = 2
	case 2, 3, 4, 5:
		return p.flush(w, c, 2, 6)
	case 6:
		if moved, all := exclude(w, c, p.closeFrom()); !all {
			return moved
		}
		c.at = 7
	case 7:
		admit(w, c, p.closeFrom())
		p.done(c)
		c.result = "closed"
	}
	return true
}

// cut is TruncateSuffix by one entry.
func (p protocol) cut(w *world, c *caller) bool {
	switch c.at {
	case 0:
		if moved, all := exclude(w, c, p.cutFrom()); !all {
			return moved
		}
		if w.closed {
			admit(w, c, p.cutFrom())
			c.result, c.left, c.at = "closed", 0, -1
			return true
		}
		w.limit = 0
		c.at = 1
	case 1, 2, 3, 4:
		return p.flush(w, c, 1, 5)
	case 5:
		if w.next > 0 && (p.mapped || w.handed() == w.next) {
			w.next--
			w.cut |= 1 << w.memory[w.next]
			w.memory[w.next], w.file[w.next], w.promised[w.next], w.seen[w.next] = 0, 0, 0, 0
			w.safe, w.shown = min(w.safe, w.next), min(w.shown, w.next)
			w.sealed = min(w.sealed, w.next/perSegment)
			w.segments = max(1, (w.next+perSegment-1)/perSegment)
			w.hand(w.next, w.segments)
		}
		w.limit = min(w.segments*perSegment, modelEntries)
		c.at = 6
	case 6:
		admit(w, c, p.cutFrom())
		p.done(c)
	}
	return true
}

// closeFrom and cutFrom are the first of the duties that Close, and a truncation, take.
func (p protocol) closeFrom() duty {
	if p.closesBesideDuties {
		return duties
	}
	return sealing
}

func (p protocol) cutFrom() duty {
	if p.sealsBesideCut {
		return preparing
	}
	return sealing
}

func (p protocol) seal(w *world, c *caller) bool {
	switch c.at {
	case 0:
		if w.closed || w.sealed+1 >= w.segments {
			p.done(c)
			return true
		}
		if !take(w, sealing) {
			return false
		}
		c.from = w.sealed
		c.at = 1
	case 1: // flushes the segment, whose entries are those that it had when it was full
		if w.closed {
			w.taken[sealing] = false
			p.done(c)
			return true
		}
		c.to = (c.from + 1) * perSegment
		c.at = 2
	case 2:
		if w.next < c.to {
			w.violation = "a segment is sealed that has been cut"
		}
		w.sealed = c.from + 1
		if p.mapped {
			w.safe = max(w.safe, min(c.to, w.next))
		}
		w.taken[sealing] = false
		p.done(c)
	}
	return true
}

// read sees the newest entry that is shown.
func (p protocol) read(w *world, c *caller) bool {
	if below := p.shownBelow(w); below > 0 && !w.closed {
		w.seen[below-1] = w.memory[below-1]
		if w.memory[below-1] == 0 {
			w.violation = "an entry is shown that is not there"
		}
	}
	p.done(c)
	return true
}

// check holds a world to what the log promises, whatever is killed now.
func (p protocol) check(w *world) string {
	if w.violation != "" {
		return w.violation
	}
	for i := range int8(modelEntries) {
		promised := w.promised[i]
		switch {
		case promised != 0 && w.file[i] != promised:
			return fmt.Sprintf("entry %d was acknowledged, a kill loses it", i)
		case promised != 0 && p.durable && w.safe <= i:
			return fmt.Sprintf("entry %d was acknowledged, a power cut loses it", i)
		case w.seen[i] != 0 && w.memory[i] != w.seen[i]:
			return fmt.Sprintf("entry %d was shown, and is another one", i)
		case w.memory[i] != 0 && i >= w.next:
			return fmt.Sprintf("entry %d is behind the end", i)
		}
	}
	if w.next > w.segments*perSegment {
		return "entries lie behind the end of their segment"
	}
	return ""
}

// explore goes through all orders of steps, and returns how many worlds there are and
// the first that breaks a promise.
func (p protocol) explore(start world) (worlds int, broken string) {
	been := map[world]bool{start: true}
	for open := []world{start}; len(open) > 0; {
		w := open[len(open)-1]
		open = open[:len(open)-1]
		if broken := p.check(&w); broken != "" {
			return len(been), broken
		}
		moved, ended := false, true
		for i := range w.callers {
			if w.callers[i].at < 0 {
				continue
			}
			ended = false
			after := w
			if !p.step(&after, &after.callers[i]) {
				continue
			}
			if moved = true; !been[after] {
				been[after] = true
				open = append(open, after)
			}
		}
		if !moved && !ended {
			return len(been), fmt.Sprintf("all wait for ever: %+v", w.callers)
		}
		if ended && w.taken != [duties]bool{} {
			return len(been), "a duty was never given back"
		}
	}
	return len(been), ""
}

// callersOf are goroutines that do this, each so often.
func callersOf(does ...string) (all [modelCallers]caller) {
	for i, what := range does {
		all[i] = caller{does: what, left: 2, id: int8(10 * (i + 1))}
	}
	for i := len(does); i < modelCallers; i++ {
		all[i].at = -1
	}
	return all
}

// modelMixes are the goroutines of a world.
var modelMixes = [][]string{
	{"append", "append", "append"}, {"append", "append", "sync"}, {"append", "append", "close"}, {"append", "append", "cut"},
	{"append", "append", "seal"}, {"append", "append", "read"}, {"append", "sync", "close"}, {"append", "sync", "cut"},
	{"append", "seal", "cut"}, {"append", "seal", "close"}, {"append", "cut", "close"}, {"append", "cut", "read"},
	{"sync", "cut", "close"}, {"append", "cut", "cut"}, {"append", "close", "close"}, {"append", "sync", "read"},
}

// began is a world with entries in it, that are safe.
func began(entries int8, full int8, does ...string) world {
	w := world{next: entries, safe: entries, shown: entries, full: full, callers: callersOf(does...)}
	w.segments = max(1, (entries+perSegment-1)/perSegment)
	w.hand(entries, w.segments)
	w.limit = w.segments * perSegment
	for i := range entries {
		w.memory[i], w.file[i], w.promised[i] = i+1, i+1, i+1
	}
	return w
}

// explored runs a protocol on all mixes until something breaks.
func (p protocol) explored() (worlds int, broken string) {
	for _, does := range modelMixes {
		for _, entries := range []int8{0, 2} {
			for full := range int8(2) {
				n, broken := p.explore(began(entries, full, does...))
				worlds += n
				if broken != "" {
					return worlds, fmt.Sprintf("%v behind %d entries, %d writes fail: %s", does, entries, full, broken)
				}
			}
		}
	}
	return worlds, ""
}

func TestModel(t *testing.T) {
	exhausts(t)
	t.Parallel()
	for name, p := range map[string]protocol{"mapped": {mapped: true}, "written": {}, "durable": {durable: true}} {
		worlds, broken := p.explored()
		if broken != "" {
			t.Errorf("%s: %s", name, broken)
		}
		t.Logf("%s: %d worlds", name, worlds)
	}
}

// A model that finds nothing wrong with what is wrong would prove nothing.
func TestModelFindsDefects(t *testing.T) {
	exhausts(t)
	t.Parallel()
	for name, p := range map[string]protocol{
		"acknowledges before the flush":         {durable: true, acksBeforeFlush: true},
		"rolls beside appends":                  {rollsBesideAppends: true},
		"closes beside duties":                  {mapped: true, closesBesideDuties: true},
		"keeps waiting behind a failed write":   {keepsWaiting: true},
		"notes what is of another segment":      {writtenOfAnother: true},
		"shows what is not written":             {durable: true, showsUnwritten: true},
		"seals beside a truncation":             {mapped: true, sealsBesideCut: true},
		"acknowledges before the write, killed": {acksBeforeFlush: true},
	} {
		if _, broken := p.explored(); broken == "" {
			t.Errorf("a log that %s: nothing was found", name)
		}
	}
}
