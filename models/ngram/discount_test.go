package ngram

import "testing"

func TestDiscounts(t *testing.T) {
	for _, x := range []struct {
		name   string
		n      [4]int
		single bool
		want   Discounts
	}{
		{"three", [4]int{10, 4, 2, 1}, false, Discounts{5. / 9, 7. / 6, 17. / 9}}, // Y = 10/18
		{"single", [4]int{10, 4, 2, 1}, true, Discounts{5. / 9, 5. / 9, 5. / 9}},
		{"no count of 4", [4]int{10, 4, 2, 0}, false, Discounts{5. / 9, 7. / 6, 3}},
		{"no count of 3", [4]int{10, 4, 0, 5}, false, Discounts{5. / 9, 5. / 9, 5. / 9}},
		{"no count of 2", [4]int{10, 0, 2, 5}, false, Discounts{1, 1, 1}},
		{"no count of 1", [4]int{0, 4, 2, 1}, false, Discounts{0.5, 0.5, 0.5}},
		{"no count of 1, single", [4]int{0, 4, 2, 1}, true, Discounts{0.5, 0.5, 0.5}},
		{"D(2) would be negative", [4]int{10, 1, 2, 1}, false, Discounts{5. / 6, 5. / 6, 5. / 6}},
		{"D(3) would be negative", [4]int{10, 4, 1, 9}, false, Discounts{5. / 9, 5. / 9, 5. / 9}},
	} {
		have := estimate(x.n, x.single)
		for i := range have {
			if !near(have[i], x.want[i]) {
				t.Errorf("%s: have %v, want %v", x.name, have, x.want)
				break
			}
		}
	}
}
