package locust

import _ "embed"

// Locustfile is what a master has to be started with: a class of users that stands for all,
// options for the workers, and --syncwrite-seen, the file for their [Share]s.
//
//go:embed locustfile.py
var Locustfile string
