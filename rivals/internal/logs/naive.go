package logs

import "github.com/syncwrite/syncwrite/subject/commitlog/naive"

// naiveRivals is what one writes without a library: a lock, a slice, a line of
// JSON an entry. It has no way to flush, hence no durable rival.
func naiveRivals() []Rival {
	return []Rival{{"naive-file", "a lock, a slice and one JSON line written per append", Ordered(ProcessCrash), openNaive, scanNaive}}
}

func openNaive(dir string, _ int) (Appender, error) {
	log := new(naive.FileLog)
	return log, log.Open(Within(dir))
}

func scanNaive(dir string, each func([]byte) error) error {
	log := new(naive.FileLog)
	if err := log.Open(Within(dir)); err != nil {
		return err
	}
	defer log.Close()
	for index := 0; ; index++ {
		entry, err := log.Get(index)
		if err != nil { // there is no other error than the end
			return nil
		}
		if err := each(entry.Value); err != nil {
			return err
		}
	}
}
