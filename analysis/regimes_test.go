package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestRegimesAndTrends(t *testing.T) {
	for _, c := range []struct {
		name  string
		rates []float64
		code  string
		text  string
	}{
		{"two rates", []float64{300e3, 450e3, 303e3, 452e3, 299e3, 451e3}, results.WarnRegimes, "near 301k/s in 50 % of the trials, near 451k/s in the others"},
		{"one rate", []float64{300e3, 330e3, 303e3, 320e3, 299e3, 310e3}, "", ""},
		{"a leak", []float64{308e3, 260e3, 240e3, 210e3, 180e3, 152e3}, results.WarnTrend, "throughput falls from trial to trial, from 284k/s to 166k/s"},
		{"warming up", []float64{100e3, 110e3, 125e3, 140e3, 150e3, 170e3}, results.WarnTrend, "throughput rises"},
		{"a little", []float64{100e3, 101e3, 102e3, 103e3, 104e3, 105e3}, "", ""},
		{"five trials", []float64{308e3, 260e3, 240e3, 210e3, 152e3}, "", ""},
		{"one slow trial", []float64{300e3, 301e3, 299e3, 300e3, 302e3, 150e3}, "", ""},
	} {
		b := one("a")
		b.cell("a", 1, c.rates...)
		s := summary(t, b.finding(t), "a", 1)
		var found []string
		for _, w := range s.Warnings {
			if w.Code == results.WarnRegimes || w.Code == results.WarnTrend {
				found = append(found, w.Code+": "+w.Text)
			}
		}
		text := strings.Join(found, "; ")
		if c.code == "" && text != "" || !strings.HasPrefix(text, c.code) || !strings.Contains(text, c.text) {
			t.Errorf("%s: %q", c.name, text)
		}
	}
}
