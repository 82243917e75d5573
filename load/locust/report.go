package locust

import "time"

// report tells the master what users did since the last time; last says that nothing of the run comes
// after it. A heartbeat follows, whose answer confirms it.
func (w *worker) report(last bool) {
	data := map[string]any{"user_classes_count": w.counts, "user_count": sum(w.counts)}
	now := time.Now().Add(w.ahead)
	if w.crew == nil || w.crew.abandoned {
		data["stats"], data["stats_total"], data["errors"] = rows(nil, now, now, nil)
	} else {
		of, from, users := w.crew.take()
		data["stats"], data["stats_total"], data["errors"] = rows(w.crew.kinds, w.crew.began.Add(w.crew.ahead), from.Add(w.crew.ahead), of)
		data[Histograms] = w.share(of, users, last)
		data[runMessage] = w.crew.named // a master that has begun another one leaves it out
	}
	done := int(data["stats_total"].(map[string]any)["num_requests"].(uint64))
	w.post("stats", data, letter{operations: done})
	if done > 0 {
		w.post("heartbeat", w.pulse(), letter{asks: true})
	}
}

// share is the same in full.
func (w *worker) share(of seconds, users int, last bool) Share {
	return Share{Worker: w.name, Run: w.crew.number, Last: last, Lasted: w.crew.lasted().Seconds(), CPU: w.meter.spent(), Processors: processors(),
		Cycles: w.crew.takeCycles(), Seconds: shared(w.crew.kinds, users, of)}
}
