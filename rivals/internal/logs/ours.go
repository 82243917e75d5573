package logs

import "github.com/syncwrite/syncwrite/subject/commitlog"

// Ours is the log this project ships, as OpenFile gives it.
func Ours() []Rival {
	return []Rival{
		{"file", "ours: commitlog.OpenFile", Ordered(ProcessCrash), openOurs(commitlog.FileOptions{}), ScanOurs},
		{"file-durable", "ours: commitlog.OpenFile, Durability Always", Ordered(PowerCut),
			openOurs(commitlog.FileOptions{Durability: commitlog.Always}), ScanOurs},
	}
}

type OurLog struct{ *commitlog.File }

func (l OurLog) Append(value []byte) error {
	_, err := l.File.Append(value)
	return err
}

func (l OurLog) Add(value []byte) (uint64, error) { return l.File.Append(value) }

func (l OurLog) Fetch(index uint64, buf []byte) ([]byte, error) { return valueInto(l.File, index, buf) }

func (l OurLog) Repeat(value []byte, times int) error {
	_, err := l.AppendBatch(Repeated(value, times))
	return err
}

// Repeated is a batch of one value.
func Repeated(value []byte, times int) [][]byte {
	values := make([][]byte, times)
	for i := range values {
		values[i] = value
	}
	return values
}

// valueInto reads an entry into buf.
func valueInto(log *commitlog.File, index uint64, buf []byte) ([]byte, error) {
	entry, err := log.GetInto(index, buf)
	return entry.Value, err
}

func openOurs(options commitlog.FileOptions) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		log, err := commitlog.OpenFile(Within(dir), options)
		return OurLog{log}, err
	}
}

func ScanOurs(dir string, each func([]byte) error) error {
	log, err := commitlog.OpenFile(Within(dir), commitlog.FileOptions{})
	if err != nil {
		return err
	}
	defer log.Close()
	for entry, err := range log.Entries(0) {
		if err != nil {
			return err
		}
		if err := each(entry.Value); err != nil {
			return err
		}
	}
	return nil
}
