package papers

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRelation(t *testing.T) {
	const a, b = "[p:1:a:m:s]", "[p:1:b:m:s]"
	for _, test := range []struct {
		text   string
		values []float64
		want   bool
	}{
		{a + " < " + b, []float64{1, 2}, true},
		{a + " < " + b, []float64{2, 2}, false},
		{a + " <= " + b, []float64{2, 2}, true},
		{a + " > " + b, []float64{2, 2}, false},
		{a + " > " + b, []float64{3, 2}, true},
		{a + " >= " + b, []float64{2, 2}, true},
		{a + " >= " + b, []float64{1.9, 2}, false},
		{a + " == 100", []float64{100}, true},
		{a + " == -0.5", []float64{-0.5}, true},
		{a + " == 100", []float64{99}, false},
		{a + " == " + a, []float64{math.NaN()}, false},
		{"max(" + a + "," + b + ",3) == 3", []float64{1, 2}, true},
		{"min(" + a + ", " + b + ") < 1", []float64{1, 2}, false},
		{"max(" + a + ") > 0", []float64{1}, true},
		{"absdiff(" + a + "," + b + ") <= 3", []float64{5, 8}, true},
		{"absdiff(" + a + "," + b + ") <= 3", []float64{5, 8.5}, false},
		{a + " < " + b + " & " + b + " < 5", []float64{1, 4}, true},
		{a + " < " + b + " & " + b + " < 5", []float64{1, 6}, false},
		{a + " < " + b + "  &  " + b + "  <  5 ", []float64{3, 2}, false},
	} {
		r, err := ParseRelation(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if have := r.Holds(test.values); have != test.want {
			t.Errorf("%s on %v: have %v, want %v", test.text, test.values, have, test.want)
		}
	}
}

// TestParts checks into how many comparisons a relation is split, and which of them hold.
func TestParts(t *testing.T) {
	const a, b, c = "[p:1:a:m:s]", "[p:1:b:m:s]", "[p:1:c:m:s]"
	for text, want := range map[string][]bool{ // where a is 1, b is 2 and c is 3
		a + " < " + b:                                                      {true},
		"max(" + a + "," + b + ") < " + c:                                  {true, true},
		"max(" + a + "," + c + ") < " + b:                                  {true, false},
		a + " < min(" + b + "," + c + ")":                                  {true, true},
		"min(" + b + "," + c + ") > " + a:                                  {true, true},
		"min(" + b + "," + a + ") >= max(" + c + ",1,0)":                   {false, true, true, false, true, true},
		"max(" + a + "," + c + ") > " + b:                                  {true}, // one is enough
		"min(" + a + "," + c + ") <= " + b:                                 {true},
		b + " < max(" + a + "," + c + ")":                                  {true},
		"max(" + a + "," + b + ") == 2":                                    {true},
		"absdiff(" + a + "," + c + ") <= 1 & " + b + " < max(" + a + ",0)": {true, false, false},
		"1 >= absdiff(" + a + "," + b + ")":                                {true, true},
		"absdiff(" + a + "," + b + ") > 1":                                 {false},
	} {
		r, err := ParseRelation(text)
		if err != nil {
			t.Fatal(err)
		}
		var values []float64
		for _, k := range r.Keys() {
			values = append(values, map[string]float64{"a": 1, "b": 2, "c": 3}[k.Row])
		}
		var have []bool
		for i := range r.Parts() {
			have = append(have, r.PartHolds(i, values))
		}
		if !slices.Equal(have, want) || r.Holds(values) == slices.Contains(want, false) {
			t.Errorf("%s: have %v, want %v", text, have, want)
		}
	}
}

func TestRelationSyntax(t *testing.T) {
	const a = "[p:1:a:m:s]"
	for text, want := range map[string]string{
		"": "have no comparison, want two", a: "have no comparison, want two", a + " < ": "have no comparison, want two", a + " = 1": "have no comparison, want two", a + " != 1": "have no comparison, want two",
		a + " < 1 & ": `relation: "": have no comparison`, a + " < 1 | 2 < 3": "have an operand of another kind", a + " < 1 2": "have no comparison, want two", a + " < 1 < 2": "have an operand of another kind",
		"[p:1:a:m] < 1": `have "[p:1:a:m]", want [paper:table:row:metric:stat]`, "[p:1:a:m:s:x] < 1": `have "[p:1:a:m:s:x]", want`, "[p:1::m:s] < 1": `row: have "", want letters`, "[p:1:a b:m:s] < 1": `row: have "a b", want`,
		"[p:1:a:m:s < 1": "have no comparison, want two", "-" + a + " < 1": "want a plain decimal", `"" < 1`: "want [paper:table:row:metric:stat]", "'a' < 1": "want [paper:table:row:metric:stat]",
		"1e3 < 2": `have "1e3", want a plain decimal`, "0x10 < 2": `have "0x10", want`, ".5 < 2": `have ".5", want`, "5. < 2": `have "5.", want`, "1_0 < 2": `have "1_0", want`, "--5 < 2": "have no comparison, want two", "+5 < 2": "have an operand of another kind",
		"nan < 2": "have an operand of another kind", "(1) < 2": "have an operand of another kind", "max() < 1": "have 0 operands of max", "max(1 2) < 1": "have no comparison, want two", "max(1,2": "have no comparison, want two",
		"max(max(1,2),3) < 4": "have an operand of another kind", "max(1 ...) < 4": "have another function", "absdiff(1) < 2": "have 1 operands of absdiff", "absdiff(1,2,3) < 2": "have 3 operands of absdiff", "sum(1,2) < 4": "have another function",
		a + "< 1": "have no spaces around <", a + " <1": "have no spaces", "1 < 2&2 < 3": "have & without spaces", "1 < 2 // 3": "have no comparison", "1 < 2 /* 3 */": "have no comparison",
	} {
		if _, err := ParseRelation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have error %v, want %s", text, err, want)
		}
	}
}

// FuzzParseRelation checks that a relation that parses can be evaluated.
func FuzzParseRelation(f *testing.F) {
	for _, c := range Published().Claims {
		if c.Relation != nil {
			f.Add(c.Relation.String())
		}
	}
	for _, seed := range []string{"", "1 < 2", "max(1,-2.50) >= [a:b:c:d:e]  &  0 == 0", "absdiff([a:b:c:d:e],[", "[a:b:c:d:e] <> 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRelation(text)
		if err != nil {
			return
		}
		values := make([]float64, len(r.Keys()))
		for i := range values {
			values[i] = float64(i)
		}
		r.Holds(values)
	})
}
