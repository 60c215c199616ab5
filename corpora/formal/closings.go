package formal

import "fmt"

// Closing is a closing bracket and the opening bracket that it closes, as indices in a
// string without START. In the same string with START both indices are one higher.
type Closing struct {
	At   int32 // position of the closing bracket
	Open int32 // position of its opening bracket
}

// Distance returns the number of positions from the opening to the closing bracket. For
// the results of Closings it is odd, because the brackets between the two are balanced.
func (c Closing) Distance() int { return int(c.At - c.Open) }

// Closings appends to dst the closing brackets of a string, in order. brackets is the
// string without START and END. Closings returns an error that names the position if the
// string is not in the language. It does not check the length of the string.
func (d BoundedDyck) Closings(dst []Closing, brackets []uint8) ([]Closing, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var stack [mostDepth]int32 // positions of the open brackets
	depth := 0
	for i, t := range brackets {
		kind := int(t) - d.K
		switch {
		case kind < 0 && depth == d.M:
			return nil, fmt.Errorf("position %d: %s with %d brackets open, want at most %d", i, d.Token(t), depth+1, d.M)
		case kind < 0:
			stack[depth] = int32(i)
			depth++
		case kind >= d.K:
			return nil, fmt.Errorf("position %d: %s, want a bracket, 0 to %d", i, d.Token(t), 2*d.K-1)
		case depth == 0:
			return nil, fmt.Errorf("position %d: %s, but no bracket is open", i, d.Token(t))
		default:
			depth--
			open := stack[depth]
			if want := d.Close(int(brackets[open])); t != want {
				return nil, fmt.Errorf("position %d: %s, want %s for the bracket opened at %d", i, d.Token(t), d.Token(want), open)
			}
			dst = append(dst, Closing{At: int32(i), Open: open})
		}
	}
	if depth > 0 {
		return nil, fmt.Errorf("position %d: the string ends with %d brackets open, the last at %d", len(brackets), depth, stack[depth-1])
	}
	return dst, nil
}
