// Package exit is how the command ends: exit codes, the one line that an error is
// told in, and hints.
package exit
