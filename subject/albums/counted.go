package albums

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// Counted is the service with GET /metrics besides: how many requests were answered with
// which status, and how many albums there are, in the text format of Prometheus.
type Counted struct {
	service http.Handler
	store   Store
	status  [600]atomic.Int64
}

// NewCounted serves a list and counts what it answers.
func NewCounted(s Store) *Counted { return &Counted{service: NewHandler(s), store: s} }

// Answered is how many requests were answered with a status.
func (h *Counted) Answered(status int) int { return int(h.status[status].Load()) }

// ServeHTTP implements http.Handler.
func (h *Counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.URL.Path == "/metrics" {
		h.metrics(w)
		return
	}
	seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	defer func() { h.status[seen.status].Add(1) }()
	h.service.ServeHTTP(seen, r)
}

func (h *Counted) metrics(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	fmt.Fprintf(w, "# TYPE albums gauge\nalbums %d\n# TYPE requests_total counter\n", h.store.Len())
	for status := range h.status {
		if n := h.status[status].Load(); n > 0 {
			fmt.Fprintf(w, "requests_total{status=\"%d\"} %d\n", status, n)
		}
	}
}

// A statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
