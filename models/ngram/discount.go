package ngram

// Discounts are the amounts subtracted from the counts of the n-grams of one order: D[0]
// from a count of 1, D[1] from 2, and D[2] from 3 and more.
type Discounts [3]float64

// sum returns the sum of the discounts of several n-grams: n[0] with the count 1, n[1]
// with the count 2, and n[2] with a count of 3 or more.
func (d Discounts) sum(n [3]uint32) float64 {
	return float64(d[0]*float64(n[0])) + float64(d[1]*float64(n[1])) + float64(d[2]*float64(n[2]))
}

// estimate returns the discounts for the n-grams of one order. The number of different
// n-grams with the count i+1 is n[i]. The equations are in the package comment.
func estimate(n [4]int, single bool) Discounts {
	y := 0.5
	if n[0] > 0 {
		y = float64(n[0]) / float64(n[0]+2*n[1])
	}
	same := Discounts{y, y, y}
	if single {
		return same
	}
	var d Discounts
	for i := range d {
		if n[i] == 0 {
			return same
		}
		d[i] = float64(i+1) - float64(float64(i+2)*y)*float64(n[i+1])/float64(n[i])
		if d[i] <= 0 {
			return same
		}
	}
	return d
}
