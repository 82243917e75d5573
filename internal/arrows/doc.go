// Package arrows holds the import rules of the house as a table and a checker,
// and its test holds every .go file of the module to them.
//
// The checker parses the files itself. Asking the go command for the imports
// would pass from the test cache after a file it never opened has changed.
//
// When not to use it: from anything but tests.
package arrows
