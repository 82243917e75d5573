// Package cmd is the syncwrite command: one file a verb, over a catalogue of
// experiments that is handed to [Main]. A binary with experiments of its own
// is ten lines (examples/own).
//
// Data goes to stdout, progress and words to stderr. Exit codes: 0 fine,
// 1 error, 2 wrong usage, 130 interrupted; 3 (a threshold failed),
// 4 (inconclusive) and 5 (not comparable) are kept for verbs that judge.
//
// Do not use it as a library for measuring: that is package harness.
package cmd
