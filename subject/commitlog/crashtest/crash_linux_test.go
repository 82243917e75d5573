package crashtest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

var (
	kills  = flag.Int("crash.kills", 5, "kills of each log")
	images = flag.Int("crash.images", 6, "crash images of each log")
	table  = flag.String("crash.table", "", "write the durability table to this file")
)

func TestMain(m *testing.M) {
	Main(append(Backends(), controls()...))
	flag.Parse()
	// goleveldb ends this one a while after Close has returned.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"))
}

// controls are logs that promise what they do not keep.
func controls() []Backend {
	return []Backend{
		{Name: "file that acknowledges before its flush", Survives: "power-cut", Open: file(commitlog.None)},
		{Name: "file that acknowledges before it writes", Survives: "process-crash", Open: func(path string) (Log, error) {
			log, err := openFile(path, commitlog.None)
			return &forgetful{Log: log}, err
		}},
	}
}

// forgetful keeps the last entries in the process.
type forgetful struct {
	commitlog.Log
	mu   sync.Mutex
	next uint64
	held [][]byte
}

func (f *forgetful) Append(value []byte) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held, f.next = append(f.held, value), f.next+1
	if len(f.held) < 50 {
		return f.next - 1, nil
	}
	for _, value := range f.held {
		if _, err := f.Log.Append(value); err != nil {
			return 0, err
		}
	}
	f.held = nil
	return f.next - 1, nil
}

func seeded(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d; the times are real, so that it repeats only the plan", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// keeper judges outcomes and keeps what a failed one left.
type keeper struct {
	*testing.T
	n, fsck int
	total   Outcome
	lossy   int
}

func (k *keeper) add(o Outcome) {
	k.n++
	k.total.Acknowledged += o.Acknowledged
	k.total.Kept += o.Kept
	k.total.Lost += o.Lost
	if o.Lost > 0 {
		k.lossy++
	}
	if o.Fsck {
		k.fsck++
	}
}

// judge fails the test for what may not be, and says whether to keep it.
func (k *keeper) judge(o Outcome, path string, mayLose bool) bool {
	k.add(o)
	if o.NotOpened == nil && o.Wrong == nil && (o.Lost == 0 || mayLose) {
		return false
	}
	k.Errorf("%s: of %d acknowledged %d are lost; opening: %v; wrong: %v", path, o.Acknowledged, o.Lost, o.NotOpened, o.Wrong)
	return true
}

func (k *keeper) summary() {
	k.Logf("%d crashes, %d acknowledged entries, %d kept, %d lost in %d crashes, fsck needed %d times",
		k.n, k.total.Acknowledged, k.total.Kept, k.total.Lost, k.lossy, k.fsck)
}

// workDir is a test's directory, which stays if the test fails.
func workDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "crashtest")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what is left is in %s", dir)
		} else if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestKill(t *testing.T) {
	for number, b := range Backends() {
		if b.Survives == "nothing" {
			continue
		}
		t.Run(b.Name+" "+b.Level, func(t *testing.T) {
			k := keeper{T: t}
			err := Kills(Backends(), number, *kills, workDir(t), seeded(t), func(o Outcome, path string) bool {
				return k.judge(o, path, false)
			})
			if err != nil {
				t.Error(err)
			}
			k.summary()
		})
	}
}

func TestImages(t *testing.T) {
	needImages(t)
	for number, b := range Backends() {
		if b.Survives != "power-cut" && b.Name != "file" {
			continue
		}
		t.Run(b.Name+" "+b.Level, func(t *testing.T) {
			k := keeper{T: t}
			err := Images(Backends(), number, *images, workDir(t), seeded(t), func(o Outcome, path string) bool {
				return k.judge(o, path, b.Survives != "power-cut")
			})
			if err != nil {
				t.Error(err)
			}
			k.summary()
		})
	}
}

// needImages skips where no file system can be made and mounted.
func needImages(t *testing.T) {
	t.Helper()
	reason := ""
	if os.Getuid() != 0 {
		reason = "mounting a file system needs root"
	}
	for _, tool := range []string{"mkfs.ext4", "mount", "umount", "e2fsck"} {
		if _, err := exec.LookPath(tool); err != nil {
			reason = err.Error()
		}
	}
	if reason != "" && os.Getenv("SYNCWRITE_REQUIRE") == "1" {
		t.Fatal("required: " + reason)
	}
	if reason != "" {
		t.Skip(reason)
	}
}

// The rig sees the loss of logs that promise what they do not keep.
func TestRigSeesLoss(t *testing.T) {
	all := append(Backends(), controls()...)
	for i, crash := range []func([]Backend, int, int, string, *rand.Rand, func(Outcome, string) bool) error{Images, Kills} {
		number := len(Backends()) + i
		t.Run(all[number].Name, func(t *testing.T) {
			if i == 0 {
				needImages(t)
			}
			lost := uint64(0)
			for range 20 {
				err := crash(all, number, 1, workDir(t), seeded(t), func(o Outcome, _ string) bool {
					lost += o.Lost
					return false
				})
				if err != nil {
					t.Fatal(err)
				}
				if lost > 0 {
					return
				}
			}
			t.Error("nothing was seen to be lost")
		})
	}
}

// TestTable measures what every log loses, and holds each to its promise.
func TestTable(t *testing.T) {
	if *table == "" {
		t.Skip("no -crash.table")
	}
	needImages(t)
	rows, err := Measure(*kills, *images, workDir(t), seeded(t), func(done string) { fmt.Println(time.Now().Format(time.TimeOnly), done) })
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !r.Kept() {
			t.Errorf("%s, %s does not keep what it promises: %+v %+v", r.Name, r.Level, r.Kills, r.Images)
		}
	}
	if err := os.WriteFile(*table, []byte(Markdown(rows)), 0o644); err != nil {
		t.Fatal(err)
	}
}
