package scan

import "testing"

// TestFirstOutOfRange checks that a number that is too large or negative is found
// at every position, and that none is found if all are below the limit.
func TestFirstOutOfRange(t *testing.T) {
	for n := range 40 {
		x := make([]int32, n)
		for i := range x {
			x[i] = int32(i % 6)
		}
		if at := firstOutOfRange(x, 6); at != -1 {
			t.Fatalf("%d numbers below 6: number %d is outside", n, at)
		}
		for i := range x {
			for _, bad := range []int32{6, 7, 1 << 30, -1, -1 << 31} {
				was := x[i]
				x[i] = bad
				if at := firstOutOfRange(x, 6); at != i {
					t.Fatalf("of %d numbers, number %d being %d, number %d is outside", n, i, bad, at)
				}
				if n > 1 { // two numbers are out of range: the position of the first is returned
					last := x[n-1]
					x[n-1] = 9
					if at := firstOutOfRange(x, 6); at != i {
						t.Fatalf("of %d numbers, %d and %d being too large, number %d is found", n, i, n-1, at)
					}
					x[n-1] = last
				}
				x[i] = was
			}
		}
	}
}
