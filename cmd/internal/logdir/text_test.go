package logdir

import (
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// Files of which nobody can tell how many entries they held are named.
func TestVerdictNamesWhatCannotBeTold(t *testing.T) {
	for _, c := range []struct {
		v    commitlog.Verification
		want string
	}{
		{commitlog.Verification{Next: 74, Untold: []string{"log/1.segment"}},
			"74 entries, 0 to 73: all of 1.segment is lost: how many entries that held cannot be told. The log does not open as it is."},
		{commitlog.Verification{Next: 76, Lost: 2, Untold: []string{"log/1.segment", "log/2.segment", "log/3.segment"}},
			"76 entries, 0 to 75: 2 entries are lost, and so is all of 1.segment and 2 files behind it: how many entries that held cannot be told. The log does not open as it is."},
		{commitlog.Verification{Next: 74, Opens: true, Damage: []*commitlog.CorruptError{{Path: "log/0.segment"}}},
			"74 entries, 0 to 73: all of them can be read; the damage is in what the log notes about them. The log opens nevertheless."},
	} {
		if got := verdict(&c.v)[0]; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
