// Package albums is the REST service of the course on distributed systems: a list of
// albums that requests read whole and append to.
//
//	GET  /albums      the list, 200
//	POST /albums      appends one: 201, 400 with a reason, 409 if its ID is there,
//	                  413 if it is too long, 507 if the list is full
//	GET  /albums/:id  one of them: 200, 404
//	GET  /metrics     counts, of [Counted] alone
//
// The list is guarded and encoded in three ways, by which one sees what a growing list
// costs: [NewMutex], [NewRWMutex] and [NewSnapshot]. All are linearizable; nothing outlives
// the process.
package albums
