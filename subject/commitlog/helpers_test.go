package commitlog

import "testing"

func mustAppend(t testing.TB, log Log, values ...string) {
	t.Helper()
	for _, value := range values {
		if _, err := log.Append([]byte(value)); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns all values of a log.
func contents(t testing.TB, log interface {
	Log
	Next() uint64
}) []string {
	t.Helper()
	var values []string
	for index := range log.Next() {
		entry, err := log.Get(index)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, string(entry.Value))
	}
	return values
}
