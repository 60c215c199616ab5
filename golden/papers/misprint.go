package papers

// A Misprint is a printed number that the paper's own arithmetic or the rest of its
// tables contradicts. It is not compared with our results.
type Misprint struct {
	Key  string // the key of the number
	Text string // what contradicts the number
}

// Misprints lists all misprints. A number that is only unlikely is none, such as the mean of
// Baby-NTM in table 2 of diffstk that is 43.50 on strings of 56 to 102 symbols, 40.50 on
// longer ones and 51.80 on the longest.
func Misprints() []Misprint {
	return []Misprint{
		{"[second-order-lstm:1:m8-attention2:parameters_as_printed:reported]",
			"8.6 stands for 10.6: two cells of 4 x 24 x (30 + 24 + 1) = 5,280 have 10,560 parameters, and two of 2,064 and 3,528 are printed as 4.1 and 7."},
		{"[second-order-lstm:2:wt2-attention2:parameters_as_printed:reported]",
			"4.4 is twice the rounded 2.2: two cells of 4 x 600 x (300 + 600 + 1) = 2,162,400 have 4,324,800 parameters, and five of them 10,812,000, which are printed as 11."},
		{"[diffstk:3:diffstk-mirnn:accuracy_percent:train_best]",
			"A best of 98 cannot stand beside a mean of 99.99: no run is above the best. On longer strings the mean is 99.90 and the best 100, so it is the 98 that is wrong."},
	}
}
