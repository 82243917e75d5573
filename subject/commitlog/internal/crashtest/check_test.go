package crashtest

import (
	"errors"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// holding is a backend whose log holds what is given.
func holding(values ...[]byte) Backend {
	return Backend{Survives: "power-cut", Open: func(path string) (commitlog.Log, error) {
		l, err := openPlain(path)
		if err == nil {
			l.values = values
		}
		return l, err
	}}
}

func of(g int, seqs ...uint64) [][]byte {
	var values [][]byte
	for _, seq := range seqs {
		values = append(values, appendValue(nil, g, seq))
	}
	return values
}

func TestCheckCounts(t *testing.T) {
	for _, c := range []struct {
		name                     string
		values                   [][]byte
		ack                      ack
		acknowledged, kept, lost int
	}{
		{"nothing at all", nil, ack{0, 0, -1}, 0, 0, 0},
		{"all that was acknowledged", of(3, 0, 1), ack{0, 2, 1}, 2, 2, 0},
		{"one more, whose acknowledgement never came", of(3, 0, 1, 2), ack{0, 2, 1}, 2, 3, 0},
		{"one less", of(3, 0, 1), ack{0, 3, 2}, 3, 2, 1},
		{"an earlier run's, all kept", of(3, 0, 1), ack{2, 2, -1}, 0, 2, 0},
		{"an earlier run's, one lost", of(3, 0, 1), ack{3, 3, -1}, 0, 2, 1},
		{"an empty log", nil, ack{2, 5, 4}, 3, 0, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := check(holding(c.values...), t.TempDir()+"/log", [writers]ack{3: c.ack})
			if o.Wrong != nil || o.Refused != nil {
				t.Fatalf("wrong: %v, refused: %v", o.Wrong, o.Refused)
			}
			if o.Acknowledged != c.acknowledged || o.Kept != c.kept || o.Lost != c.lost {
				t.Errorf("%d acknowledged, %d kept, %d lost", o.Acknowledged, o.Kept, o.Lost)
			}
			if (o.Broken() != nil) != (c.lost > 0) {
				t.Errorf("broken: %v", o.Broken())
			}
		})
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	damaged := appendValue(nil, 3, 2)
	damaged[len(damaged)-1] ^= 1
	for _, c := range []struct {
		values [][]byte
		want   string
	}{
		{of(3, 0, 1, 1), "entry 2: append 1 of goroutine 3 where its append 2 was due"},
		{of(3, 0, 2), "entry 1: append 2 of goroutine 3 where its append 1 was due"},
		{of(3, 1, 0), "entry 0: append 1 of goroutine 3 where its append 0 was due"},
		{append(of(3, 0, 1), damaged), "entry 2: "},
		{of(writers, 0), "goroutine 16, which there was not"},
		{[][]byte{{}}, "entry 0: 0 bytes, which nobody appended"},
		{append(of(4, 0), of(3, 0, 1)...), "entry 2: append 1 of goroutine 3, which was acknowledged as entry 1"},
	} {
		o := check(holding(c.values...), t.TempDir()+"/log", [writers]ack{3: {0, 2, 1}})
		if o.Wrong == nil || !strings.Contains(o.Wrong.Error(), c.want) || o.Broken() == nil {
			t.Errorf("wrong: %v, want %q", o.Wrong, c.want)
		}
	}
}

func TestCheckReportsARefusal(t *testing.T) {
	refusal := errors.New("torn")
	b := Backend{Survives: "power-cut", Open: func(string) (commitlog.Log, error) { return nil, refusal }}
	o := check(b, "log", [writers]ack{{0, 7, 6}})
	if !errors.Is(o.Refused, refusal) || o.Lost != 0 || o.Acknowledged != 7 {
		t.Errorf("%+v", o)
	}
	if err := b.Verdict(o); !errors.Is(err, refusal) {
		t.Errorf("verdict %v", err)
	}
	b.Fragile = true
	if err := b.Verdict(o); err != nil {
		t.Errorf("verdict of a log known to be fragile: %v", err)
	}
}

func TestVerdictIsOfThePromise(t *testing.T) {
	for _, c := range []struct {
		survives        string
		killed, powered bool
	}{{"nothing", false, false}, {"process-crash", true, false}, {"power-cut", true, true}} {
		b := Backend{Survives: c.survives}
		if broken := b.Verdict(Outcome{Lost: 1, Mode: Kill}) != nil; broken != c.killed {
			t.Errorf("%s, killed: broken is %t", c.survives, broken)
		}
		if broken := b.Verdict(Outcome{Lost: 1, Mode: Stopped}) != nil; broken != c.powered {
			t.Errorf("%s, power cut: broken is %t", c.survives, broken)
		}
	}
}
