package crashtest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	kills  = flag.Int("crash.kills", 5, "kill each log `n` times")
	images = flag.Int("crash.images", 6, "take `n` crash images of each log")
	mib    = flag.Int64("crash.mib", 64, "make crash images of `n` MiB")
	seed   = flag.Uint64("crash.seed", uint64(time.Now().UnixNano()), "the `seed` of the times at which logs crash")
	table  = flag.String("crash.table", "", "measure all logs and write the durability table to `file`")
	keep   = flag.String("crash.keep", "", "work, and keep what broke a promise, in `directory` instead of a temporary one")
)

// goleveldb lets go of its memory pool up to a second after Close.
func TestMain(m *testing.M) {
	Divert(controls()...)
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"))
}

func TestKill(t *testing.T) {
	need(t, CanKill())
	for _, b := range append(Backends(), control("control-honest")) {
		if !b.SurvivesKill() {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			outcomes, err := Kills(b, options(t, *kills))
			judge(t, b, outcomes, err)
		})
	}
}

// What an application loses to a power cut without a flush is its own affair,
// but our log never shows what nobody appended.
func TestImages(t *testing.T) {
	need(t, CanImage())
	for _, b := range append(Backends(), control("control-honest")) {
		if !b.SurvivesPowerCut() && !strings.HasPrefix(b.Name, "file") {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			outcomes, err := Images(b, options(t, *images))
			judge(t, b, outcomes, err)
		})
	}
}

// judge fails the test for what was promised not to happen, unless the copy
// itself may be to blame.
func judge(t *testing.T, b Backend, outcomes []Outcome, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	t.Logf("%+v", Count(outcomes))
	for i, o := range outcomes {
		err := b.Verdict(o)
		switch {
		case err == nil && o.Refused != nil && !o.Fuzzy && strings.HasPrefix(b.Name, "file"):
			t.Errorf("crash %d (%s, fsck %t): would not open: %v", i, o.Mode, o.Fsck, o.Refused)
		case err == nil && o.Refused != nil:
			t.Logf("crash %d (%s, fsck %t): would not open, as it may: %v", i, o.Mode, o.Fsck, o.Refused)
		case err != nil && o.Fuzzy:
			t.Logf("crash %d (fsck %t) may have been torn by the copy: %v; kept in %s", i, o.Fsck, err, o.Evidence)
		case err != nil:
			t.Errorf("crash %d (%s, fsck %t): %v; kept in %s", i, o.Mode, o.Fsck, err, o.Evidence)
		case o.Wrong != nil && !o.Fuzzy && strings.HasPrefix(b.Name, "file"):
			t.Errorf("crash %d (%s, fsck %t): %v", i, o.Mode, o.Fsck, o.Wrong)
		}
	}
}

func options(t *testing.T, runs int) Options {
	t.Helper()
	t.Logf("-crash.seed %d", *seed)
	return Options{Runs: runs, Seed: *seed, Dir: *keep, ImageSize: *mib << 20}
}

// A rig that sees no loss where there must be some proves nothing elsewhere.
func TestRigSeesLoss(t *testing.T) {
	for _, c := range []struct {
		control string
		can     func() error
		rig     func(Backend, Options) ([]Outcome, error)
	}{
		{"control-buffered", CanKill, Kills},
		{"control-early", CanImage, Images},
		{"control-unsynced", CanImage, Images},
	} {
		t.Run(c.control, func(t *testing.T) {
			need(t, c.can())
			o := options(t, 60)
			o.Dir = t.TempDir()
			o.Until = func(o Outcome) bool { return o.Lost > 0 }
			outcomes, err := c.rig(control(c.control), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", Count(outcomes))
			if last := outcomes[len(outcomes)-1]; last.Lost == 0 || last.Broken() == nil || last.Evidence == "" {
				t.Errorf("no loss seen in %d crashes", len(outcomes))
			}
		})
	}
}

// TestTable makes the durability table, for which -crash.kills and
// -crash.images say how much to try.
func TestTable(t *testing.T) {
	if *table == "" {
		t.Skip("no -crash.table was given")
	}
	need(t, errors.Join(CanKill(), CanImage()))
	rows, err := Measure(Backends(), options(t, *kills), options(t, *images), func(r Row) {
		fmt.Printf("%s: kills %+v, images %+v\n", r.Backend.Name, r.Kills, r.Images)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Broken != nil {
			t.Error(r.Broken)
		}
	}
	var text strings.Builder
	if err := WriteTable(&text, rows); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + text.String())
	if err := os.WriteFile(*table, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// need skips a test for want of something; with SYNCWRITE_REQUIRE=1 in the
// environment, as in make check, it fails it.
func need(t *testing.T, missing error) {
	t.Helper()
	if missing == nil {
		return
	}
	if os.Getenv("SYNCWRITE_REQUIRE") == "1" {
		t.Fatalf("required: %v", missing)
	}
	t.Skip(missing)
}
