package disk

// A Parking opens files of a directory one at a time: a log can have more files than a process
// may have open. One goroutine uses it, and the files keep their names.
type Parking struct {
	dir  Dir
	open *Parked // nil for none
}

// NewParking returns a parking for the files of a directory.
func NewParking(dir Dir) *Parking { return &Parking{dir: dir} }

// Park returns a file that is opened when it is used, and closed when another one is.
func (p *Parking) Park(name string) *Parked { return &Parked{parking: p, name: name} }

// leave closes the file that is open.
func (p *Parking) leave() error {
	if p.open == nil {
		return nil
	}
	return p.open.Close()
}

// A Parked is a File of a Parking.
type Parked struct {
	parking *Parking
	name    string
	file    File // nil while it is closed
}

// Opened returns the file itself, open, which is the caller's from now on.
func (f *Parked) Opened() (file File, err error) {
	err = f.use(func(opened File) error { file = opened; return nil })
	f.forget()
	return file, err
}

func (f *Parked) forget() {
	if f.file != nil {
		f.file, f.parking.open = nil, nil
	}
}

// use has the file open for one call.
func (f *Parked) use(call func(File) error) (err error) {
	if f.file == nil {
		if err = f.parking.leave(); err != nil {
			return err
		}
		if f.file, err = f.parking.dir.Open(f.name); err != nil {
			return err
		}
		f.parking.open = f
	}
	return call(f.file)
}

func (f *Parked) ReadAt(b []byte, off int64) (n int, err error) {
	err = f.use(func(file File) (err error) { n, err = file.ReadAt(b, off); return err })
	return n, err
}

func (f *Parked) WriteAt(b []byte, off int64) (n int, err error) {
	err = f.use(func(file File) (err error) { n, err = file.WriteAt(b, off); return err })
	return n, err
}

func (f *Parked) Size() (size int64, err error) {
	err = f.use(func(file File) (err error) { size, err = file.Size(); return err })
	return size, err
}

func (f *Parked) Map(size int64) (m *Memory, err error) {
	err = f.use(func(file File) (err error) { m, err = file.Map(size); return err })
	return m, err
}

func (f *Parked) Direct() (d Direct, err error) {
	err = f.use(func(file File) (err error) { d, err = file.Direct(); return err })
	return d, err
}

func (f *Parked) Truncate(size int64) error {
	return f.use(func(file File) error { return file.Truncate(size) })
}

func (f *Parked) Reserve(size int64) error {
	return f.use(func(file File) error { return file.Reserve(size) })
}

func (f *Parked) Sync() error { return f.use(File.Sync) }

// Close closes the file until it is used again.
func (f *Parked) Close() error {
	file := f.file
	if file == nil {
		return nil
	}
	f.forget()
	return file.Close()
}
