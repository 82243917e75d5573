package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
)

// fill gives every field that v reaches a value of its own, so that a field
// that a codec forgets or swaps cannot go unseen. The two fields that no record
// keeps stay as they are.
func fill(v reflect.Value, next *int) {
	*next++
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = time.Unix(int64(*next), int64(*next)).UTC()
		return
	case *hist.Histogram:
		at.Record(int64(*next))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Name() + "." + v.Type().Field(i).Name; name != "Trial.Env" && name != "Summary.Hist" {
				fill(v.Field(i), next)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, next)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("name", *next)), value)
	case reflect.String:
		v.SetString(fmt.Sprint("text", *next))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*next) + 0.1)
	case reflect.Uint64:
		v.SetUint(1<<63 + uint64(*next)) // no float64 holds it
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*next))
	default:
		panic("no value for " + v.Type().String())
	}
}

func filled[T any](seed int) T {
	var record T
	fill(reflect.ValueOf(&record).Elem(), &seed)
	return record
}

func write(t *testing.T, records ...any) []byte {
	t.Helper()
	var file bytes.Buffer
	w := NewWriter(&file)
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}

func read(t *testing.T, file []byte) *Run {
	t.Helper()
	run, err := Read(bytes.NewReader(file), "run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestEveryFieldComesBack(t *testing.T) {
	env, e, trial := filled[Env](0), filled[Experiment](1000), filled[Trial](2000)
	outcome, end := filled[Outcome](3000), filled[End](4000)
	trial.Ops = 1e6 // more than were lost
	env.Format = Format
	outcome.Env, end.Env = 0, 0 // as that of a trial, by where they stand
	run := read(t, write(t, env, e, trial, outcome, end))
	want := &Run{Envs: []Env{env}, Experiments: []Experiment{e}, Trials: []Trial{trial}, Outcomes: []Outcome{outcome}, Ends: []End{end}}
	if !reflect.DeepEqual(run, want) {
		t.Errorf("read\n%+v\nwant\n%+v", run, want)
	}
}

// Read makes summaries and verdicts again from the trials; other programs read
// them from the file.
func TestEveryFieldOfASummaryIsWritten(t *testing.T) {
	sameAfterJSON(t, "summary", filled[Summary](0))
	sameAfterJSON(t, "verdict", filled[VerdictRecord](0))
}

func sameAfterJSON[T any](t *testing.T, kind string, record T) {
	t.Helper()
	line := write(t, record)
	if !bytes.HasPrefix(line, []byte(`{"record":"`+kind+`",`)) {
		t.Errorf("%s record begins %.30s", kind, line)
	}
	var back T
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, record) {
		t.Errorf("read %+v\nwant %+v", back, record)
	}
}

// numbers visits every Number that v reaches.
func numbers(v reflect.Value, path string, visit func(path string, n reflect.Value)) {
	switch {
	case v.Type() == reflect.TypeFor[Number]():
		visit(path, v)
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Type() != reflect.TypeFor[*hist.Histogram]():
		numbers(v.Elem(), path, visit)
	case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]():
		for i := range v.NumField() {
			numbers(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	}
}

func allMissing(t *testing.T, record any, least int) {
	t.Helper()
	count := 0
	numbers(reflect.ValueOf(record), fmt.Sprintf("%T", record), func(path string, n reflect.Value) {
		count++
		if number := n.Interface().(Number); number.Known() {
			t.Errorf("%s is %v, want missing", path, number)
		}
	})
	if count < least {
		t.Errorf("%T: visited %d numbers, want at least %d", record, count, least)
	}
}

const (
	bareEnv   = `{"record":"env","format":1}` + "\n"
	bareTrial = `{"record":"trial","experiment":"e","variant":"v","goroutines":1,"block":1,"ops":5,"wall_ns":10}` + "\n"
)

func TestAnAbsentNumberIsMissing(t *testing.T) {
	guarded := strings.Replace(bareTrial, `"ops"`, `"guard":{"acquisitions":3},"latency":{},"usage":{},"naive":null,"ops"`, 1)
	run := read(t, []byte(bareEnv+bareTrial+guarded+`{"record":"end","status":"complete"}`))
	if len(run.Trials) != 2 || run.Trials[1].Guard == nil || len(run.Problems) > 0 {
		t.Fatalf("read %+v", run)
	}
	allMissing(t, run.Envs[0], 5)
	allMissing(t, run.Trials[0], 21)
	allMissing(t, run.Trials[1], 23)
	allMissing(t, run.Ends[0], 1)
}

func TestAMissingNumberIsNullBothWays(t *testing.T) {
	trial := filled[Trial](0)
	trial.Ops = 1e6 // more than were lost
	trial.Usage.StealNS, trial.Latency.P99NS = Missing(), Number(math.Inf(-1))
	trial.Guard.BusyNS = Number(math.Inf(1))
	line := write(t, filledEnv(), trial)
	for _, field := range []string{`"steal_ns":null`, `"p99_ns":null`, `"busy_ns":null`} {
		if !bytes.Contains(line, []byte(field)) {
			t.Errorf("no %s in %s", field, line)
		}
	}
	back := read(t, line).Trials[0]
	if back.Usage.StealNS.Known() || back.Latency.P99NS.Known() || back.Guard.BusyNS.Known() {
		t.Errorf("null read as a number: %+v", back)
	}
	if back.Usage.OthersNS != trial.Usage.OthersNS {
		t.Errorf("others_ns %v, want %v", back.Usage.OthersNS, trial.Usage.OthersNS)
	}
}

func filledEnv() Env {
	env := filled[Env](0)
	env.Format = Format
	return env
}

func TestHistogramsSurviveAndMerge(t *testing.T) {
	var trials []any
	all := new(hist.Histogram)
	for i := range 3 {
		h := new(hist.Histogram)
		for j := range 2000 {
			h.Record(int64(i*1000 + j*j))
			all.Record(int64(i*1000 + j*j))
		}
		trial := filled[Trial](i)
		trial.Ops = 1e6 // more than were lost
		trial.Latency = NewLatency(h, Each)
		trials = append(trials, trial)
	}
	run := read(t, write(t, append([]any{filledEnv()}, trials...)...))
	merged, whole := MergeLatencies(run.Trials)
	if !whole || !merged.Hist.Equal(all) {
		t.Fatalf("merged %v, whole %v", merged, whole)
	}
	if want := Number(all.Quantile(0.99)); merged.P99NS != want || merged.P999NS.Known() {
		t.Errorf("p99 %v, want %v; p99.9 %v, which 6,000 values cannot carry", merged.P99NS, want, merged.P999NS)
	}
	run.Trials[1].Latency.Hist = nil
	if _, whole := MergeLatencies(run.Trials); whole {
		t.Error("merged a trial without histogram as if it were whole")
	}
}

func TestWriteRefusesWhatIsNoRecord(t *testing.T) {
	var out bytes.Buffer
	if err := NewWriter(&out).Write(struct{ A int }{1}); err == nil || out.Len() > 0 {
		t.Errorf("error %v, wrote %q", err, out.String())
	}
}
