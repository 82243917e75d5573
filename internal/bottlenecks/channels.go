package main

import (
	"context"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func channels() []bottleneck {
	channel := []string{results.TimeChannel}
	return []bottleneck{
		{"channel as a lock", "a channel with room for one, 1 ms asleep while it is taken", 4, channel, 0.75, "token", openSemaphore(1)},
		{"semaphore", "two of eight at a time, each asleep for 1 ms", 8, channel, 0.75, "token", openSemaphore(2)},
		{"slow producer", "a hand-over each millisecond", 4, channel, 1, "received", openProducer(0)},
		{"starved pool", "a token each millisecond, with room for 100", 4, channel, 1, "received", openProducer(100)},
		{"slow consumer", "a receiver that takes 1 ms", 4, channel, 1, "sent", openConsumer},
		{"fan-in", "two producers, one item each a millisecond", 4, channel, 1, "selected", openFanIn},
		{"request and answer", "a server that takes 1 ms, with a channel for the answer", 4, channel, 1, "", openServer},
		{"timeout", "select with a timer of 1 ms", 4, channel, 1, "timed", openTimeout},
		{"ticker", "a tick each millisecond", 4, channel, 1, "ticked", openTicker},
		{"context", "a deadline in 1 ms", 4, channel, 1, "done", openContext},
	}
}

func openSemaphore(room int) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		tokens := make(chan int, room)
		return instance(func(int) {
			tokens <- 1 // at: token
			time.Sleep(time.Millisecond)
			<-tokens
		}, nil), nil
	}
}

// background is a goroutine of an instance, which ends with it.
func background(op func(int), run func(ended <-chan struct{})) harness.Instance {
	end := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() { run(end) })
	return instance(op, func() error {
		close(end)
		group.Wait()
		return nil
	})
}

func openProducer(room int) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		items := make(chan int, room)
		return background(func(int) {
			<-items // at: received
		}, func(ended <-chan struct{}) {
			for {
				time.Sleep(time.Millisecond)
				select {
				case items <- 1:
				case <-ended:
					return
				}
			}
		}), nil
	}
}

func openConsumer(harness.Setup) (harness.Instance, error) {
	items := make(chan int)
	return background(func(int) {
		items <- 1 // at: sent
	}, func(ended <-chan struct{}) {
		for {
			select {
			case <-items:
				time.Sleep(time.Millisecond)
			case <-ended:
				return
			}
		}
	}), nil
}

func openFanIn(harness.Setup) (harness.Instance, error) {
	a, b := make(chan int), make(chan int)
	return background(func(int) {
		select { // at: selected
		case <-a:
		case <-b:
		}
	}, func(ended <-chan struct{}) {
		for {
			time.Sleep(time.Millisecond)
			select {
			case a <- 1:
			case b <- 1:
			case <-ended:
				return
			}
		}
	}), nil
}

func openServer(harness.Setup) (harness.Instance, error) {
	requests := make(chan chan int)
	return background(func(int) {
		answer := make(chan int)
		requests <- answer
		<-answer
	}, func(ended <-chan struct{}) {
		for {
			select {
			case answer := <-requests:
				time.Sleep(time.Millisecond)
				answer <- 1
			case <-ended:
				return
			}
		}
	}), nil
}

func openTimeout(harness.Setup) (harness.Instance, error) {
	never := make(chan int)
	return instance(func(int) {
		select { // at: timed
		case <-never:
		case <-time.After(time.Millisecond):
		}
	}, nil), nil
}

func openTicker(s harness.Setup) (harness.Instance, error) {
	tickers := make([]*time.Ticker, s.Goroutines)
	for g := range tickers {
		tickers[g] = time.NewTicker(time.Millisecond)
	}
	return instance(func(g int) {
		<-tickers[g].C // at: ticked
	}, func() error {
		for _, t := range tickers {
			t.Stop()
		}
		return nil
	}), nil
}

func openContext(s harness.Setup) (harness.Instance, error) {
	return instance(func(int) {
		ctx, cancel := context.WithTimeout(s.Context, time.Millisecond)
		<-ctx.Done() // at: done
		cancel()
	}, nil), nil
}
