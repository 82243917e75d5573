package main

// A stranger is other people's code with benchmarks: a module of the Go proxy,
// or the standard library where Version is empty.
type stranger struct {
	Module, Version string
	Package         string // within the module
	Bench           string // what of it is run
	Kind            string
}

// strangers are pinned, so that the table can be made again.
func strangers() []stranger {
	return []stranger{
		{"github.com/dgraph-io/ristretto/v2", "v2.4.2", ".", "Store", "cache"},
		{"github.com/maypok86/otter/v2", "v2.4.0", "./internal/xsync", ".", "cache"},
		{"github.com/coocood/freecache", "v1.2.7", ".", "Cache", "cache"},
		{"github.com/allegro/bigcache/v3", "v3.1.0", ".", "ReadFromCache$|WriteToCacheWith1Shard|Iterate", "cache"},
		{"github.com/VictoriaMetrics/fastcache", "v1.13.0", ".", "Cache|Std|Sync", "cache"},
		{"github.com/hashicorp/golang-lru/v2", "v2.0.7", ".", "Rand$|Freq$", "cache"},
		{"github.com/Yiling-J/theine-go", "v0.6.3", "./internal", ".", "cache"},
		{"github.com/puzpuzpuz/xsync/v4", "v4.5.0", ".", "Counter|Map_NoWarmUp|RBMutex", "map"},
		{"github.com/orcaman/concurrent-map/v2", "v2.0.1", ".", "SingleInsert|MultiInsertSame$", "map"},
		{"go.uber.org/zap", "v1.28.0", ".", ".", "logger"},
		{"go.uber.org/zap", "v1.28.0", "./zapcore", "Write|Sampler|JSON|Tee", "logger"},
		{"github.com/rs/zerolog", "v1.35.1", ".", "LogEmpty|Disabled|Info|ContextFields|LogFields|Samplers|Hooks", "logger"},
		{"github.com/sirupsen/logrus", "v1.10.2", ".", "Logger", "logger"},
		{"github.com/gin-gonic/gin", "v1.12.0", ".", "Github|OneRoute", "router"},
		{"github.com/go-chi/chi/v5", "v5.5.0", "./...", "Mux|TreeGet|Throttle", "router"},
		{"github.com/labstack/echo/v4", "v4.16.0", ".", "Echo|Router", "router"},
		{"github.com/valyala/fasthttp", "v1.70.0", ".", "Args|Header|UserData|URI", "HTTP"},
		{"github.com/prometheus/client_golang", "v1.25.0", "./prometheus", "Counter|Histogram|Gauge", "metrics"},
		{"github.com/VictoriaMetrics/metrics", "v1.35.1", ".", ".", "metrics"},
		{"github.com/panjf2000/ants/v2", "v2.12.1", "./pkg/sync", ".", "lock"},
		{"golang.org/x/time", "v0.16.0", "./rate", ".", "rate limiter"},
		{"github.com/google/uuid", "v1.6.0", ".", "New", "identities"},
		{"std", "", "sync", "Mutex|RWMutex|Map|Pool|Once|Cond|WaitGroup", "standard library"},
		{"std", "", "sync/atomic", ".", "standard library"},
		{"std", "", "net/http", "ClientServer|Header|Cookie", "standard library"},
		{"std", "", "encoding/json", "CodeEncoder$|CodeDecoder$|Encode|Unmarshal", "standard library"},
		{"std", "", "math/rand/v2", "Global|Parallel", "standard library"},
		{"std", "", "context", ".", "standard library"},
	}
}

func (s stranger) name() string {
	if s.Version == "" {
		return s.Package
	}
	name := s.Module
	if s.Package != "." && s.Package != "./..." {
		name += s.Package[1:]
	}
	return name
}
