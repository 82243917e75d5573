// Package figure draws: what a figure shows of a finding (figures.go and the files
// named after one), on axes, tiles and labels of our own (svg*.go). A drawing comes
// in two widths; the page shows one of them, a file holds the wide one.
package figure
