package locust

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// handle does what a master says.
func (w *worker) handle(m message) {
	switch m.kind {
	case "ack":
		w.acknowledged(m)
	case "spawn":
		w.send("spawning", nil)
		if err := w.spawn(m); err != nil {
			w.Say("the master's order: " + err.Error())
		}
	case "stop":
		w.want(order{kind: stop})
	case "quit":
		if !w.quitting() { // it can say so twice
			w.Say("the master has quit")
		}
		w.want(order{kind: quit})
	case "reconnect":
		w.wire.drop(w.name)
	case "heartbeat":
		w.outbox.answered()
		w.known()
	case versionMessage:
		w.compareVersions(text(m.at("version")))
	case runMessage:
		w.isIn(text(m.at("run")))
	case "spawning_complete", "update_user_class": // of what Locust's own users do
	default:
		if !w.unknown[m.kind] {
			w.unknown[m.kind] = true
			w.Say("the master sent a message that this worker does not know, " + fmt.Sprintf("%.40q", m.kind) + ": left out")
		}
	}
}

// acknowledged is the master's answer to client_ready.
func (w *worker) acknowledged(m message) {
	index, is := number(m.at("index"))
	if !is {
		w.fail(fmt.Errorf("the master at %s is older than Locust 2.11, and this worker speaks as %s", w.Master, Version))
		return
	}
	if !w.joined {
		w.Say(fmt.Sprintf("worker %.0f of the master at %s", index, w.Master))
	}
	w.joined, w.ever = true, true
	w.known()
}

// known is told that the master knows this worker.
func (w *worker) known() {
	w.trusted = true
	w.deliver()
}

// spawn reads how many users there are to be: all of them, by class. An order that is no younger
// than the last one is overtaken.
func (w *worker) spawn(m message) error {
	at, is := number(m.at("timestamp"))
	counts, err := countsOf(m.at("user_classes_count"))
	switch {
	case !is || math.IsNaN(at) || math.Abs(at) > 1e12:
		return fmt.Errorf("a spawn without its time")
	case err != nil:
		return err
	case at < w.lastSpawn:
		return fmt.Errorf("the master's order is older than its last one, by %.3g s, and is not heeded: was its clock set back?", w.lastSpawn-at)
	case at == w.lastSpawn:
		return nil
	}
	w.lastSpawn = at
	w.compareClocks(time.Unix(0, int64(at*1e6)*1e3))
	w.state = stateSpawning
	run, options := optionsOf(m)
	w.want(order{kind: spawn, counts: counts, run: run, options: options, lasts: w.RunTime, ahead: w.ahead})
	return nil
}

// mostUsers is how many a master can want of one worker.
const mostUsers = 100_000

func countsOf(v any) (map[string]int, error) {
	all, is := v.(map[any]any)
	if !is {
		return nil, fmt.Errorf("a spawn without its users")
	}
	counts := map[string]int{}
	for class, n := range all {
		count, is := number(n)
		if name := text(class); !is || name == "" || !(count >= 0 && count <= mostUsers) || count != math.Trunc(count) {
			return nil, fmt.Errorf("%v users of class %.40q", n, fmt.Sprint(class))
		}
		counts[text(class)] = int(count)
	}
	return counts, nil
}

// optionPrefix begins the names of the options that are for this worker.
const optionPrefix = "syncwrite_"

// runOption is the name that our locustfile gives a run.
const runOption = "run"

func optionsOf(m message) (run string, o Options) {
	o = Options{Host: text(m.at("host")), Values: map[string]string{}}
	parsed, _ := m.at("parsed_options").(map[any]any)
	for name, value := range parsed {
		if name, is := strings.CutPrefix(text(name), optionPrefix); is {
			o.Values[name] = text(value)
		}
	}
	run = o.Values[runOption]
	delete(o.Values, runOption)
	return run, o
}

// runMessage is what the locustfile of this package has a master send with its answers to
// heartbeats: the name of the run that there is, empty if there is none.
const runMessage = "syncwrite_run"

// isIn ends a run that is the master's no more: its stop was lost with a link.
func (w *worker) isIn(run string) {
	if w.crew == nil || !w.crew.isOther(run) || w.order != nil || w.after != nil || w.next != nil {
		return
	}
	w.Say("the master's run has ended meanwhile")
	if run == "" {
		w.want(order{kind: stop})
	} else {
		w.want(order{kind: discard})
	}
}

// skewed is from when on the master's clock is another than this machine's: what is less can be the
// way of the message.
const skewed = time.Second

// compareClocks reckons with the master's clock where it is another one: the seconds of all workers are
// added up. A message that was held up tells of no clock.
func (w *worker) compareClocks(master time.Time) {
	if time.Since(w.silenced) < catchingUp {
		return
	}
	ahead := time.Until(master)
	if ahead.Abs() < skewed {
		ahead = 0
	}
	if (ahead - w.ahead).Abs() >= skewed {
		w.Say(fmt.Sprintf("the master's clock is %+.1f s from this machine's: seconds are told by the master's", ahead.Seconds()))
	}
	w.ahead = ahead
}

// versionMessage is what the locustfile of this package has a master send to those who
// join it.
const versionMessage = "syncwrite_master"

// compareVersions refuses a master of another major version. Of a version that is told by nobody nothing is known.
func (w *worker) compareVersions(master string) {
	major := func(version string) string { before, _, _ := strings.Cut(version, "."); return before }
	minor := func(version string) string { return version[:max(strings.LastIndex(version, "."), 0)] }
	switch {
	case major(master) != major(Version):
		w.fail(fmt.Errorf("the master at %s is Locust %.20q, and this worker speaks the protocol of %s: both have to be of one major version", w.Master, master, Version))
	case minor(master) != minor(Version):
		w.Say(fmt.Sprintf("the master is Locust %.20q, and this worker was tested with %s", master, Version))
	}
}
