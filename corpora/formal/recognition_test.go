package formal

import "testing"

func TestRecognitionErrors(t *testing.T) {
	small := func(change func(r *Recognition)) Recognition {
		r := Recognition{Language: Dyck{2}, Parts: []Part{{Train, 10, 2, 8}, {Test, 10, 10, 12}}, MostDifficult: 1}
		change(&r)
		return r
	}
	for _, c := range []struct {
		corpus Recognition
		want   string // empty if it can be drawn
	}{
		{small(func(r *Recognition) {}), ""},
		{small(func(r *Recognition) { r.Parts[0] = Part{Train, 4, 2, 2} }), ""},
		{small(func(r *Recognition) { r.Language = nil }), "recognition corpus: there is no language, want one"},
		{small(func(r *Recognition) { r.Language = Dyck{8} }), "recognition corpus of D8: 8 types of brackets, want 1 to 7"},
		{small(func(r *Recognition) { r.Language = Dyck{} }), "recognition corpus of D0: 0 types of brackets, want 1 to 7"},
		{small(func(r *Recognition) { r.Parts = nil }), "recognition corpus of D2: there are no parts, want at least one"},
		{small(func(r *Recognition) { r.Parts[1].Name = "" }), `recognition corpus of D2: part "": it has no name, want one`},
		{small(func(r *Recognition) { r.Parts[1].Name = Train }), `recognition corpus of D2: two parts are named "train", want a name for each`},
		{small(func(r *Recognition) { r.Parts[1].Strings = 1 }), `recognition corpus of D2: part "test": 1 strings, want 2 to 16777216`},
		{small(func(r *Recognition) { r.Parts[1].MinLength = 0 }), `recognition corpus of D2: part "test": strings of 0 to 12 symbols, want 1 <= least <= most <= 16384`},
		{small(func(r *Recognition) { r.Parts[1].MinLength = 13 }), `recognition corpus of D2: part "test": strings of 13 to 12 symbols, want 1 <= least <= most <= 16384`},
		{small(func(r *Recognition) { r.Parts[1].MaxLength = 16385 }), `recognition corpus of D2: part "test": strings of 10 to 16385 symbols, want 1 <= least <= most <= 16384`},
		{small(func(r *Recognition) { r.Parts[1] = Part{Test, 10, 7, 7} }), `recognition corpus of D2: part "test": no string of the language has 7 to 7 symbols`},
		{small(func(r *Recognition) { r.Language = Palindrome{}; r.Parts[1] = Part{Test, 10, 8, 8} }), `recognition corpus of palindrome: part "test": no string of the language has 8 to 8 symbols`},
		{small(func(r *Recognition) { r.LeastDifficult = 2 }), `recognition corpus of D2: share of difficult strings: have a range from 2 to 1, want 0 <= least <= most <= 1`},
		{small(func(r *Recognition) { r.LeastDifficult = -0.1 }), `recognition corpus of D2: share of difficult strings: have a range from -0.1 to 1, want 0 <= least <= most <= 1`},
		// D2 has 2 strings of 2 brackets, 8 strings of 4 and 40 strings of 6.
		{small(func(r *Recognition) { r.Parts[0] = Part{Train, 5, 2, 2} }), `recognition corpus of D2: parts [train] need 3 different strings of 2 to 2 symbols, but the language has 2: they cannot be disjoint`},
		{small(func(r *Recognition) {
			r.Parts = []Part{{Train, 60, 4, 6}, {Dev, 20, 2, 4}, {Test, 22, 2, 6}}
		}), `recognition corpus of D2: parts [train dev test] need 51 different strings of 2 to 6 symbols, but the language has 50: they cannot be disjoint`},
		{small(func(r *Recognition) {
			r.Parts = []Part{{Train, 80, 6, 7}, {Dev, 2, 5, 6}, {Test, 20, 2, 6}}
		}), `recognition corpus of D2: parts [train dev] need 41 different strings of 5 to 7 symbols, but the language has 40: they cannot be disjoint`},
	} {
		_, err := c.corpus.Draw(1)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got error  %q\nwant error %q", got, c.want)
		}
	}
}

// TestPartsTakeUpAShortLanguage checks that a corpus can be drawn even if it needs every
// string of the lengths that its parts allow.
func TestPartsTakeUpAShortLanguage(t *testing.T) {
	r := Recognition{Language: Dyck{2}, Parts: []Part{{Train, 4, 2, 2}, {Dev, 16, 4, 4}, {Test, 80, 6, 6}}}
	for seed := range uint64(3) {
		parts, err := r.Draw(seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range parts {
			if got, want := c.Count(Positive), c.Part.Strings/2; got != want {
				t.Errorf("seed %d, part %s: %d strings of the language, want %d", seed, c.Part.Name, got, want)
			}
		}
	}
}
