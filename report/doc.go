// Package report renders a [results.Report]: one file a format. A renderer
// adds nothing to the findings and leaves no warning out; a live run and a
// saved file that hold the same trials render to the same bytes.
//
// Do not parse what it writes: JSON Lines and the Go benchmark format, which
// package results writes, are there for programs.
package report
