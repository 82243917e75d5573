package locust

import (
	"fmt"
	"time"
)

// report tells the master what users did since the last time. While it is not certain that this
// master knows the worker, that waits.
func (w *worker) report() {
	if !w.joined || !w.trusted {
		return
	}
	data := map[string]any{"user_classes_count": w.counts, "user_count": sum(w.counts)}
	if w.crew == nil || w.crew.abandoned {
		data["stats"], data["stats_total"], data["errors"] = rows(nil, time.Now().Add(w.ahead), nil)
	} else {
		of, users := w.crew.take()
		data["stats"], data["stats_total"], data["errors"] = rows(w.crew.kinds, w.crew.began.Add(w.crew.ahead), of)
		data[Histograms] = w.share(of, users)
	}
	frame, err := message{kind: "stats", data: data, node: w.name}.encode()
	if err != nil {
		w.fail(fmt.Errorf("message stats: %w", err))
		return
	}
	if w.wire.send(frame) != nil {
		w.owed = append(w.owed, frame)
	}
}

// share is the same in full.
func (w *worker) share(of seconds, users int) Share {
	return Share{Worker: w.name, Run: w.crew.number, Lasted: w.crew.lasted().Seconds(), CPU: w.meter.spent(), Processors: processors(),
		AtWork: time.Duration(w.crew.atWork.Swap(0)).Seconds(), Seconds: shared(w.crew.kinds, users, of)}
}
