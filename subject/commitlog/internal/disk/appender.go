package disk

// An Appender writes to a file from its start on, as an io.Writer.
type Appender struct {
	File File
	at   int64
}

func (a *Appender) Write(p []byte) (int, error) {
	n, err := a.File.WriteAt(p, a.at)
	a.at += int64(n)
	return n, err
}
