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

// Profiles speak where a traced window has another rate than its cell's trials, by more than a
// tenth.
func TestChanged(t *testing.T) {
	rates := []float64{1100, 900, 1000}
	for _, c := range []struct {
		rate   Number
		reason string
		want   bool
	}{{1000, "", false}, {905, "", false}, {890, "", true}, {1110, "", true}, {500, "oops", false}, {Missing(), "", false}} {
		if got := (Breakdown{OpsPerS: c.rate, Reason: c.reason}).Changed(rates); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	rates = []float64{900, 980, 1020, 1100}
	if (Breakdown{OpsPerS: 905}).Changed(rates) {
		t.Error("the median of four is none of theirs")
	}
	rates = []float64{700, 1000, 1100}
	if (Breakdown{OpsPerS: 750}).Changed(rates) {
		t.Error("a trial was as slow")
	}
	if !(Breakdown{OpsPerS: 690}).Changed(rates) || !(Breakdown{OpsPerS: 750}).Changed([]float64{700, 1000}) {
		t.Error("no trial was as slow, or two are no range")
	}
	same := []float64{10, 10, 10}
	for opNS, other := range map[Number]bool{0: false, 10: false, 10.9: false, 5: true, 20: true, Missing(): false} {
		if got := (Breakdown{OpsPerS: 1, OpNS: opNS}).OtherWork(same); got != other {
			t.Errorf("an operation of %v ns beside 10: %v", float64(opNS), got)
		}
	}
	if !(Breakdown{OpsPerS: 1}).Unlike(nil) || !(Breakdown{OpsPerS: Missing()}).Unlike(rates) {
		t.Error("what is not known was like the trials")
	}
	if (Breakdown{OpsPerS: 1}).Changed(nil) {
		t.Error("a cell without trials was changed")
	}
}
