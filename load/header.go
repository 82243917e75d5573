package load

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// errValue does not show the value: it can be a secret.
var errValue = errors.New("a value that no header can have")

// ParseHeader reads "Name: value". An error shows no value.
func ParseHeader(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok || !httpguts.ValidHeaderFieldName(name):
		return "", "", errors.New("not NAME: VALUE")
	case !httpguts.ValidHeaderFieldValue(value):
		return "", "", fmt.Errorf("%s: %w", name, errValue)
	}
	return name, value, nil
}

// checkHeader says which field no request can have, or which the clients would not send as
// it is. An error shows no value.
func checkHeader(header http.Header) error {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if err := checkField(name, header[name]); err != nil {
			return fmt.Errorf("header %q: %w", name, err)
		}
	}
	return nil
}

func checkField(name string, values []string) error {
	if !httpguts.ValidHeaderFieldName(name) {
		return errors.New("no name of a header")
	}
	for _, value := range values {
		if !httpguts.ValidHeaderFieldValue(value) {
			return errValue
		}
	}
	switch http.CanonicalHeaderKey(name) {
	case "Content-Length", "Transfer-Encoding", "Trailer":
		return errors.New("the client makes it from the body")
	case "Host":
		if len(values) > 0 && (values[0] == "" || !httpguts.ValidHostHeader(values[0])) {
			return errors.New("a value that is no host")
		}
	}
	if single(name) && len(values) > 1 {
		return errors.New("it can stand once only")
	}
	return nil
}

// single reports whether a field can stand once only. Those are the ones that clients have by
// themselves.
func single(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Host", "User-Agent", "Content-Type":
		return true
	}
	return false
}
