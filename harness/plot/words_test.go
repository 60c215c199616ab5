package plot

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// heat returns a heat map with two copies of a text of n words, whose classes
// alternate.
func heat(n int) Words {
	w := Words{Title: "Heat", Source: "somewhere", Classes: []string{"cell 1", "cell 2"}}
	for b := range 2 {
		block := Block{Title: fmt.Sprintf("seed %d", b+1)}
		for i := range n {
			block.Words = append(block.Words, Word{Text: []string{"(a", "a)"}[i%2], Class: i % 2, Weight: []float64{0.5, 1}[i%2]})
		}
		w.Blocks = append(w.Blocks, block)
	}
	return w
}

// TestWords checks that the SVG has each word once, with a background of its class and
// weight.
func TestWords(t *testing.T) {
	const n = 104
	im := svg(t, heat(n))
	half, full := fmt.Sprintf("fill-opacity:%.5g", 70/255.0), fmt.Sprintf("fill-opacity:%.5g", 140/255.0)
	for _, c := range []struct{ fill, opacity string }{{blueFill, half}, {"fill:#D45D00", full}} {
		shapes := 0
		for _, p := range im.with(c.fill, c.opacity) {
			shapes += p.shapes()
		}
		if c.fill == "fill:#D45D00" {
			shapes-- // in the legend
		}
		if shapes != n {
			t.Errorf("%d grounds of %s at %s, want %d", shapes, c.fill, c.opacity, n)
		}
	}
	words, lines := 0, 0
	for _, s := range im.texts {
		if k := strings.Count(s, "(a") + strings.Count(s, "a)"); k > 0 {
			words, lines = words+k, lines+1
		}
	}
	if words != 2*n || lines < 6 || lines > 10 {
		t.Errorf("%d words in %d lines, want %d in some", words, lines, 2*n)
	}
	for _, s := range []string{"Heat", "somewhere", "cell 1", "cell 2", "seed 1", "seed 2"} {
		if im.says(s) != 1 {
			t.Errorf("text %q: have it %d times, want once", s, im.says(s))
		}
	}
	_, few := heat(10).size()
	_, many := heat(n).size()
	if want := float64(lines-2) * wordHeight; math.Abs(float64(many-few)-want) > 0.01 {
		t.Errorf("the longer text is %v higher, want %v", many-few, want)
	}
}

// TestHuesOfWords checks that the backgrounds have the colors of Hues.
func TestHuesOfWords(t *testing.T) {
	w := heat(10)
	w.Hues = []Hue{Green, Orange}
	im := svg(t, w)
	if green := im.with("fill:#009D72", fmt.Sprintf("fill-opacity:%.5g", 70/255.0)); len(green) == 0 {
		t.Error("no ground is green")
	}
	if blue := im.with(blueFill, fmt.Sprintf("fill-opacity:%.5g", 70/255.0)); len(blue) > 0 {
		t.Errorf("%d grounds are blue, want none", len(blue))
	}
}

// TestPaddedWords checks that blanks within words keep their width, that blanks at the
// start of a line are removed, and that a word of weight 0 has no background.
func TestPaddedWords(t *testing.T) {
	w := heat(2)
	w.Blocks = []Block{{Words: []Word{{Text: "    .", Weight: 0}, {Text: " 0.50", Weight: 1}}}}
	im := svg(t, w)
	if want := strings.ReplaceAll(". ~0.50", "~", "\u00a0"); im.says(want) != 1 {
		t.Errorf("texts are %q, want one to be %q", im.texts, want)
	}
	shapes := 0
	for _, p := range im.paths {
		if strings.Contains(p.style, "#-") {
			t.Errorf("a shape has the style %q, which is no colour", p.style)
		}
		if strings.Contains(p.style, blueFill) {
			shapes += p.shapes()
		}
	}
	if shapes != 2 { // one of them in the legend
		t.Errorf("%d shapes of the class, want 2", shapes)
	}
}

// TestBadWords checks the errors for invalid heat maps.
func TestBadWords(t *testing.T) {
	for want, change := range map[string]func(*Words){
		`have the hues [0] for 2 classes, want one of the palette for each`:   func(w *Words) { w.Hues = []Hue{Blue} },
		`have the hues [0 9] for 2 classes, want one of the palette for each`: func(w *Words) { w.Hues = []Hue{Blue, 9} },
		`have 0 classes, want 1 to 5`:                                         func(w *Words) { w.Classes = nil },
		`have no text, want one or mo`:                                        func(w *Words) { w.Blocks = nil },
		`"seed 2": have no words`:                                             func(w *Words) { w.Blocks[1].Words = nil },
		`"seed 1": word 2: have "" of`:                                        func(w *Words) { w.Blocks[0].Words[1].Text = "" },
		`word 1: have "(a" of class 2`:                                        func(w *Words) { w.Blocks[0].Words[0].Class = 2 },
		`class 0 with weight 1.5`:                                             func(w *Words) { w.Blocks[0].Words[0].Weight = 1.5 },
		`class 0 with weight NaN`:                                             func(w *Words) { w.Blocks[0].Words[0].Weight = math.NaN() },
		`figure: have title "" and source "somewhere", want both`:             func(w *Words) { w.Title = "" },
	} {
		w := heat(4)
		change(&w)
		var b bytes.Buffer
		if err := SVG(&b, w); err == nil || !strings.Contains(err.Error(), want) || b.Len() > 0 {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
