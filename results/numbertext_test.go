package results

import "testing"

func TestNumbersAtTheEdgesOfRounding(t *testing.T) {
	for _, c := range []struct {
		n                        Number
		rate, ns, three, percent string
	}{
		{Missing(), "–", "–", "–", "–"},
		{0, "0", "<1 ns", "0", "0 %"},
		{-0.3, "-0.300", "-0.300 ns", "-0.300", "0 %"},
		{0.0004, "<0.001", "<0.001 ns", "<0.001", "0 %"},
		{-0.0004, ">-0.001", ">-0.001 ns", ">-0.001", "0 %"},
		{0.0005, "0.001", "0.001 ns", "0.001", "0 %"},
		{0.5, "0.500", "0.500 ns", "0.500", "1 %"},
		{0.99949, "0.999", "0.999 ns", "0.999", "1 %"},
		{0.9995, "1.00", "1.00 ns", "1.00", "1 %"},
		{9.994, "9.99", "9.99 ns", "9.99", "10 %"},
		{9.995, "10.0", "10.0 ns", "10.0", "10 %"},
		{99.94, "99.9", "99.9 ns", "99.9", "100 %"},
		{99.95, "100", "100 ns", "100", "100 %"},
		{999.4, "999", "999 ns", "999", "999 %"},
		{999.5, "1.00k", "1.00 µs", "1000", "1000 %"},
		{-999.5, "-1.00k", "-1.00 µs", "-1000", "-1000 %"},
		{9995, "10.0k", "10.0 µs", "9995", "9995 %"},
		{999_499, "999k", "999 µs", "999499", "999499 %"},
		{999_500, "1.00M", "1.00 ms", "999500", "999500 %"},
		{999_500_000, "1.00G", "1.00 s", "999500000", "999500000 %"},
		{-5_000_000_000, "-5.00G", "-5.00 s", "-5000000000", "-5000000000 %"},
	} {
		if got := c.n.Rate(); got != c.rate {
			t.Errorf("rate of %v is %s, want %s", float64(c.n), got, c.rate)
		}
		if got := c.n.Nanoseconds(); got != c.ns {
			t.Errorf("%v ns is %s, want %s", float64(c.n), got, c.ns)
		}
		if got := c.n.Three(); got != c.three {
			t.Errorf("three digits of %v are %s, want %s", float64(c.n), got, c.three)
		}
		if got := c.n.Percent(); got != c.percent {
			t.Errorf("%v percent is %s, want %s", float64(c.n), got, c.percent)
		}
	}
}

func TestShareIsNotRoundedToAllOrNothing(t *testing.T) {
	for _, c := range []struct {
		n    Number
		want string
	}{
		{Missing(), "–"},
		{0, "0 %"},
		{1e-9, "<0.001 %"},
		{0.00045, "0.045 %"},
		{0.123, "12.3 %"},
		{0.9994, "99.9 %"},
		{0.9995, "99.95 %"},
		{0.9997, "99.97 %"},
		{0.99994, "99.99 %"},
		{0.99996, "99.996 %"},
		{0.999994, "99.999 %"},
		{0.999996, ">99.999 %"},
		{1 - 1e-15, ">99.999 %"},
		{1, "100 %"},
		{1.25, "125 %"},
	} {
		if got := c.n.Share(); got != c.want {
			t.Errorf("the share %v is %s, want %s", float64(c.n), got, c.want)
		}
	}
}
