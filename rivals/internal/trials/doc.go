// Package trials holds the experiments that set ours beside theirs: what goroutines
// do to a log, a set, a mailbox, a counter or a map, and what is checked afterwards.
package trials
