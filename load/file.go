package load

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A scenarioFile is a scenario as a file has it.
type scenarioFile struct {
	URL      string            `json:"url"`
	Header   map[string]fields `json:"header"`
	Wait     string            `json:"wait"`
	Timeout  string            `json:"timeout,omitempty"`
	Insecure bool              `json:"insecure"`
	Requests []requestInFile   `json:"requests"`
}

type requestInFile struct {
	Method string          `json:"method"`
	Path   string          `json:"path,omitempty"`
	Weight *int            `json:"weight"`
	Body   json.RawMessage `json:"body,omitempty"`        // a string, or any other value as it stands
	Base64 []byte          `json:"body_base64,omitempty"` // in place of a body that is no text
}

// fields are those of one name in a header: one is written as a string.
type fields []string

func (f *fields) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(f))
	}
	var one string
	err := json.Unmarshal(text, &one)
	*f = fields{one}
	return err
}

func (f fields) MarshalJSON() ([]byte, error) {
	if len(f) == 1 {
		return json.Marshal(f[0])
	}
	return json.Marshal([]string(f))
}

// ReadScenario reads a scenario in JSON: url, header, wait, timeout, insecure, and requests
// of a method (GET), a path (that of the URL), a weight (1) and a body each. What it does
// not know is an error.
func ReadScenario(r io.Reader) (s Scenario, err error) {
	var f scenarioFile
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return s, fmt.Errorf("no scenario in JSON: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return s, errors.New("no scenario in JSON: something stands behind it")
	}
	s = Scenario{URL: f.URL, Insecure: f.Insecure, Header: http.Header{}}
	for name, values := range f.Header {
		if len(s.Header.Values(name)) > 0 {
			return s, fmt.Errorf("header %s stands twice", http.CanonicalHeaderKey(name))
		}
		for _, value := range values {
			s.Header.Add(name, strings.TrimSpace(value))
		}
	}
	if s.Wait, err = ParseWait(cmp.Or(f.Wait, "0s")); err != nil {
		return s, fmt.Errorf("wait: %w", err)
	}
	if f.Timeout != "" {
		if s.Timeout, err = time.ParseDuration(f.Timeout); err != nil || s.Timeout <= 0 {
			return s, fmt.Errorf("timeout %q: a length of time, more than 0", f.Timeout)
		}
	}
	for i, request := range f.Requests {
		w, err := request.weighted()
		if err != nil {
			return s, fmt.Errorf("request %d: %w", i+1, err)
		}
		if slices.ContainsFunc(s.Mix, func(o Weighted) bool { return o.Method == w.Method && s.target(o) == s.target(w) }) {
			return s, fmt.Errorf("request %d: %s %s stands twice", i+1, w.Method, s.named(w))
		}
		s.Mix = append(s.Mix, w)
	}
	return s, s.Check()
}

func (r requestInFile) weighted() (w Weighted, err error) {
	w = Weighted{Method: strings.ToUpper(cmp.Or(r.Method, http.MethodGet)), Weight: 1, Path: r.Path}
	if r.Weight != nil {
		w.Weight = *r.Weight
	}
	switch {
	case !slices.Contains(methods(), w.Method):
		return w, unknownMethod(r.Method)
	case w.Weight < 1 || w.Weight > mostWeight:
		return w, fmt.Errorf("weight %d: from 1 to %d", w.Weight, mostWeight)
	case len(r.Body) > 0 && len(r.Base64) > 0:
		return w, errors.New("body and body_base64: one or the other")
	case len(r.Body)+len(r.Base64) > 0 && !HasBody(w.Method):
		return w, fmt.Errorf("a %s has no body", w.Method)
	}
	if len(r.Body) == 0 {
		w.Body = string(r.Base64)
		return w, nil
	}
	if r.Body[0] == '"' {
		return w, json.Unmarshal(r.Body, &w.Body)
	}
	var text bytes.Buffer
	err = json.Compact(&text, r.Body)
	w.Body = text.String()
	return w, err
}

// WriteScenario writes what ReadScenario reads: what is asked is the same. JSON holds no header that is not UTF-8.
func WriteScenario(w io.Writer, s Scenario) error {
	f := scenarioFile{URL: s.URL, Header: map[string]fields{}, Wait: s.Wait.String(), Insecure: s.Insecure}
	for name, values := range s.Header {
		if slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }) {
			return fmt.Errorf("header %s: a value that is not UTF-8", name)
		}
		f.Header[name] = values
	}
	if s.Timeout > 0 {
		f.Timeout = s.Timeout.String()
	}
	for _, m := range s.Mix {
		request := requestInFile{Method: m.Method, Path: m.Path, Weight: &m.Weight}
		if HasBody(m.Method) {
			if err := request.put(cmp.Or(m.Body, s.Body)); err != nil {
				return err
			}
		}
		f.Requests = append(f.Requests, request)
	}
	return json.NewEncoder(w).Encode(f)
}

// put is what weighted reads of a body.
func (r *requestInFile) put(body string) (err error) {
	if utf8.ValidString(body) {
		r.Body, err = json.Marshal(body)
		return err
	}
	r.Base64 = []byte(body)
	return nil
}
