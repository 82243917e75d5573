// Package logs wraps other people's logs, and ours, so that all are opened, appended
// to, read back and checked by the same code. One file a log.
package logs
