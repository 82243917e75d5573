// Command generators holds our load generator beside other people's: how many requests a
// second each makes of one processor against a server on another one, what a request
// costs it in processor time, and what it says of a server that stalls.
//
// The server counts, and the operating system says what a generator took: nobody is
// asked about itself. Blocks are interleaved, and every block runs each tool once. A tool
// that is not found in PATH is left out and named. See ../README.md.
package main
