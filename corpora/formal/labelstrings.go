package formal

import "fmt"

// LabelStrings returns a part with the given strings, which are written in the letters of
// the alphabet. Strings in the language are [Positive], the others [Ordinary].
func LabelStrings(lang Language, name Split, texts ...string) (*Labelled, error) {
	c := &Labelled{Part: Part{Name: name, Strings: len(texts)}, offsets: make([]int, 1, len(texts)+1)}
	for i, text := range texts {
		body, err := Parse(lang, text)
		if err != nil {
			return nil, fmt.Errorf("string %d: %w", i, err)
		}
		kind := Ordinary
		if accepts(lang.NewOracle(), body) {
			kind = Positive
		}
		if c.add(body, End(lang), kind); i == 0 {
			c.Part.MinLength = len(body)
		}
		c.Part.MinLength, c.Part.MaxLength = min(c.Part.MinLength, len(body)), max(c.Part.MaxLength, len(body))
	}
	return c, nil
}
