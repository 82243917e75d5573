package load_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/load"
)

// An error that shows a URL shows no password and no token.
func TestErrorsShowNoPassword(t *testing.T) {
	for _, given := range []string{"http://u:PW@h/", "http://u:P W@h/", "http://u:PW#@h/", "http://u:PW/@h/", "u:PW@h:80/", "http://u:%PW@h/a@b", "//u:PW@h/",
		"https://PW@h/", "https://PW:x@h/", "http://u%3aPW@h/", "u:PW@h/x.json", "http://u:12#PW@h/", "http://u:12/PW@h/", "http://h/PW@b"} {
		if shown := load.ShowURL(given); strings.Contains(shown, "PW") || strings.Contains(shown, "P W") || !strings.Contains(shown, "@") {
			t.Errorf("%s: %s", given, shown)
		}
	}
	if shown := load.ShowURL("http://u:PW%40h/"); shown != "(kept out)%40h/" {
		t.Error(shown)
	}
	for _, given := range []string{"http://h/ab", "http://h:1/", "ftp://h/", "127.0.0.1:80", "shop.json"} {
		if shown := load.ShowURL(given); shown != given {
			t.Errorf("%s: %s", given, shown)
		}
	}
}

// Nor does what is said of a part of it, or of a header.
func TestChecksShowNoSecret(t *testing.T) {
	for _, s := range []load.Scenario{
		{URL: "secret:x@h/"}, {URL: "secret:x%40h/"}, {URL: "http://u:987654/x@h/"}, {URL: "http://u:12#secret@h/"}, {URL: "http://secret@h/"},
		{URL: "http://h/", Header: http.Header{"Host": {"secret/x"}}},
	} {
		if err := s.Check(); err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "987654") {
			t.Errorf("%s: %v", s.URL, err)
		}
	}
}
