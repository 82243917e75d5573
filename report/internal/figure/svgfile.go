package figure

import (
	"bytes"
	"embed"
	"html/template"
)

// File renders the wide geometry as a file of its own: title and notes,
// which the page has beside the figure, stand above and below it.
func File(d Drawing) ([]byte, error) {
	var out bytes.Buffer
	err := Templates().ExecuteTemplate(&out, "file", struct {
		CSS     template.CSS
		Picture picture
	}{Style(), framed(d)})
	return out.Bytes(), err
}

// framed adds title and sentences to the wide picture.
func framed(d Drawing) picture {
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

//go:embed figure.gohtml figure.css
var assets embed.FS

// Templates holds "file", a figure that stands alone, and "figure", one on a page.
func Templates() *template.Template {
	words := template.FuncMap{"tight": Tight}
	return template.Must(template.New("").Funcs(words).ParseFS(assets, "figure.gohtml"))
}

// Style is what figures look like, on a page and alone.
func Style() template.CSS {
	text, err := assets.ReadFile("figure.css")
	if err != nil {
		panic(err) // it is embedded
	}
	return template.CSS(text)
}
