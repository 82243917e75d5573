package results

import (
	"encoding/json"
	"fmt"
	"io"
)

// Writer writes records as JSON Lines, one write to the underlying writer a
// record, so that a crash of the program tears no finished one.
type Writer struct{ w io.Writer }

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write writes one record: an Env, Experiment, Suite, Trial, Outcome, Breakdown, Summary,
// Verdict (as VerdictRecord) or End.
func (w *Writer) Write(record any) error {
	line, err := Encode(record)
	if err != nil {
		return err
	}
	if _, err := w.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// VerdictRecord is a Verdict with the name of its experiment.
type VerdictRecord struct {
	Experiment string `json:"experiment"`
	Verdict
}

// Encode writes a record as one line, without its end: {"record":"trial",…}.
func Encode(record any) ([]byte, error) {
	kind, err := kindOf(record)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("encode %s record: %w", kind, err)
	}
	return append([]byte(`{"record":"`+kind+`",`), body[1:]...), nil
}

func kindOf(record any) (string, error) {
	switch record.(type) {
	case Env:
		return "env", nil
	case Experiment:
		return "experiment", nil
	case Suite:
		return "suite", nil
	case Trial:
		return "trial", nil
	case Outcome:
		return "outcome", nil
	case Breakdown:
		return "breakdown", nil
	case Summary:
		return "summary", nil
	case VerdictRecord:
		return "verdict", nil
	case End:
		return "end", nil
	}
	return "", fmt.Errorf("encode %T: not a record", record)
}
