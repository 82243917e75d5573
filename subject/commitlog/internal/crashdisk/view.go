package crashdisk

import (
	"bytes"
	"errors"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Map makes the file memory, as large as the caller says at once: files here are
// small. What is stored in it is found out, as one edit for each run of bytes
// that changed, when something else is done with the file or the disk: nobody
// can tell in which order a processor's caches and a kernel take stores.
func (f *file) Map(size int64) (*disk.Memory, error) {
	if err := f.announce(Call{Op: Map, Size: int(size)}); err != nil {
		return nil, err
	}
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if size > maxView {
		return nil, f.disk.failed(Map, f.name, errors.ErrUnsupported)
	}
	n := f.node
	n.collect()
	m, err := newView(int(size))
	if err != nil {
		return nil, f.disk.failed(Map, f.name, err)
	}
	copy(m.Bytes(), n.now)
	n.views = append(n.views, m)
	return m, nil
}

// maxView is the largest memory of a file, in bytes.
const maxView = 1 << 20

// storeGap is how many bytes that did not change may lie between two of one
// edit: bytes of a record are often zero.
const storeGap = 16

// collect makes edits of what was stored in views since it was last done. A
// store beyond the end of the file, which would have ended the process, is not
// taken.
func (n *node) collect() {
	for _, view := range n.views {
		b := view.Bytes()
		for at := 0; ; {
			from, to := n.changed(b, at)
			if from == to {
				break
			}
			n.write(b[from:to], from)
			n.refresh(from, to, view)
			at = to
		}
	}
}

// changed finds the first run of bytes from at on in which a view differs from
// the file.
func (n *node) changed(b []byte, at int) (from, to int) {
	end := min(len(b), len(n.now))
	const piece = 256 // the race detector looks at each byte that is compared by itself
	for at+piece <= end && bytes.Equal(b[at:at+piece], n.now[at:at+piece]) {
		at += piece
	}
	for at < end && b[at] == n.now[at] {
		at++
	}
	from, to = at, at
	for ; at < end && at < to+storeGap; at++ {
		if b[at] != n.now[at] {
			to = at + 1
		}
	}
	return from, to
}

// refresh shows the file's bytes from..to in all views but the one that has them: there
// somebody may have stored others meanwhile.
func (n *node) refresh(from, to int, but *disk.Memory) {
	for _, view := range n.views {
		if b := view.Bytes(); view != but && from < len(b) {
			copy(b[from:min(to, len(b))], n.now[min(from, len(n.now)):])
		}
	}
}

// hide puts zeros into the views where the file has no bytes any more.
func (n *node) hide() {
	for _, view := range n.views {
		if b := view.Bytes(); len(n.now) < len(b) {
			clear(b[len(n.now):])
		}
	}
}
