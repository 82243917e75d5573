package load

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/syncwrite/syncwrite/internal/hosts"
)

// written is what the scenario's URL asks for, path and query, as it is written there.
// What net/url makes of a path that it would write in another way has lost which of its
// slashes were %2F.
func (s Scenario) written() string {
	_, rest, _ := strings.Cut(s.URL, "://") // Check has
	rest, _, _ = strings.Cut(rest, "#")
	at := strings.IndexAny(rest, "/?")
	switch {
	case at < 0:
		return "/"
	case rest[at] == '?':
		return "/" + rest[at:]
	}
	return rest[at:]
}

// named is the path and query of a kind of request, as it is written.
func (s Scenario) named(w Weighted) string {
	if w.Path != "" {
		return w.Path
	}
	return s.written()
}

// target is what a kind of request asks for, as it is sent: characters that can stand in no
// path are encoded, and nothing else is changed. The clients send it as it is.
func (s Scenario) target(w Weighted) string {
	path, query, asks := strings.Cut(s.named(w), "?")
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if place := placeAt(path[i:]); place != "" {
			b.WriteString(place)
			i += len(place) - 1
		} else if inPath(path[i]) {
			b.WriteByte(path[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", path[i])
		}
	}
	if asks {
		b.WriteString("?" + query)
	}
	return b.String()
}

// placeAt is the place that a text begins with, if it does.
func placeAt(text string) string {
	for _, place := range places() {
		if strings.HasPrefix(text, place) {
			return place
		}
	}
	return ""
}

// inPath reports whether a character stands for itself in a path, or begins one that is
// encoded (RFC 3986, 3.3; and brackets, which net/url leaves, too).
func inPath(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~!$&'()*+,;=:@/%[]", c) >= 0
}

// here reports whether the server is on this machine.
func (s Scenario) here() bool {
	u, _ := url.Parse(s.URL) // Check has
	return s.Serve != nil || hosts.Here(u.Hostname())
}
