package logdir

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A verificationJSON is what --json prints (docs/formats.md).
type verificationJSON struct {
	Record    string        `json:"record"`
	Directory string        `json:"directory"`
	Outcome   outcome       `json:"outcome"`
	First     uint64        `json:"first"`
	Next      uint64        `json:"next"`
	Entries   uint64        `json:"entries"`
	Lost      uint64        `json:"lost"`
	Opens     bool          `json:"opens"`
	Tail      tailJSON      `json:"tail"`
	Segments  []segmentJSON `json:"segments"`
	Untold    []string      `json:"untold"`
	Damage    []damageJSON  `json:"damage"`
}

type tailJSON struct {
	Bytes   int64  `json:"bytes"`
	Entries uint64 `json:"entries"`
}

type segmentJSON struct {
	File    string `json:"file"`
	First   uint64 `json:"first"`
	Entries uint64 `json:"entries"`
	Bytes   int64  `json:"bytes"`
	Sealed  bool   `json:"sealed"`
	Lost    uint64 `json:"lost"`
}

type damageJSON struct {
	File   string `json:"file"`
	Entry  uint64 `json:"entry"`
	Offset *int64 `json:"offset"` // null: of no byte in particular
	Reason string `json:"reason"`
}

func writeVerificationJSON(w io.Writer, dir string, v *commitlog.Verification) error {
	out := verificationJSON{
		Record: "verification", Directory: dir, Outcome: outcomeOf(v),
		First: v.First, Next: v.Next, Entries: v.Next - v.First, Lost: v.Lost, Opens: v.Opens,
		Tail:     tailJSON{v.Tail.CutBytes, v.Tail.CutEntries},
		Segments: []segmentJSON{}, Untold: []string{}, Damage: []damageJSON{},
	}
	for _, path := range v.Untold {
		out.Untold = append(out.Untold, filepath.Base(path))
	}
	for _, s := range v.Segments {
		out.Segments = append(out.Segments, segmentJSON{filepath.Base(s.Path), s.First, s.Entries, s.Bytes, s.Sealed, s.Lost})
	}
	for _, d := range inOrder(v.Damage) {
		one := damageJSON{File: filepath.Base(d.Path), Entry: d.Index, Reason: d.Reason}
		if d.Offset >= 0 {
			one.Offset = &d.Offset
		}
		out.Damage = append(out.Damage, one)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(out)
}
