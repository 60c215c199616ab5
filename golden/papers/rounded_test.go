package papers

import "testing"

// TestRoundedMeans counts the means of tables 1 to 4 of diffstk from 5 to 99.9 that are multiples of a half.
func TestRoundedMeans(t *testing.T) {
	all, rounded := 0, 0
	for _, c := range Published().Numbers {
		if q := c.Quantity; c.Paper == "diffstk" && c.Table <= "4" && len(c.Table) == 1 && q.Trials > 1 && !q.Best && 5 <= c.Published && c.Published <= 99.9 {
			all++
			if c.rounded() {
				rounded++
				if c.HalfDigit != roundedHalf {
					t.Errorf("%v: %s: have half a digit of %v, want %v", c.Key, c.Value, c.HalfDigit, roundedHalf)
				}
			}
		}
	}
	if all != 128 || rounded != 90 {
		t.Errorf("have %d means and %d multiples of a half, want 128 and 90", all, rounded)
	}
}
