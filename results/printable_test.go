package results

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"file-durable", "file-durable"},
		{"a b, Zoë, 日本, ÷ – ± µs", "a b, Zoë, 日本, ÷ – ± µs"},
		{`C:\dir`, `C:\dir`},
		{`"it's"`, `"it's"`},
		{"\x1b[2J", `\x1b[2J`},
		{"a\ab\r\n\tc\x00\x7f", `a\ab\r\n\tc\x00\x7f`},
		{"\u009b31m\u0085", `\u009b31m\u0085`},
		{"\u202eevil\u2066", `\u202eevil\u2066`},
		{"a\u200bb\u200d\ufeff\u00ad", `a\u200bb\u200d\ufeff\u00ad`},
		{"one\u2028two\u00a0three", `one\u2028two\u00a0three`},
		{"\U000e0041tag", `\U000e0041tag`},
		{"\xff\xc3(", `\xff\xc3(`},
		{"\ufffd", "\ufffd"},
	} {
		got := Printable(c.text)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		if again := Printable(got); again != got {
			t.Errorf("%q: %s, and once more %s", c.text, got, again)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[2J\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range Printable(text) {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q leaves %U", text, r)
			}
		}
	})
}

const evil = "a\x1b[2J\a\u009b\u202e\u200b\nb"

// poison sets every string that a record holds.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(evil)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				poison(v.Field(i))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		poison(v.Elem())
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		poison(key)
		poison(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	}
}

// A field that somebody adds to a record is covered, too, behind a pointer as well.
func TestNoStringOfARecordIsLeftOut(t *testing.T) {
	run := new(Run)
	poison(reflect.ValueOf(run).Elem())
	text := fmt.Sprintf("%+v", PrintableRecord(*run))
	trial, err := json.Marshal(PrintableRecord(run.Trials[0])) // shows what pointers lead to
	if err != nil {
		t.Fatal(err)
	}
	checkNoControl(t, "a run", text)
	if strings.Contains(string(trial), "u001b") {
		t.Errorf("a trial holds a control: %s", trial)
	}
	if run.Envs[0].Command[0] != evil || run.Trials[0].Factors[evil] != evil {
		t.Error("the record that was given has changed")
	}
}

func checkNoControl(t *testing.T, what, text string) {
	t.Helper()
	for i, r := range text {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			t.Fatalf("%s holds %U: %q", what, r, text[max(0, i-40):min(len(text), i+20)])
		}
	}
}

// What is read is printable, whichever record it stands in, and whatever is
// wrong with its line.
func TestWhatIsReadIsPrintable(t *testing.T) {
	e, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	file := strings.ReplaceAll(bareEnv+`{"record":"env","format":1,"command":[EVIL],"machine":{"cpu":EVIL,"go":EVIL},"disk":{"file_system":EVIL,"mount":EVIL},"warnings":[{"code":EVIL,"text":EVIL}]}
{"record":"experiment","name":EVIL,"question":EVIL,"unit":EVIL,"variants":[{"name":EVIL,"about":EVIL,"promise":{"order":EVIL,"result":EVIL,"survives":EVIL}}],"factors":[{"name":EVIL,"about":EVIL,"default":EVIL,"levels":[EVIL]}],"limits":[{"about":EVIL}]}
{"record":"experiment","name":EVIL,"variants":[{"name":EVIL,"promise":{"order":"none"}}]}
{"record":"trial","experiment":EVIL,"variant":EVIL,"factors":{EVIL:EVIL},"goroutines":1,"block":1,"ops":1,"wall_ns":1,"warnings":[{"code":EVIL,"text":EVIL}]}
{"record":"outcome","experiment":EVIL,"variant":EVIL,"goroutines":1,"kind":"error","text":EVIL}
{"record":"end","status":EVIL}
{"record":EVIL}
`, "EVIL", string(e)) + "\u009b\u202e\n"
	run, err := Read(strings.NewReader(file), evil)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Problems) != 3 || len(run.Trials) != 1 || len(run.Outcomes) != 1 || len(run.Ends) != 1 {
		t.Errorf("problems %q, %d trials", run.Problems, len(run.Trials))
	}
	checkNoControl(t, "the run", fmt.Sprintf("%+v", *run))
	if got := run.Experiment(run.Trials[0].Experiment).Variant(run.Trials[0].Variant).Promise.Order; got == "" {
		t.Error("the trial has lost its description")
	}
	if _, err := Read(strings.NewReader("\x1b\u202e"), evil); err == nil {
		t.Error("no results: no error")
	} else {
		checkNoControl(t, "the error", err.Error())
	}
}

func TestWhatIsReadOfBenchmarksIsPrintable(t *testing.T) {
	file := "goos: \x1b[2J\ncpu: \u202e\norder: \u009b\nsurvives: \u200b\n" +
		"BenchmarkE%1b/variant=v%e2%80%ae/f%07=%0a/goroutines=1-2 5 100 ns/op 1e7 ops/s\n" +
		"BenchmarkX\u202e\u009b/x 5 100 ns/op 1e7 ops/s\nBenchmark\u202e x\n"
	run, err := ReadBench(strings.NewReader(file), evil)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Trials) != 1 || len(run.Problems) == 0 || run.Trials[0].Variant != `v\u202e` {
		t.Errorf("trials %+v, problems %v", run.Trials, run.Problems)
	}
	checkNoControl(t, "the run", fmt.Sprintf("%+v", *run))
	if err := WriteBench(io.Discard, run); err != nil {
		t.Errorf("it cannot be written again: %v", err)
	}
}
