package results

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// benchName is Log/variant=file/payload=3/goroutines=8-2.
func benchName(t Trial, procs int) string {
	parts := []string{camel(t.Experiment), "variant=" + escapeName(t.Variant)}
	if key := FactorKey(t.Factors); key != "" {
		parts = append(parts, key)
	}
	name := strings.Join(append(parts, "goroutines="+strconv.Itoa(t.Goroutines)), "/")
	if procs > 1 {
		name += "-" + strconv.Itoa(procs)
	}
	return name
}

// checkBenchName refuses the factors that a benchmark name could not tell from
// its own, and an experiment whose name would not come back from it, as one
// that starts with a dash.
func checkBenchName(t Trial) error {
	if back, err := dashed(camel(t.Experiment)); err != nil || back != t.Experiment {
		return fmt.Errorf("experiment %q: its name cannot be written as a benchmark's", t.Experiment)
	}
	for _, name := range []string{"variant", "goroutines"} {
		if _, taken := t.Factors[name]; taken {
			return fmt.Errorf("experiment %s: a factor named %s cannot be told from the %s of the trial", t.Experiment, name, name)
		}
	}
	return nil
}

// parseBenchName is the way back from benchName.
func parseBenchName(name string) (t Trial, procs int, err error) {
	whole := name
	name, procs = splitProcs(name)
	parts := strings.Split(name, "/")
	if t.Experiment, err = dashed(parts[0]); err != nil {
		return t, 0, fmt.Errorf("benchmark %s: %w", whole, err)
	}
	for _, part := range parts[1:] {
		if err := t.takeLevel(part); err != nil {
			return t, 0, fmt.Errorf("benchmark %s: %w", whole, err)
		}
	}
	if t.Variant == "" || t.Goroutines < 1 {
		return t, 0, fmt.Errorf("benchmark %s: no variant= or goroutines= in its name", whole)
	}
	return t, procs, nil
}

// takeLevel reads one name=level of a benchmark name.
func (t *Trial) takeLevel(part string) error {
	key, level, ok := strings.Cut(part, "=")
	if !ok {
		return fmt.Errorf("%q is not name=level", part)
	}
	key, err := url.PathUnescape(key)
	if err != nil {
		return err
	}
	if level, err = url.PathUnescape(level); err != nil {
		return err
	}
	switch key {
	case "variant":
		t.Variant = level
	case "goroutines":
		t.Goroutines, err = strconv.Atoi(level)
	default:
		if t.Factors == nil {
			t.Factors = map[string]string{}
		}
		t.Factors[key] = level
	}
	return err
}

// splitProcs takes the GOMAXPROCS suffix off; without one it is 1.
func splitProcs(name string) (string, int) {
	at := strings.LastIndexByte(name, '-')
	if at < 0 {
		return name, 1
	}
	procs, err := strconv.Atoi(name[at+1:])
	if err != nil || procs < 1 {
		return name, 1
	}
	return name[:at], procs
}

// escapeName writes the bytes that would end or divide a name as %2f. Letters
// of all scripts stay as they are.
func escapeName(name string) string {
	var b strings.Builder
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError || strings.ContainsRune("%/=", r) || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			hex(&b, name[i:i+size])
			continue
		}
		b.WriteString(name[i : i+size])
	}
	return b.String()
}

// hex writes bytes as %2f, in lower case: see dashed.
func hex(b *strings.Builder, text string) {
	for i := range len(text) {
		fmt.Fprintf(b, "%%%02x", text[i])
	}
}

// camel writes thread-pool as ThreadPool: Go's benchmark names start with a
// capital and hold no dash but the one before GOMAXPROCS. What has no way back
// (a dash before a digit, a capital) is escaped.
func camel(name string) string {
	var b strings.Builder
	for i, word := range strings.Split(name, "-") {
		lower := word != "" && 'a' <= word[0] && word[0] <= 'z'
		switch {
		case lower:
			b.WriteByte(word[0] - 'a' + 'A')
			word = word[1:]
		case i > 0:
			hex(&b, "-")
		}
		escapeCapitals(&b, word)
	}
	return b.String()
}

func escapeCapitals(b *strings.Builder, word string) {
	for i, r := range word {
		_, size := utf8.DecodeRuneInString(word[i:])
		if text := word[i : i+size]; unicode.IsUpper(r) || r > unicode.MaxASCII {
			hex(b, text)
		} else {
			b.WriteString(escapeName(text))
		}
	}
}

// dashed is the way back from camel. It lowers capitals before it resolves the
// escapes, whose digits are therefore lower case.
func dashed(name string) (string, error) {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return url.PathUnescape(b.String())
}
