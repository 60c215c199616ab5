package formal

// Pending appends to dst, for each prefix of a string that leaves a bracket open, the
// position of its last token (At) and that of the topmost open bracket (Open). At these
// places the public code of LDPA asks for a closing bracket, whether or not one
// follows. Distances are 0, 2, 4 ..., one less than those of Closings. The right type is
// that of the bracket at Open. Errors are those of Closings.
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
