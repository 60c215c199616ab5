package formal

// Pending lists the places where the public code of LDPA asks for a closing bracket: after
// every prefix that leaves a bracket open, whether or not a closing bracket follows. For
// each such prefix it appends one Closing to dst. At is the position of the last token of
// the prefix, and Open that of the topmost open bracket, which has the right type.
// Distances are 0, 2, 4 ..., one less than those of Closings. Errors are those of
// Closings.
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
