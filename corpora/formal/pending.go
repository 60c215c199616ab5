package formal

// Pending lists the places where the public code that measures the long-distance prediction
// accuracy asks for a closing bracket. It asks after every prefix that leaves a bracket open,
// even if an opening bracket follows. For each such prefix, Pending appends a Closing to dst:
// the field At is the position of the last token of the prefix, and the field Open is the
// position of the topmost open bracket, whose type is the right answer.
//
// In the results of Closings, At is the position after the prefix, that of the closing
// bracket. So the distances of Pending are 0, 2, 4 ... instead of 1, 3, 5 ... Pending returns
// the same errors as Closings.
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
