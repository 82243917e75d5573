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

// A Parked is a File of a Parking. What it has no method of its own for is to be asked of the file that Opened returns.
type Parked struct {
	File    // nil while it is closed
	parking *Parking
	name    string
}

// Opened returns the file itself, open, which is the caller's from now on.
func (f *Parked) Opened() (file File, err error) {
	err = f.use(func(opened File) error { file = opened; return nil })
	f.forget()
	return file, err
}

func (f *Parked) forget() {
	if f.File != nil {
		f.File, f.parking.open = nil, nil
	}
}

// use has the file open for one call.
func (f *Parked) use(call func(File) error) (err error) {
	if f.File == nil {
		if err = f.parking.open.Close(); err != nil {
			return err
		}
		if f.File, err = f.parking.dir.Open(f.name); err != nil {
			return err
		}
		f.parking.open = f
	}
	return call(f.File)
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

func (f *Parked) Sync() error { return f.use(File.Sync) }

// Close closes the file until it is used again; without one it does nothing.
func (f *Parked) Close() error {
	if f == nil || f.File == nil {
		return nil
	}
	file := f.File
	f.forget()
	return file.Close()
}
