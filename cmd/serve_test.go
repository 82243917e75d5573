package cmd

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/albums"
)

// A noted writer tells the first line.
type noted struct {
	mu   sync.Mutex
	text bytes.Buffer
	line chan string
}

func (n *noted) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text.Write(p)
	if strings.Contains(n.text.String(), "Ctrl-C") {
		select {
		case n.line <- n.text.String():
		default:
		}
	}
	return len(p), nil
}

// What is under way when the server is stopped is answered, and counted.
func TestServeAnswersWhatIsUnderWay(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out := &noted{line: make(chan string, 1)}
	entered, leave := make(chan struct{}), make(chan struct{})
	service := albums.NewCounted(albums.NewSnapshot(albums.Options{}))
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/albums" {
			close(entered)
			<-leave
		}
		service.ServeHTTP(w, r)
	})
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, out, "albums", "127.0.0.1:0", slow) }()
	address := regexp.MustCompile(`http://[\d.:]+`).FindString(<-out.line)
	answers := make(chan string, 1)
	go func() { answers <- get(t, address+"/albums") }()
	<-entered
	stop()
	time.Sleep(10 * time.Millisecond) // whatever stops at once has done so
	close(leave)
	if text := <-answers; text != "200 []" {
		t.Errorf("answered %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := service.Answered(200); n != 1 {
		t.Errorf("%d requests counted", n)
	}
}

func TestServedMetrics(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, ended := &noted{line: make(chan string, 1)}, make(chan error, 1)
	go func() {
		ended <- serve(ctx, out, "albums", "127.0.0.1:0", albums.NewCounted(albums.NewMutex(albums.Options{})))
	}()
	address := regexp.MustCompile(`http://[\d.:]+`).FindString(<-out.line)
	get(t, address+"/albums")
	get(t, address+"/albums/7")
	if text := get(t, address+"/metrics"); !strings.Contains(text, "albums 0\n") || !strings.Contains(text, `requests_total{status="200"} 1`) || !strings.Contains(text, `requests_total{status="404"} 1`) {
		t.Error(text)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// get is the status and the body of an answer.
func get(t *testing.T, url string) string {
	response, err := http.Get(url)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return strings.Fields(response.Status)[0] + " " + string(body)
}
