package remote

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// A service whose inbox has failed says so, and why, to who serves it.
func TestServiceFails(t *testing.T) {
	s, err := NewService(t.Context(), echo, ServiceOptions{Inbox: &fullLog{Log: commitlog.OpenMemory(commitlog.MemoryOptions{}), room: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p := dial(t, serveIn(t, s), Options{})
	if _, err := p.Request(t.Context(), ping()); err != nil || s.Err() != nil {
		t.Error(err, s.Err())
	}
	if _, err := p.Request(t.Context(), ping()); err == nil {
		t.Error("answered without being kept")
	}
	<-s.Failed()
	if err := s.Err(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A decoder is a handler that decodes its payload in place, and keeps what comes of it.
type decoder struct{ state []string }

func (d *decoder) handle(_ context.Context, _ string, m Message) ([]byte, error) {
	for i := range m.Payload {
		m.Payload[i] ^= 0x20
	}
	d.state = append(d.state, string(m.Payload))
	return nil, nil
}

// What a handler does to its payload changes nothing of what the inbox keeps.
func TestInboxKeepsWhatArrived(t *testing.T) {
	for _, once := range []bool{false, true} {
		inbox := commitlog.OpenMemory(commitlog.MemoryOptions{})
		var was decoder
		endpoint, stop := listenUntil(t, was.handle, ServiceOptions{Inbox: inbox})
		p := dial(t, endpoint, Options{ExactlyOnce: once})
		for _, text := range []string{"Alpha", "Beta", "Gamma"} {
			if err := p.Send(t.Context(), Message{Payload: []byte(text)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
		stop()
		var is decoder
		if _, err := NewService(t.Context(), is.handle, ServiceOptions{Inbox: inbox}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(was.state, is.state) {
			t.Errorf("exactly once %v: %q after the start, and %q before", once, is.state, was.state)
		}
	}
}
