// Command ahead prints the date that lies some days, weeks, months or years
// ahead of a date, or back from it.
//
// When not to use it: for hours and minutes, and for working days.
package main
