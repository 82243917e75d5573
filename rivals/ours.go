package main

import "github.com/syncwrite/syncwrite/subject/commitlog"

// ours is the log this project ships, as OpenFile gives it.
func ours() []rival {
	return []rival{
		{"file", "ours: commitlog.OpenFile", ordered(processCrash), openOurs(commitlog.FileOptions{}), scanOurs},
		{"file-durable", "ours: commitlog.OpenFile, Durability Always", ordered(powerCut),
			openOurs(commitlog.FileOptions{Durability: commitlog.Always}), scanOurs},
	}
}

type ourLog struct{ *commitlog.File }

func (l ourLog) Append(value []byte) error {
	_, err := l.File.Append(value)
	return err
}

func (l ourLog) Add(value []byte) (uint64, error) { return l.File.Append(value) }

func (l ourLog) Fetch(index uint64, buf []byte) ([]byte, error) { return valueInto(l.File, index, buf) }

func (l ourLog) Repeat(value []byte, times int) error {
	_, err := l.AppendBatch(repeated(value, times))
	return err
}

// repeated is a batch of one value.
func repeated(value []byte, times int) [][]byte {
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

func openOurs(options commitlog.FileOptions) func(string, int) (appender, error) {
	return func(dir string, _ int) (appender, error) {
		log, err := commitlog.OpenFile(within(dir), options)
		return ourLog{log}, err
	}
}

func scanOurs(dir string, each func([]byte) error) error {
	log, err := commitlog.OpenFile(within(dir), commitlog.FileOptions{})
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
