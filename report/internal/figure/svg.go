package figure

import (
	"fmt"
	"strconv"
	"strings"
)

// A Drawing is a figure in two geometries, with the sentences that belong
// to it.
type Drawing struct {
	Name        string
	experiment  string
	Title       string
	Read        string   // how to read it
	Notes       []string // what it cannot show, and why
	Wide, Phone picture
}

// label is the title of a drawing that stands alone.
func (d Drawing) label() string { return printable(d.experiment + ": " + d.Title) }

// Empty reports whether there is nothing to draw.
func (d Drawing) Empty() bool { return len(d.Wide.Marks) == 0 }

// Pictures are the geometries to put on a page; CSS shows one of them.
func (d Drawing) Pictures() []picture { return []picture{d.Wide, d.Phone} }

// A geometry is a width to draw for, and how many panels stand side by side.
type geometry struct {
	class   string
	width   float64
	columns int
}

func wide() geometry  { return geometry{"wide", 1040, 3} }
func phone() geometry { return geometry{"phone", 358, 1} }

// both draws in the two geometries.
func (d Drawing) both(draw func(geometry) picture) Drawing {
	d.Wide, d.Phone = draw(wide()), draw(phone())
	d.Wide.Class, d.Phone.Class = wide().class, phone().class
	d.Wide.Label, d.Phone.Label = d.label(), d.label()
	return d
}

// A picture is a finished drawing: marks in the order of painting.
type picture struct {
	Class         string
	Label         string // its name for those who do not see it
	Width, Height px
	Marks         []mark
	Top           px     // how far down Shifted stands
	Shifted       []mark // a picture inside this one
}

// Outer is the view box of a file: the picture and its margin.
func (p picture) Outer() string { return fmt.Sprintf("%v %v", p.Width+2*margin, p.Height+2*margin) }

// margin around the picture of a file, in pixels; the template knows it, too.
const margin = 16

// A mark is a path or, where Text is set, a line of text.
type mark struct {
	Class string
	D     string // of a path
	Text  string
	X, Y  px     // of a text's baseline
	Title string // shown when pointed at
}

// px is a coordinate, written with one digit behind the point.
type px float64

func (p px) String() string {
	return strings.TrimSuffix(strconv.FormatFloat(float64(p)+0, 'f', 1, 64), ".0")
}

func (p *picture) path(class, d, title string) {
	p.Marks = append(p.Marks, mark{Class: class, D: d, Title: printable(title)})
}

func (p *picture) text(class string, x, y float64, text string) {
	p.Marks = append(p.Marks, mark{Class: class, X: px(x), Y: px(y), Text: printable(text)})
}

// lines writes lines of text below one another; y is the first baseline.
func (p *picture) lines(class string, x, y float64, lines []string) {
	for i, line := range lines {
		p.text(class, x, y+float64(i)*lineHeight, line)
	}
}

// A pen collects the commands of a path.
type pen struct{ d strings.Builder }

func (p *pen) to(command string, x, y float64) *pen {
	fmt.Fprintf(&p.d, "%s%v %v", command, px(x), px(y))
	return p
}

func (p *pen) close() *pen {
	p.d.WriteByte('Z')
	return p
}

func (p *pen) String() string { return p.d.String() }

func segment(x1, y1, x2, y2 float64) string {
	return new(pen).to("M", x1, y1).to("L", x2, y2).String()
}

func rectangle(x, y, w, h float64) string {
	return fmt.Sprintf("M%v %vh%vv%vh%vZ", px(x), px(y), px(w), px(h), px(-w))
}
