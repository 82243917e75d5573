// Package results is the waist of the house: the types that cross every
// border between measuring and telling, and the two formats they are kept in.
//
// The harness fills an [Env] and [Trial] values; analysis turns them into
// [Summary] and [Verdict] values inside a [Finding]; report renders a [Report].
// Nobody else invents a type for the same thing.
//
// Both formats go both ways. [Writer] and [Read] speak JSON Lines, which keep
// everything that was measured (docs/formats.md names every field).
// [WriteBench] and [ReadBench] speak the Go benchmark format, which keeps what
// benchstat can use: one line a trial, without histograms and causes.
//
// Units: fields ending in NS are nanoseconds, in Bytes bytes; rates are
// operations a second. A [Number] that could not be measured is NaN in Go and
// null in JSON, never zero.
//
// Do not use this package to measure: it holds and codes results, it computes
// none.
package results
