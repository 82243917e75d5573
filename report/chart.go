package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
)

const (
	chartHeight = 16
	chartAxis   = 7 // columns of the axis labels
	roomiest    = 9 // columns between two levels of N, if there is room
	narrowest   = 3
)

// chart draws throughput over N on a log axis: one letter a variant, its name
// at the right end, or in a legend below where there is no room for all names.
// Letters that fall on the same place stand side by side.
func chart(w *paper.Paper, s sheet.Sheet) {
	c := newCanvas(s, w.Width)
	if len(c.levels) < 2 {
		w.Paragraph("", "No chart: a curve needs two levels of N.")
		return
	}
	if math.IsInf(c.low, 0) {
		w.Paragraph("", "No chart: no cell finished an operation.")
		return
	}
	fmt.Fprintln(w, "ops/s over goroutines N, log axis")
	for row := range c.cells {
		fmt.Fprintln(w, strings.TrimRight(c.axis[row]+string(c.cells[row])+c.names[row], " "))
	}
	fmt.Fprintln(w, paper.Spaces(chartAxis)+"└"+strings.Repeat("─", len(c.cells[0])))
	fmt.Fprintln(w, c.marks())
	c.notes(w)
}

type canvas struct {
	width     int
	levels    []int
	column    int // columns of one level
	cells     [][]rune
	axis      []string
	names     []string
	legend    []string
	undrawn   []string
	crowded   bool
	low, high float64 // of log10(ops/s), whole decades
}

func newCanvas(s sheet.Sheet, width int) *canvas {
	c := &canvas{width: width, low: math.Inf(1), high: math.Inf(-1)}
	for _, sum := range s.Summaries {
		if !slices.Contains(c.levels, sum.Goroutines) {
			c.levels = append(c.levels, sum.Goroutines)
		}
		if y := sum.OpsPerS.Median; y.Known() && y > 0 {
			c.low, c.high = min(c.low, math.Log10(float64(y))), max(c.high, math.Log10(float64(y)))
		}
	}
	if math.IsInf(c.low, 0) {
		return c
	}
	slices.Sort(c.levels)
	c.low = math.Floor(c.low)
	c.high = max(math.Ceil(c.high), c.low+1)
	aside := c.fit(s.Series)
	for range chartHeight {
		c.cells = append(c.cells, []rune(paper.Spaces(len(c.levels)*c.column)))
		c.axis = append(c.axis, paper.Spaces(chartAxis)+"│")
		c.names = append(c.names, "")
	}
	c.ticks()
	c.points(s, aside)
	return c
}

// fit chooses the width of a level, and whether the names stand aside: they do
// where each gets a row of its own and levels keep apart.
func (c *canvas) fit(lines []string) (aside bool) {
	longest := 0
	for _, line := range lines {
		longest = max(longest, paper.Columns(line)+len("a "))
	}
	least := max(narrowest, len(fmt.Sprint(c.levels[len(c.levels)-1]))+1)
	room := (c.width - chartAxis - 1 - longest) / len(c.levels)
	if len(lines) <= chartHeight && room >= least {
		c.column = min(room, roomiest)
		return true
	}
	c.column = min(max((c.width-chartAxis-1)/len(c.levels), narrowest), roomiest)
	return false
}

// row is where a rate stands: 0 is the top.
func (c *canvas) row(log float64) int {
	share := (log - c.low) / (c.high - c.low)
	return int(math.Round((1 - share) * (chartHeight - 1)))
}

func (c *canvas) ticks() {
	for power := c.low; power <= c.high; power++ {
		text := tick(int(power))
		c.axis[c.row(power)] = paper.Spaces(chartAxis-1-paper.Columns(text)) + text + " ┤"
	}
}

// tick writes a power of ten: 1, 10, 100, 1k, …
func tick(power int) string {
	const units = " kMGT"
	if power < 0 || power/3 >= len(units) {
		return fmt.Sprintf("1e%d", power)
	}
	return strings.TrimSpace("1" + strings.Repeat("0", power%3) + units[power/3:power/3+1])
}

// An ending is where the curve of a variant ends.
type ending struct {
	row  int
	text string
}

func (c *canvas) points(s sheet.Sheet, aside bool) {
	var ends []ending
	for i, line := range s.Series {
		letter, last, zero := letterOf(i), -1, []int(nil)
		for j, sum := range s.Summaries {
			switch {
			case s.Labels[j] != line:
			case sum.OpsPerS.Median.Known() && sum.OpsPerS.Median > 0:
				last = c.row(math.Log10(float64(sum.OpsPerS.Median)))
				c.put(last, slices.Index(c.levels, sum.Goroutines), letter)
			default:
				zero = append(zero, sum.Goroutines)
			}
		}
		if zero != nil {
			c.undrawn = append(c.undrawn, line+" at N = "+sheet.Numbers(zero))
		}
		if last >= 0 {
			ends = append(ends, ending{last, fmt.Sprintf("%c %s", letter, line)})
		}
	}
	if aside {
		c.spread(ends)
		return
	}
	for _, end := range ends {
		c.legend = append(c.legend, strings.Replace(end.text, " ", " = ", 1))
	}
}

// letterOf numbers the variants a … z, A … Z, 0 … 9; what comes after is a dot.
func letterOf(i int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if i < len(letters) {
		return rune(letters[i])
	}
	return '·'
}

// put draws the letter in the middle of its level, or on the next free place
// to the right, then to the left. The last column keeps levels apart; a + there
// says that letters found no place.
func (c *canvas) put(row, level int, letter rune) {
	cells := c.cells[row][level*c.column : (level+1)*c.column]
	last := len(cells) - 1
	for at := last / 2; at < last; at++ {
		if cells[at] == ' ' {
			cells[at] = letter
			return
		}
	}
	for at := last/2 - 1; at >= 0; at-- {
		if cells[at] == ' ' {
			cells[at] = letter
			return
		}
	}
	cells[last], c.crowded = '+', true
}

// spread gives every name a row of its own, as near to the end of its curve as
// the others allow.
func (c *canvas) spread(ends []ending) {
	slices.SortStableFunc(ends, func(a, b ending) int { return a.row - b.row })
	for i := range ends {
		if i > 0 {
			ends[i].row = max(ends[i].row, ends[i-1].row+1)
		}
	}
	lowest := chartHeight - 1
	for i := len(ends) - 1; i >= 0; i-- {
		ends[i].row = min(ends[i].row, lowest)
		lowest = ends[i].row - 1
		c.names[ends[i].row] = ends[i].text
	}
}

// marks writes each N under its column; one that would run into the mark
// before it is left out.
func (c *canvas) marks() string {
	text := ""
	for i, n := range c.levels {
		mark := fmt.Sprint(n)
		at := chartAxis + 1 + i*c.column + (c.column-1)/2
		if at > paper.Columns(text) || i == 0 {
			text += paper.Spaces(at-paper.Columns(text)) + mark
		}
	}
	if paper.Columns(text)+3 > c.width {
		return text
	}
	return text + "  N"
}

func (c *canvas) notes(w *paper.Paper) {
	if len(c.legend) > 0 {
		w.Paragraph("", strings.Join(c.legend, ", ")+".")
	}
	if c.crowded {
		w.Paragraph("", "+ stands where letters found no place.")
	}
	if len(c.undrawn) > 0 {
		w.Paragraph("", "Not drawn, for lack of throughput: "+strings.Join(c.undrawn, "; ")+".")
	}
}
