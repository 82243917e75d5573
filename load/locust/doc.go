// Package locust is a worker for the master of Locust, the load generator: Locust's page
// says how many users there are, and goroutines of this program are those users.
//
// A [Worker] speaks the protocol of Locust 2.4x: a DEALER socket of ZeroMQ whose identity is
// the worker's name, and one frame of msgpack a message. What its users do is whatever
// [Users] opens; each of their operations is in the statistics that the master gets, and in
// full histograms that travel with them.
//
// Do not use it for users of one process: the load generator of package load needs no master,
// no Python, and times requests that are due by a clock. And a worker trusts its master: whoever can
// reach the master's port can see what is measured, and stop it, as with Locust itself.
package locust
