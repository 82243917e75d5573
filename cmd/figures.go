package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// writeFigure writes the throughput figure of the only experiment: a stream
// holds one drawing.
func writeFigure(w io.Writer, r *results.Report) error {
	if len(r.Findings) != 1 {
		return exit.Usage(fmt.Errorf("one figure cannot show %d experiments", len(r.Findings)), "syncwrite report RUN.jsonl -o FILE.svg writes a file for each")
	}
	svg, err := report.Throughput(r.Findings[0])
	if err != nil {
		return err
	}
	_, err = w.Write(svg)
	return err
}

// writeThroughputs writes the throughput figure of each experiment: to the
// path itself if there is one, else to path-EXPERIMENT.svg.
func writeThroughputs(path string, r *results.Report) error {
	if len(r.Findings) == 1 {
		return writeFile(path, func(w io.Writer) error { return writeFigure(w, r) })
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	figures, err := report.Figures(r)
	if err != nil {
		return err
	}
	written := 0
	for _, f := range figures {
		experiment, main := strings.CutSuffix(f.Name, "-throughput")
		if !main {
			experiment, main = strings.CutSuffix(f.Name, "-response")
		}
		if !main {
			continue
		}
		if err := writeSVG(base+"-"+experiment+".svg", f.SVG); err != nil {
			return err
		}
		written++
	}
	if written == 0 {
		return fmt.Errorf("%s: these results hold no throughput to draw", path)
	}
	return nil
}

func writeSVG(path string, svg []byte) error {
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(svg)
		return err
	})
}

// checkPage refuses, before anything is measured, a page that could not be
// written after it.
func checkPage(path string) error {
	if path == "" {
		return nil
	}
	if filepath.Ext(path) != ".html" {
		return exit.Usage(fmt.Errorf("--report %s: the page is HTML", path), "name it FILE.html")
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("--report %s: %s is not a directory", path, filepath.Dir(path))
	}
	if holdsResults(path) {
		return overResults(path)
	}
	return nil
}

// writePage writes the page and, beside it, every figure as a file of its own.
// A page that is not called report.html lends the figures its name, since
// others may lie in the same directory. It returns the figures' paths.
func writePage(path string, r *results.Report) ([]string, error) {
	if err := writeFile(path, func(w io.Writer) error { return report.HTML(w, r) }); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var paths []string
	figures, err := report.Figures(r)
	if err != nil {
		return paths, err
	}
	prefix := strings.TrimSuffix(path, filepath.Ext(path)) + "-"
	if filepath.Base(path) == "report.html" {
		prefix = filepath.Dir(path) + string(filepath.Separator)
	}
	for _, f := range figures {
		svg := prefix + f.Name + ".svg"
		if err := writeSVG(svg, f.SVG); err != nil {
			return paths, fmt.Errorf("figure: %w", err)
		}
		paths = append(paths, svg)
	}
	return paths, nil
}

// glob is one pattern for paths that begin alike and are all SVG.
func glob(paths []string) string {
	common := strings.TrimSuffix(paths[0], ".svg")
	for _, path := range paths {
		for !strings.HasPrefix(path, common) {
			common = common[:len(common)-1]
		}
	}
	if len(paths) == 1 {
		return paths[0]
	}
	return common + "*.svg"
}
