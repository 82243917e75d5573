package load

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// asked is what a scenario asks, by name, as results keep it: what two runs must have alike
// to be compared. Headers and bodies can hold what nobody is to read, and are told apart by
// a hash.
func (s Scenario) asked(client string) map[string]string {
	var mix, bodies []string
	for _, w := range s.Mix {
		mix = append(mix, fmt.Sprintf("%s %s ×%d", w.Method, s.target(w), w.Weight))
		if HasBody(w.Method) {
			bodies = append(bodies, cmp.Or(w.Body, s.Body))
		}
	}
	var headers []string
	for _, name := range slices.Sorted(maps.Keys(s.Header)) {
		headers = append(headers, name+": "+strings.Join(s.Header[name], "\n"))
	}
	all := map[string]string{
		"URL": s.URL, "requests": strings.Join(mix, ", "), "wait": s.Wait.String(), "timeout": s.Timeout.String(), "client": client,
	}
	for name, texts := range map[string][]string{"bodies": bodies, "headers": headers} {
		if len(texts) > 0 {
			all[name] = hashed(texts)
		}
	}
	if s.Insecure {
		all["certificates"] = "not looked at"
	}
	return all
}

// hashed is a text by which lists can be told apart.
func hashed(texts []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", texts))
	return fmt.Sprintf("sha256 %x", sum[:8])
}

// String is what ParseWait reads.
func (w Wait) String() string {
	if w.To <= w.From {
		return w.From.String()
	}
	return w.From.String() + "-" + w.To.String()
}
