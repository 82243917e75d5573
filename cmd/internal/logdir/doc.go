// Package logdir is the verbs of syncwrite commitlog, which look after the directory
// of an append-only log.
package logdir
