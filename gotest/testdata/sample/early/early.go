// Package early reads the environment before package testing does: it is
// initialized first, since it imports less and its path sorts before.
package early

import "os"

var Environ = os.Environ()
