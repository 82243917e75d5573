// Package harness runs one operation from N goroutines and records what
// happened as [results.Trial] values.
//
// An [Experiment] asks a question; its variants are the designs that answer
// it. [Run] measures every cell (variant × factor levels × goroutines) once
// per block, in an order drawn anew for each block, so that drift of the
// machine hits all cells alike. One trial goes like this:
//
//   - a fresh directory, a fresh instance of the variant, a garbage collection;
//   - N goroutines are started and wait at a barrier; each counts itself;
//   - the clock starts, the barrier opens; each goroutine runs its share of
//     the operations and notes its own start and end;
//   - the window ends with the last goroutine's end. Usage is read outside it.
//
// The number of operations of a variant is the same at every N, so that rates
// compare; calibration chooses it (see [Config.Window]).
//
// Latency: an operation that takes a processor at least 1.2 µs is timed each time. A
// shorter one is sampled at random, one in 64 on average and at least one in
// 128, or below 50 ns one in 512 and at least one in 1,024, with the clock's own
// cost taken off each sample; the stretches between
// samples are timed too, which bounds the longest operation. The mean is
// goroutine time ÷ operations, exact in both modes.
//
// The loop is closed (closed.go): a goroutine starts its next operation when
// the last one has returned, so latencies are service times under N callers
// and say nothing of a queue in front of them. An open loop, which starts
// operations by the clock, takes the place of worker.run and nothing else.
//
// Do not use the harness for an operation of less than about 5 ns: its own
// cost, which is measured and recorded in results.Env.Overhead, is of that
// order. Do not use it from several goroutines at once: the process is what is
// measured.
package harness
