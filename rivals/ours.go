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
