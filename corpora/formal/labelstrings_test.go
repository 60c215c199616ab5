package formal

import "testing"

// TestLabelStrings checks the strings of the part that LabelStrings returns, their kinds
// and their lengths.
func TestLabelStrings(t *testing.T) {
	texts := []string{"([])", "([)]", "()", "("}
	c, err := LabelStrings(Dyck{2}, Test, texts...)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		if have := Text(Dyck{2}, c.String(i)); have != text+"." || c.Valid(i) != (i%2 == 0) {
			t.Errorf("string %d: %s, in the language: %v, want %s. and %v", i, have, c.Valid(i), text, i%2 == 0)
		}
	}
	if want := (Part{Test, 4, 1, 4}); c.Part != want || c.Len() != 4 {
		t.Errorf("part %+v of %d strings, want %+v", c.Part, c.Len(), want)
	}
	if _, err := LabelStrings(Palindrome{}, Test, "aca", "a)a"); err == nil || err.Error() != `string 1: byte 1: ')' is outside the alphabet of palindrome, want one of abc` {
		t.Errorf("error %v, want one that names string and byte", err)
	}
}
