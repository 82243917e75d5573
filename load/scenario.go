package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Scenario is what users ask of a server.
type Scenario struct {
	URL       string      // http or https, where the requests go
	Mix       []Weighted  // kinds of requests and how often each is; empty: GET alone
	FirstUser int         // number of the first user, which {{user}} stands for: of those of other processes there may be some before it
	Body      string      // of requests that have one; {{user}}, {{n}} and {{run}} stand for the user's number, that of its request, and the trial's
	Header    http.Header // of every request
	Wait      Wait        // between an answer and the user's next request
	Timeout   time.Duration
	Insecure  bool // certificates are not looked at
	NetHTTP   bool // asks with net/http

	// Serve, if set, starts the server that a trial asks, before its window. URL then
	// names path and scheme alone.
	Serve func(ctx context.Context) (Server, error)

	processors []int // that this process is held to while it asks; empty: any
}

// Weighted is a kind of request, and how often it is beside the others.
type Weighted struct {
	Method string
	Weight int
	Path   string // and query; empty: the URL's own. It has places as the body has
	Body   string // empty: the scenario's
}

// A Wait is how long a user rests, drawn evenly between two bounds.
type Wait struct{ From, To time.Duration }

// DefaultTimeout is how long a request may take.
const DefaultTimeout = 10 * time.Second

// mostTimeout is the longest one, and the longest rest: what is reckoned from it still is a
// length of time.
const mostTimeout = 24 * time.Hour

// methods are those that requests can have.
func methods() []string {
	return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead}
}

func unknownMethod(name string) error {
	return fmt.Errorf("%q is no method: one of %s", name, strings.ToLower(strings.Join(methods(), ", ")))
}

// mostWeight is how often a kind of request can be beside the others.
const mostWeight = 1000

// ParseMix reads "get=3,post=1".
func ParseMix(text string) (mix []Weighted, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(part, "=")
		method := strings.ToUpper(strings.TrimSpace(name))
		if !slices.Contains(methods(), method) {
			return nil, unknownMethod(name)
		}
		if slices.ContainsFunc(mix, func(w Weighted) bool { return w.Method == method }) {
			return nil, fmt.Errorf("%s stands twice", strings.ToLower(method))
		}
		weight, err := strconv.Atoi(number)
		if err != nil || weight < 1 || weight > mostWeight {
			return nil, fmt.Errorf("%q: a weight is a number from 1 to %d", part, mostWeight)
		}
		mix = append(mix, Weighted{Method: method, Weight: weight})
	}
	return mix, nil
}

// ParseWait reads "1s" or "1s-2s".
func ParseWait(text string) (w Wait, err error) {
	from, to, two := strings.Cut(text, "-")
	if w.From, err = time.ParseDuration(from); err == nil && two {
		w.To, err = time.ParseDuration(to)
	} else {
		w.To = w.From
	}
	switch {
	case err != nil:
		return w, fmt.Errorf("%q is no length of time, such as 1s or 1s-2s", text)
	case w.From < 0 || w.To < w.From:
		return w, fmt.Errorf("%q: from 0 on, the shorter one first", text)
	case w.To > mostTimeout:
		return w, fmt.Errorf("%q: at most %v", text, mostTimeout)
	}
	return w, nil
}

var errCredentials = errors.New("a name and password in a URL are not sent: use a header")

// Check says what is wrong with a scenario.
func (s Scenario) Check() error {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("scheme %s: http or https", s.shown(strconv.Quote(u.Scheme)))
	case u.Host == "" || u.Hostname() == "":
		return errors.New("the URL names no host")
	case u.User != nil || strings.Contains(u.Fragment, "@"): // a password can have a #
		return errCredentials
	case strings.ContainsFunc(u.RequestURI(), unsent):
		return errors.New(unsentText)
	case s.Timeout < 0:
		return fmt.Errorf("timeout %v: more than 0", s.Timeout)
	case s.Timeout > mostTimeout:
		return fmt.Errorf("timeout %v: at most %v", s.Timeout, mostTimeout)
	}
	if err := errors.Join(s.checkPort(u), checkHeader(s.Header)); err != nil {
		return err
	}
	for _, w := range s.Mix {
		switch {
		case w.Path != "" && w.Path[0] != '/':
			return fmt.Errorf("path %q: it begins with /", w.Path)
		case strings.ContainsFunc(w.Path, unsent):
			return fmt.Errorf("path %q: %s", w.Path, unsentText)
		case w.Path != "":
			if _, err := url.ParseRequestURI(w.Path); err != nil {
				return fmt.Errorf("path: %w", err)
			}
		}
	}
	return nil
}

// checkPort says that there is no such port.
func (s Scenario) checkPort(u *url.URL) error {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fmt.Errorf("port %s: from 1 to 65535", s.shown(port))
		}
	}
	return nil
}

// unsent reports whether a character can stand in no request's first line.
func unsent(r rune) bool { return r <= ' ' || r >= 0x7f || r == '#' }

const unsentText = "a space, a control character, a # or a letter beyond ASCII in it: write it as %20"

// withDefaults fills in what was left out.
func (s Scenario) withDefaults() Scenario {
	if len(s.Mix) == 0 {
		s.Mix = []Weighted{{Method: http.MethodGet, Weight: 1}}
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	return s
}

// kinds name the kinds of requests: method and path, as they are written. The URL's query
// stands there where another kind has its path.
func (s Scenario) kinds() []string {
	path, _, _ := strings.Cut(s.written(), "?")
	if slices.ContainsFunc(s.Mix, func(w Weighted) bool { return w.Path == path }) {
		path = s.written()
	}
	var names []string
	for _, w := range s.Mix {
		names = append(names, w.Method+" "+cmp.Or(w.Path, path))
	}
	return names
}

// HasBody reports whether requests of the method carry the body.
func HasBody(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}
