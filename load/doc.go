// Package load asks an HTTP server from many users at once and says how it answered: an
// experiment of the harness whose operations are requests.
//
// A [Scenario] says where and what is asked, in which mix, and how long users rest
// between two requests; [Experiment] makes the experiment of it. Every user has one
// connection. What fails is counted by reason and is in no latency. Requests are written
// and answers read by fasthttp's codec, or by net/http for HTTP/2 and for what a
// browser's client would do.
//
// Do not use it to ask servers that you may not load, or to test what is right about an
// answer: it looks at statuses and lengths alone.
package load
