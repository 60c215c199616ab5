package formal

// Pending lists the places where the public code that measures the long-distance
// prediction accuracy asks for a closing bracket: after every prefix that leaves a
// bracket open, even if an opening bracket follows. It appends one Closing for each
// such prefix to dst. Its field At is the position of the last token of the prefix, and
// its field Open that of the topmost open bracket, whose type is the right answer. In a
// Closing that Closings returns, At is the position of the closing bracket, which is
// one more. So the distances here are 0, 2, 4 ... instead of 1, 3, 5 ... Pending
// returns the same errors as Closings.
func (d BoundedDyck) Pending(dst []Closing, brackets []uint8) ([]Closing, error) {
	if _, err := d.Closings(nil, brackets); err != nil {
		return nil, err
	}
	var stack [mostDepth]int32
	depth := 0
	for i, t := range brackets {
		if int(t) < d.K {
			stack[depth] = int32(i)
			depth++
		} else {
			depth--
		}
		if depth > 0 {
			dst = append(dst, Closing{At: int32(i), Open: stack[depth-1]})
		}
	}
	return dst, nil
}
