package results

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A trial that used less than nothing, or more than any number, would be told as a share
// of -50 % or of 5,000: its line is refused by file and line, and the others stay.
func TestUsageThatCannotBeIsRefused(t *testing.T) {
	fields := reflect.TypeFor[Usage]()
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Field(i).Tag.Get("json"), ",")
		for value, taken := range map[string]bool{"-1": false, "-1e-9": false, "-1e300": false, "1e999": false, "-1e999": false, "NaN": false, "0": true, "1": true, "null": true} {
			bad := strings.Replace(bareTrial, `"block":1`, fmt.Sprintf(`"block":1,"usage":{%q:%s}`, name, value), 1)
			run := read(t, []byte(bareEnv+bad+bareTrial))
			if taken != (len(run.Problems) == 0) || taken != (len(run.Trials) == 2) || len(run.Trials) == 0 {
				t.Errorf("%s of %s: %d trials, problems %v", name, value, len(run.Trials), run.Problems)
			} else if !taken && run.Problems[0].Line != 2 {
				t.Errorf("%s of %s: problem %v, not of line 2", name, value, run.Problems[0])
			}
		}
	}
}
