package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// The part of JUnit's XML that CI systems read.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// ComparisonJUnit writes one test case a threshold: a failed one is a failure, one that
// is inconclusive an error: it was not seen to hold, and what is merely skipped passes.
// Without thresholds every cell is a case that carries its call: one that cannot
// be told, or that a run lacks, is skipped. The doubts stand in the suite's output.
func ComparisonJUnit(w io.Writer, c *results.Comparison) error {
	suite := junitSuite{Name: "syncwrite compare"}
	for _, g := range c.Gates {
		suite.add(junitGate(g))
	}
	if len(c.Gates) == 0 {
		for _, change := range c.Changes {
			suite.add(junitChange(change))
		}
		for _, only := range c.Only {
			suite.add(junitCase{Class: "missing", Name: only, Skipped: &junitMessage{only}})
		}
	}
	suite.Output = strings.Join(allNotes(c), "\n")
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")
	if err := out.Encode(suite); err != nil {
		return fmt.Errorf("write JUnit XML: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitChange(c results.Change) junitCase {
	j := junitCase{Class: c.Experiment, Name: c.Cell().Name(), Output: fmt.Sprintf(
		"%s: new ÷ old %s (%s), p %s", c.Call, sheet.RatioOf(c.Ratio.Median), sheet.Span(c.Ratio, sheet.RatioOf), pValue(c.P))}
	if countsLosses(c) {
		j.Output += ", lost " + lossesText(c)
	}
	if c.Call == results.CannotTell {
		j.Skipped = &junitMessage{strings.TrimSuffix(c.Call+": "+c.Doubt, ": ")}
	}
	return j
}

func junitGate(g results.Gate) junitCase {
	c := junitCase{Class: "threshold", Name: g.Threshold}
	switch g.Status {
	case results.GateFailed:
		c.Failure = &junitMessage{g.Text}
	case results.GateUnseen:
		c.Error = &junitMessage{"inconclusive: " + g.Text}
	default:
		c.Output = g.Text
	}
	return c
}
