package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// writeDistribution writes the latencies of the only cell.
func writeDistribution(w io.Writer, r *results.Report) error {
	all := report.Distributions(r)
	if len(all) != 1 {
		return exit.Usage(fmt.Errorf("one distribution cannot show %s", results.Count(len(all), "cell")), "syncwrite report RUN.jsonl -o FILE.hgrm writes a file for each")
	}
	return all[0].Hgrm(w)
}

// writeDistributions writes the latencies of each cell: to the path itself if there is
// one, else to path-CELL.hgrm.
func writeDistributions(path string, r *results.Report) error {
	all := report.Distributions(r)
	switch len(all) {
	case 0:
		return fmt.Errorf("%s: these results hold no latencies", path)
	case 1:
		return writeFile(path, all[0].Hgrm)
	}
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for _, d := range all {
		if err := writeFile(base+"-"+d.Name+".hgrm", d.Hgrm); err != nil {
			return err
		}
	}
	return nil
}
