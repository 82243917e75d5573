package results

import "testing"

func TestFewNames(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "a": {"a"}, "a, b, c": {"a", "b", "c"}, "a, b, c and 2 more": {"a", "b", "c", "d", "e"},
	} {
		if got := FewNames(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
