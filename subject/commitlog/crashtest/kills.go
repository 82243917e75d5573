//go:build linux

package crashtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Kills starts a child for each of n kills, on a new log below dir, and kills
// it 1 to 40 ms after its first acknowledgement. What it finds goes to visit,
// whose return value says whether to keep the log.
func Kills(backends []Backend, number, n int, dir string, r *rand.Rand, visit func(Outcome, string) bool) error {
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("log-%d-%d", number, i))
		c, err := startChild(number, path, filepath.Join(dir, "acks"), "hurried")
		if err != nil {
			return err
		}
		time.Sleep(time.Millisecond + time.Duration(r.Int64N(int64(39*time.Millisecond))))
		told, err := c.kill()
		if err != nil {
			return err
		}
		keep := visit(examine(backends[number], path, told), path)
		if err := c.acks.close(); err != nil {
			return err
		}
		if !keep {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}
