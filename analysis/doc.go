// Package analysis turns trials into what may be said of them: summaries with
// intervals, warnings, and a verdict.
//
// Medians carry exact order-statistic intervals at 95 %; percent of serial
// rate and every comparison of two variants are paired within blocks, which
// cancels the drift of the machine. A verdict ranks only variants of equal
// promise, and calls two of them different only where the interval of their
// ratio lies beyond what code layout alone can do (see margin in class.go
// and docs/method.md).
//
// Do not use it on trials of one block: there is nothing to pair, and it will
// say so instead of ranking.
package analysis
