package locust

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"github.com/syncwrite/syncwrite/hist"
)

// A Kind is a row of Locust's table.
type Kind struct{ Method, Name string }

// entry is a row as the master adds it up: what was done since the last one. Times are in
// milliseconds, and of failures, too; moments in seconds of the master's clock. The master
// divides by the time from the first row's start to the last one's last request, or, where its
// statistics are reset, from that of the first row behind that.
func entry(kind Kind, began, from time.Time, of seconds, pick func([]cell) cell) (map[string]any, cell) {
	var whole cell
	asked, failed := map[int64]uint64{}, map[int64]uint64{}
	for second, cells := range of {
		c := pick(cells)
		n := c.all().Count()
		if n == 0 {
			continue
		}
		at := began.Add(time.Second/2).Unix() + second // the second in which most of it lies
		asked[at] += n
		if c.failed != nil {
			failed[at] += c.failedCount()
		}
		whole.merge(c)
	}
	h := whole.all()
	row := map[string]any{
		"name": kind.Name, "method": kind.Method, "start_time": unix(from), "last_request_timestamp": nil,
		"num_requests": h.Count(), "num_none_requests": 0, "num_failures": whole.failedCount(),
		"total_response_time": ms(float64(h.Sum())), "min_response_time": nil, "max_response_time": ms(float64(h.Max())),
		"total_content_length": whole.bytes, "response_times": responseTimes(h),
		"num_reqs_per_sec": asked, "num_fail_per_sec": failed,
	}
	if h.Count() > 0 {
		row["min_response_time"], row["last_request_timestamp"] = ms(float64(h.Min())), unix(began.Add(whole.last))
	}
	return row, whole
}

// responseTimes are how often each time was, in ms and rounded to three digits: those of
// all workers then are the same few.
func responseTimes(h *hist.Histogram) map[float64]uint64 {
	times := map[float64]uint64{}
	for b := range h.Buckets() {
		middle := min(max(b.Low+(b.High-b.Low)/2, h.Min()), h.Max())
		times[threeDigits(ms(float64(middle)))] += b.Count
	}
	return times
}

func threeDigits(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}

func ms(ns float64) float64 { return ns / 1e6 }

func unix(t time.Time) float64 { return math.Round(float64(t.UnixNano())/1e3) / 1e6 }

// rows are the table of what was done since a moment, the row of all of it, and the errors.
func rows(kinds []Kind, began, from time.Time, of seconds) (stats []map[string]any, total map[string]any, errs map[string]any) {
	stats, errs = []map[string]any{}, map[string]any{}
	for i, kind := range kinds {
		row, whole := entry(kind, began, from, of, func(cells []cell) cell { return cells[i] })
		if row["num_requests"] == uint64(0) {
			continue
		}
		stats = append(stats, row)
		for why, n := range whole.failures {
			errs[errorKey(kind, why)] = map[string]any{
				"name": kind.Name, "method": kind.Method, "error": why, "occurrences": n,
				"first_seen": row["last_request_timestamp"], "last_seen": row["last_request_timestamp"],
			}
		}
	}
	total, _ = entry(Kind{Method: "", Name: "Aggregated"}, began, from, of, sumOf)
	return stats, total, errs
}

func sumOf(cells []cell) (all cell) {
	for _, c := range cells {
		all.merge(c)
	}
	return all
}

// errorKey is the same for the same error of all workers, whatever they are written in.
func errorKey(kind Kind, why string) string {
	sum := sha256.Sum256([]byte(kind.Method + "." + kind.Name + ".'" + why + "'"))
	return hex.EncodeToString(sum[:])
}
