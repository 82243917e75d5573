package logdir

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A file of which nobody can tell how many entries it held is named, also one that is no longer among the log's segments.
func TestVerdictNamesWhatCannotBeTold(t *testing.T) {
	headless := func(path string) []*commitlog.CorruptError {
		return []*commitlog.CorruptError{{Path: path, Index: 74, Reason: "not a segment header"}}
	}
	first := commitlog.SegmentInfo{Path: "log/0.segment", Entries: 74}
	for _, c := range []struct {
		v    commitlog.Verification
		want string
	}{
		{commitlog.Verification{Next: 74, Segments: []commitlog.SegmentInfo{first}, Damage: headless("log/1.segment")},
			"all of 1.segment is lost: how many entries that held cannot be told."},
		{commitlog.Verification{Next: 74, Segments: []commitlog.SegmentInfo{first, {Path: "log/1.segment", First: 74}}, Damage: headless("log/1.segment")},
			"all of 1.segment is lost: how many entries that held cannot be told."},
		{commitlog.Verification{Next: 76, Lost: 2, Segments: []commitlog.SegmentInfo{first}, Damage: headless("log/1.segment")},
			"2 entries are lost, and so is all of 1.segment:"},
		{commitlog.Verification{Next: 74, Segments: []commitlog.SegmentInfo{first}, Damage: headless("log/0.segment")},
			"all of them can be read;"},
		{commitlog.Verification{Next: 74, Segments: []commitlog.SegmentInfo{first}, Damage: []*commitlog.CorruptError{{Path: "log/manifest", Offset: -1}}},
			"all of them can be read;"},
	} {
		if got := verdict(&c.v)[0]; !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
