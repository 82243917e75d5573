package crashdisk

import "slices"

// Bytes returns a copy of the bytes that reads of the file see, and nil if no
// file has that name.
func (d *Disk) Bytes(name string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(name)
	if found == nil {
		return nil
	}
	found.collect()
	return append([]byte{}, found.now...)
}

// SetBytes puts the bytes into the file as if they had always been there,
// durable and with nothing pending: bytes that rotted, or the start of a test.
// A file that there is none of is made, and then all names are durable.
func (d *Disk) SetBytes(name string, data []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.now.find(name)
	if found == nil {
		found = d.create(name)
		d.base, d.changes = d.now, nil
	}
	data = slices.Clip(slices.Clone(data))
	found.base, found.now, found.shared, found.edits = data, data, len(data), nil
	found.refresh(0, len(data), nil)
	found.hide()
}
