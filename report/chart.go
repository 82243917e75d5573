package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

const (
	chartHeight = 16
	chartColumn = 9 // columns between two levels of N
	chartAxis   = 7 // columns of the axis labels
)

// chart draws throughput over N on a log axis: one letter a variant, its name
// at the right end. Where letters fall on the same place the later one is
// drawn beside the earlier.
func chart(w io.Writer, f results.Finding) {
	c := newCanvas(f.Summaries)
	if c == nil {
		return
	}
	fmt.Fprintln(w, "ops/s over goroutines N, log axis")
	for row := range c.cells {
		fmt.Fprintln(w, strings.TrimRight(c.axis[row]+string(c.cells[row])+c.names[row], " "))
	}
	line, marks := strings.Repeat("─", len(c.cells[0])), spaces(chartAxis+1)
	for i, n := range c.levels {
		at := chartAxis + 1 + i*chartColumn + chartColumn/2
		marks += spaces(at-width(marks)) + fmt.Sprint(n)
	}
	fmt.Fprintln(w, spaces(chartAxis)+"└"+line)
	fmt.Fprintln(w, marks+"  N")
}

type canvas struct {
	levels      []int
	cells       [][]rune
	axis        []string
	names       []string
	low, height float64 // of log10(ops/s)
}

// newCanvas places every cell; nil where there is nothing to draw.
func newCanvas(summaries []results.Summary) *canvas {
	c := &canvas{low: math.Inf(1)}
	high := math.Inf(-1)
	for _, s := range summaries {
		if !slices.Contains(c.levels, s.Goroutines) {
			c.levels = append(c.levels, s.Goroutines)
		}
		if y := s.OpsPerS.Median; y.Known() && y > 0 {
			c.low, high = min(c.low, math.Log10(float64(y))), max(high, math.Log10(float64(y)))
		}
	}
	if math.IsInf(c.low, 1) {
		return nil
	}
	slices.Sort(c.levels)
	c.low = math.Floor(c.low)
	c.height = max(math.Ceil(high)-c.low, 1)
	for range chartHeight {
		c.cells = append(c.cells, []rune(spaces(len(c.levels)*chartColumn)))
		c.axis = append(c.axis, spaces(chartAxis)+"│")
		c.names = append(c.names, "")
	}
	c.ticks()
	c.points(summaries)
	return c
}

// row is where a rate stands: 0 is the top.
func (c *canvas) row(log float64) int {
	share := (log - c.low) / c.height
	return int(math.Round((1 - share) * (chartHeight - 1)))
}

func (c *canvas) ticks() {
	for power := c.low; power <= c.low+c.height; power++ {
		text := results.Number(math.Pow(10, power)).Rate()
		text = strings.Replace(strings.TrimSuffix(strings.TrimSuffix(text, "k"), "M"), ".00", "", 1) + unitOf(text)
		text = strings.Replace(text, ".0", "", 1)
		c.axis[c.row(power)] = spaces(chartAxis-1-width(text)) + text + " ┤"
	}
}

func unitOf(text string) string {
	if last := text[len(text)-1:]; last == "k" || last == "M" {
		return last
	}
	return ""
}

func (c *canvas) points(summaries []results.Summary) {
	all := labels(summaries)
	for i, name := range all {
		letter := letterOf(i)
		lastRow := -1
		for _, s := range summaries {
			if label(s, summaries) != name || !(s.OpsPerS.Median > 0) {
				continue
			}
			lastRow = c.row(math.Log10(float64(s.OpsPerS.Median)))
			c.put(lastRow, slices.Index(c.levels, s.Goroutines), letter)
		}
		if lastRow >= 0 {
			c.name(lastRow, fmt.Sprintf("%c %s", letter, name))
		}
	}
}

// letterOf numbers the variants a … z, A … Z; what comes after is a dot.
func letterOf(i int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return rune(letters[i])
	}
	return '·'
}

// put draws the letter in the middle of its level, or on the next free place.
func (c *canvas) put(row, level int, letter rune) {
	middle := level*chartColumn + chartColumn/2
	for at := middle; at < (level+1)*chartColumn; at++ {
		if c.cells[row][at] == ' ' {
			c.cells[row][at] = letter
			return
		}
	}
}

// name writes a variant's name at the right end of its row, behind others.
func (c *canvas) name(row int, text string) {
	if c.names[row] != "" {
		text = ", " + text
	}
	c.names[row] += text
}
