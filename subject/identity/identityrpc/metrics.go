package identityrpc

import (
	"context"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/identity/identitypb"
)

// Metrics is what there is to see of a server, as a collector of Prometheus: requests by
// method and status, identities handed out, how far they are and how far reserved, whether
// it has stopped handing out, and which peers have answered last.
type Metrics struct {
	requests *prometheus.CounterVec
	watched  atomic.Pointer[watched]
}

type watched struct {
	service *Service
	sync    *syncing
}

var (
	handedDesc    = prometheus.NewDesc("identity_handed_out_total", "Identities handed out since the server began.", nil, nil)
	lastDesc      = prometheus.NewDesc("identity_last", "The highest identity handed out, or raised to.", nil, nil)
	reservedDesc  = prometheus.NewDesc("identity_reserved", "The highest identity that may be handed out without a flush.", nil, nil)
	stoppedDesc   = prometheus.NewDesc("identity_stopped", "1 if nothing is handed out any more: another server has the same numbers, or this one is ending.", nil, nil)
	reachableDesc = prometheus.NewDesc("identity_peer_reachable", "1 if the peer has answered last.", []string{"peer"}, nil)
)

// NewMetrics returns metrics for [ServeOptions].
func NewMetrics() *Metrics {
	return &Metrics{requests: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "identity_requests_total", Help: "Requests that have ended, by method and status; each one on a Stream counts.",
	}, []string{"method", "status"})}
}

func (m *Metrics) watch(service *Service, sync *syncing) { m.watched.Store(&watched{service, sync}) }

// Describe implements [prometheus.Collector].
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	m.requests.Describe(to)
	for _, d := range []*prometheus.Desc{handedDesc, lastDesc, reservedDesc, stoppedDesc, reachableDesc} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	m.requests.Collect(to)
	w := m.watched.Load()
	if w == nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	to <- prometheus.MustNewConstMetric(handedDesc, prometheus.CounterValue, float64(w.service.handed.Load()))
	gauge(lastDesc, float64(w.sync.ids.Last()))
	gauge(reservedDesc, float64(w.sync.ids.Reserved()))
	gauge(stoppedDesc, oneIf(w.service.stopped.Load() != nil))
	for _, p := range w.sync.peers {
		gauge(reachableDesc, oneIf(p.answers.Load()), p.address)
	}
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func (m *Metrics) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	reply, err := handle(ctx, request)
	m.count(info.FullMethod, err)
	return reply, err
}

func (m *Metrics) stream(server any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	if info.FullMethod != identitypb.Identity_Stream_FullMethodName {
		err := handle(server, stream)
		m.count(info.FullMethod, err)
		return err
	}
	each := &countedStream{ServerStream: stream, metrics: m}
	err := handle(server, each)
	if each.asked {
		m.count(info.FullMethod, err)
	}
	return err
}

// A countedStream counts each request when its answer is sent. One goroutine uses it.
type countedStream struct {
	grpc.ServerStream
	metrics *Metrics
	asked   bool // what has no answer yet
}

func (s *countedStream) RecvMsg(m any) error {
	err := s.ServerStream.RecvMsg(m)
	s.asked = err == nil
	return err
}

func (s *countedStream) SendMsg(m any) error {
	err := s.ServerStream.SendMsg(m)
	if err == nil {
		s.asked = false
		s.metrics.count(identitypb.Identity_Stream_FullMethodName, nil)
	}
	return err
}

func (m *Metrics) count(method string, err error) {
	m.requests.WithLabelValues(method, status.Code(err).String()).Inc()
}
