package papers

// A Misprint is a printed number that the paper's own arithmetic or the rest of its
// tables contradicts. It is not compared with.
type Misprint struct {
	Key  string // of the cell
	Text string // what contradicts it
}

// Misprints lists them.
func Misprints() []Misprint {
	return []Misprint{
		{"[second-order-lstm:1:m8-attention2:parameters_as_printed:reported]",
			"8.6 stands for 10.6: two cells of 4 x 24 x (30 + 24 + 1) = 5,280 have 10,560 parameters, twice the printed 5.3, as two cells have for m = 4 and m = 6."},
		{"[diffstk:3:diffstk-mirnn:accuracy_percent:train_mean]",
			"A mean of 99.99 cannot stand beside a best of 98: no run is above the best. One of the two is wrong, and nothing says which."},
		{"[diffstk:3:diffstk-mirnn:accuracy_percent:train_best]",
			"A best of 98 cannot stand beside a mean of 99.99, nor beside a mean of 99.90 on longer strings."},
		{"[diffstk:2:delta-rnn:accuracy_percent:long_n160_mean]",
			"4.00 on strings of 121 to 160 symbols follows 0.0 on those of 106 to 120 and a best of 0.04 on those of 56 to 102; with the same network on D6 it is 0.0."},
		{"[diffstk:2:baby-ntm-softmax:accuracy_percent:long_n160_mean]",
			"51.80 on strings of 121 to 160 symbols is more than 40.50 on those of 106 to 120 and 43.50 on those of 56 to 102; in every other table the figures of this network fall with length."},
	}
}
