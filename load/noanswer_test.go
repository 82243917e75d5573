package load_test

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/load"
)

// What looks like an answer and is none of HTTP fails, whichever client has asked.
func TestWhatIsNoAnswer(t *testing.T) {
	clients(t, func(t *testing.T, s load.Scenario) {
		for name, text := range map[string]string{
			"a status of nothing": "HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\nok",
			"a status below 100":  "HTTP/1.1 050 Low\r\nContent-Length: 2\r\n\r\nok",
			"unlike lengths":      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 2\r\n\r\nok",
		} {
			s.URL, s.Timeout = raw(t, func(int, int, string) string { return text }), 5*time.Second
			if _, failure := ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond}); failure != "no request succeeded: no HTTP answer" {
				t.Errorf("%s: %q", name, failure)
			}
		}
		s.URL = raw(t, func(int, int, string) string {
			return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"
		})
		if trial, failure := ask(t, s, 1, harness.Config{Window: 50 * time.Millisecond}); failure != "" || trial.Failed > 0 {
			t.Errorf("one length twice: %s: %v", failure, trial.Kinds)
		}
	})
}
