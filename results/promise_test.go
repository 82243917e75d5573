package results

import (
	"strings"
	"testing"
)

func TestAPromiseOnADisk(t *testing.T) {
	for _, c := range []struct{ survives, disk, want string }{
		{"power-cut", "ext4", "power-cut"},
		{"power-cut", "", "power-cut"},
		{"power-cut", "tmpfs", "process-crash"},
		{"power-cut", "ramfs", "process-crash"},
		{"process-crash", "tmpfs", "process-crash"},
		{"nothing", "tmpfs", "nothing"},
	} {
		p := Promise{Order: "total", Result: "linearizable", Survives: c.survives}
		want := p
		want.Survives = c.want
		if got := p.On(c.disk); got != want {
			t.Errorf("%s on %s: %v, want %v", c.survives, c.disk, got, want)
		}
	}
}

// A file may describe the experiment before or behind the env whose disk is
// memory, and a report may hold runs on several disks.
func TestARunPromisesWhatAllItsDisksKeep(t *testing.T) {
	const (
		disk   = `{"record":"env","format":1,"disk":{"file_system":"ext4"}}` + "\n"
		memory = `{"record":"env","format":1,"disk":{"file_system":"tmpfs"}}` + "\n"
		e      = `{"record":"experiment","name":"e","variants":[{"name":"v","promise":{"survives":"power-cut"}}]}` + "\n"
	)
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"disk", []string{disk + e}, "power-cut"},
		{"memory", []string{memory + e}, "process-crash"},
		{"one file, the memory last", []string{disk + e + memory}, "process-crash"},
		{"two files", []string{disk + e, memory + e}, "process-crash"},
		{"two files, the memory first", []string{memory + e, disk + e}, "process-crash"},
	} {
		run := &Run{}
		for _, file := range c.files {
			run.Merge(read(t, []byte(file)))
		}
		if got := run.Experiment("e").Variant("v").Promise.Survives; got != c.want {
			t.Errorf("%s: survives %s, want %s", c.name, got, c.want)
		}
		if len(run.Problems) > 0 {
			t.Errorf("%s: %v", c.name, run.Problems)
		}
	}
}

// The experiment that is handed in belongs to the caller.
func TestOnLeavesTheExperimentAlone(t *testing.T) {
	e := Experiment{Name: "e", Variants: []Variant{{Name: "v", Promise: Promise{Survives: "power-cut"}}}}
	if on := e.On("tmpfs"); on.Variants[0].Promise.Survives != "process-crash" || !strings.HasPrefix(e.Variants[0].Promise.Survives, "power") {
		t.Errorf("%v, then %v", on.Variants, e.Variants)
	}
}

// One promise is weaker than another if who asks for it is served by the other, and
// not the other way round.
func TestWeaker(t *testing.T) {
	promise := func(order, result, survives string) Promise { return Promise{order, result, survives} }
	top := promise("total", "linearizable", "power-cut")
	for _, c := range []struct {
		p, than Promise
		want    bool
	}{
		{top, top, false},
		{promise("per-caller", "linearizable", "power-cut"), top, true},
		{promise("total", "exactly-once", "power-cut"), top, true},
		{promise("total", "at-most-once", "power-cut"), top, true},
		{promise("total", "at-most-once", "power-cut"), promise("total", "exactly-once", "power-cut"), true},
		{promise("total", "exactly-once", "power-cut"), promise("total", "at-most-once", "power-cut"), false},
		{promise("total", "unique", "power-cut"), promise("total", "exactly-once", "power-cut"), false},
		{promise("total", "lossy", "power-cut"), promise("total", "undefined", "power-cut"), false},
		{promise("none", "lossy", "nothing"), top, true},
		{promise("per-caller", "exactly-once", "power-cut"), promise("total", "exactly-once", "nothing"), false}, // each has what the other lacks
		{promise("total", "linearizable", "nothing"), top, true},
		{promise("total", "no word", "nothing"), top, false},
	} {
		if got := c.p.Weaker(c.than); got != c.want {
			t.Errorf("%v weaker than %v: %v", c.p, c.than, got)
		}
	}
}
