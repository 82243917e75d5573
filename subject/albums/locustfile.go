package albums

import _ "embed"

// Locustfile are the users of the list as Locust has them: classes Http and Fast, three
// reads to one append, --wait-from and --wait-to in seconds between requests, --seen for
// a directory in which each process writes what it saw, second by second.
//
//go:embed locustfile.py
var Locustfile string
