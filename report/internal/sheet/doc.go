// Package sheet is what every part of a report asks of a finding: names of cells,
// promises, doubts, causes, and numbers as words. Figures and renderers stand on it,
// so that they can never tell different things.
package sheet
