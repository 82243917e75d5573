package commitlog

import "github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"

// mostManifest is more bytes than the manifest has of a log in a directory of any size.
const mostManifest = 1 << 30

// readManifest returns the manifest of the log in dir, or the reason why it
// cannot be trusted. It fails with fs.ErrNotExist if there is none.
func readManifest(dir disk.Dir) (m manifest, reason string, err error) {
	file, err := dir.Open(manifestName)
	if err != nil {
		return manifest{}, "", err
	}
	size, err := file.Size()
	b, n := make([]byte, min(size, mostManifest)), 0
	if err == nil {
		n, err = file.ReadAt(b, 0)
	}
	if err = both(unlessEnd(err), file.Close()); err != nil {
		return manifest{}, "", err
	}
	if err := otherFormat(b[:n], manifestMark); err != nil {
		return manifest{}, "", err
	}
	m, reason = parseManifest(b[:n])
	return m, reason, nil
}

// writeManifest replaces the manifest as one step, and safely: a power cut
// leaves the old one or the new one.
func writeManifest(dir disk.Dir, m manifest) error {
	file, err := createAnew(dir, newManifestName)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(m.bytes(), 0)
	if err == nil {
		err = flush(file)
	}
	if err = both(err, file.Close()); err != nil {
		return err
	}
	switch err := dir.Rename(newManifestName, manifestName); {
	case isFull(err):
		return err
	case err != nil:
		return &flushError{err} // it may have been done all the same
	}
	return flush(dir)
}
