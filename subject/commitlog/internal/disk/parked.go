package disk

// A Parked is a File that is open from its first use until Leave, and again from the next
// one: a log can have more files than a process may have open. One goroutine uses it, and
// its name stays.
type Parked struct {
	dir  Dir
	name string
	file File // nil while it is left
}

// Park returns a file of the directory that is open already.
func Park(dir Dir, name string, file File) *Parked { return &Parked{dir, name, file} }

// Leave closes the file until it is used again.
func (p *Parked) Leave() error {
	file := p.file
	if p.file = nil; file == nil {
		return nil
	}
	return file.Close()
}

// Opened returns the file itself, which is open.
func (p *Parked) Opened() (file File, err error) {
	err = p.use(func(f File) error { file = f; return nil })
	return file, err
}

// use has the file open for one call.
func (p *Parked) use(call func(File) error) (err error) {
	if p.file == nil {
		if p.file, err = p.dir.Open(p.name); err != nil {
			return err
		}
	}
	return call(p.file)
}

func (p *Parked) ReadAt(b []byte, off int64) (n int, err error) {
	err = p.use(func(f File) (err error) { n, err = f.ReadAt(b, off); return err })
	return n, err
}

func (p *Parked) WriteAt(b []byte, off int64) (n int, err error) {
	err = p.use(func(f File) (err error) { n, err = f.WriteAt(b, off); return err })
	return n, err
}

func (p *Parked) Size() (size int64, err error) {
	err = p.use(func(f File) (err error) { size, err = f.Size(); return err })
	return size, err
}

func (p *Parked) Map(size int64) (m *Memory, err error) {
	err = p.use(func(f File) (err error) { m, err = f.Map(size); return err })
	return m, err
}

func (p *Parked) Direct() (d Direct, err error) {
	err = p.use(func(f File) (err error) { d, err = f.Direct(); return err })
	return d, err
}

func (p *Parked) Truncate(size int64) error {
	return p.use(func(f File) error { return f.Truncate(size) })
}

func (p *Parked) Reserve(size int64) error {
	return p.use(func(f File) error { return f.Reserve(size) })
}

func (p *Parked) Sync() error { return p.use(File.Sync) }

// Close is Leave.
func (p *Parked) Close() error { return p.Leave() }
