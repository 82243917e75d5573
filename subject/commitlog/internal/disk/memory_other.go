//go:build !linux

package disk

// Populate does nothing: Linux alone is asked.
func (m *Memory) Populate(from, to int64) {}

func (m *Memory) large(int64) {}

func (m *Memory) want(from, to int64) {}

// Random does nothing: Linux alone is asked.
func (m *Memory) Random() {}

// Release does nothing: Linux alone is asked.
func (m *Memory) Release(from, to int64) {}

// Forget does nothing: Linux alone is asked.
func (m *Memory) Forget(from, to int64) {}
