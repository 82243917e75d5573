package leveldb_test

import (
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	levellog "github.com/syncwrite/syncwrite/subject/commitlog/leveldb"
)

func BenchmarkAppend(b *testing.B) {
	for name, options := range map[string]levellog.Options{"leveldb": {}, "leveldb-sync": {Sync: true}} {
		b.Run("log="+name+"/serial", func(b *testing.B) {
			log := openForBenchmark(b, options)
			for b.Loop() {
				appendFoo(b, log)
			}
		})
		b.Run("log="+name+"/parallel", func(b *testing.B) {
			log := openForBenchmark(b, options)
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					appendFoo(b, log)
				}
			})
		})
	}
}

func openForBenchmark(b *testing.B, options levellog.Options) commitlog.Log {
	log, err := levellog.Open(filepath.Join(b.TempDir(), "log"), options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	b.ReportAllocs()
	return log
}

func appendFoo(b *testing.B, log commitlog.Log) {
	if _, err := log.Append([]byte("foo")); err != nil {
		b.Error(err)
	}
}
