package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

//go:embed page.gohtml figure.gohtml page.css figure.css page.js
var assets embed.FS

// A Figure is one drawing as an SVG file of its own. It follows the reader's
// choice of dark or light.
type Figure struct {
	Name string // of the file, without ending; lower case, digits and dashes
	SVG  []byte
}

// Figures draws the figures of a report, in the order of the page. Where the
// report holds several experiments their names stand in front. A figure with
// nothing to show is left out.
func Figures(r *results.Report) ([]Figure, error) {
	var all []Figure
	for _, f := range r.Findings {
		for _, d := range drawings(f) {
			svg, err := standalone(d)
			if err != nil {
				return nil, err
			}
			name := d.name
			if len(r.Findings) > 1 {
				name = fileName(f.Experiment.Name) + "-" + name
			}
			all = append(all, Figure{name, svg})
		}
	}
	return all, nil
}

// Throughput draws the main figure of one experiment: operations a second over
// goroutines. Without a single rate the figure says so.
func Throughput(f results.Finding) ([]byte, error) { return standalone(throughput(newSheet(f))) }

// drawings are the figures of one experiment, in the order of the page.
func drawings(finding results.Finding) []drawing {
	f, note := drawn(newSheet(finding))
	var all []drawing
	for _, d := range []drawing{throughput(f), percentOfSerial(f), latencies(f), distributions(f), trialPoints(f), causeBars(f)} {
		if !d.empty() {
			if note != "" {
				d.Notes = append(d.Notes, note)
			}
			all = append(all, d)
		}
	}
	return all
}

// fileName keeps of a name what is harmless in a path.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
}

// A drawing is a figure in two geometries, with the sentences that belong
// to it.
type drawing struct {
	name        string
	experiment  string
	Title       string
	Read        string   // how to read it
	Notes       []string // what it cannot show, and why
	Wide, Phone picture
}

// label is the title of a drawing that stands alone.
func (d drawing) label() string { return printable(d.experiment + ": " + d.Title) }

func (d drawing) empty() bool { return len(d.Wide.Marks) == 0 }

// Pictures are the geometries to put on a page; CSS shows one of them.
func (d drawing) Pictures() []picture { return []picture{d.Wide, d.Phone} }

// A geometry is a width to draw for, and how many panels stand side by side.
type geometry struct {
	class   string
	width   float64
	columns int
}

func wide() geometry  { return geometry{"wide", 1040, 3} }
func phone() geometry { return geometry{"phone", 358, 1} }

// both draws in the two geometries.
func (d drawing) both(draw func(geometry) picture) drawing {
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

// standalone renders the wide geometry as a file of its own: title and notes,
// which the page has beside the figure, stand above and below it.
func standalone(d drawing) ([]byte, error) {
	var out bytes.Buffer
	err := templates().ExecuteTemplate(&out, "file", struct {
		CSS     template.CSS
		Picture picture
	}{style("figure.css"), framed(d)})
	return out.Bytes(), err
}

// framed adds title and sentences to the wide picture.
func framed(d drawing) picture {
	const top = 34
	p := picture{Class: "file", Label: d.label(), Width: px(wide().width)}
	p.text("head", 0, 18, d.label())
	below := float64(d.Wide.Height) + 16
	for _, note := range append([]string{d.Read}, d.Notes...) {
		lines := wrap(note, wide().width)
		p.lines("note", 0, below+top, lines)
		below += float64(len(lines)) * lineHeight
	}
	p.Height = px(below) + top
	p.Shifted, p.Top = d.Wide.Marks, top
	return p
}

func templates() *template.Template {
	words := template.FuncMap{"tight": tight}
	return template.Must(template.New("").Funcs(words).ParseFS(assets, "page.gohtml", "figure.gohtml"))
}

func style(name string) template.CSS {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return template.CSS(text)
}
