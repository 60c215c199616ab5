package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// schemes returns the colours of the style sheet by name, in the light and in the dark scheme.
func schemes(css string) (light, dark map[string]string) {
	light, dark = make(map[string]string), make(map[string]string)
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(css, -1) {
		light[m[1]], dark[m[1]] = m[2], m[3]
	}
	return light, dark
}

// luminance returns the relative luminance of a colour as WCAG 2 defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += float64(weight * c)
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast checks that text has a contrast of at least 4.5, and parts of drawings one of at
// least 3, in both schemes: level AA of WCAG 2.
func TestContrast(t *testing.T) {
	css, err := assets.ReadFile("templates/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark := schemes(string(css))
	for scheme, of := range map[string]map[string]string{"light": light, "dark": dark} {
		pairs := 0
		check := func(a, b string, least float64) {
			t.Helper()
			pairs++
			if of[a] == "" || of[b] == "" {
				t.Fatalf("%s: have no colour %s or %s", scheme, a, b)
			}
			if have := contrast(t, of[a], of[b]); have < least {
				t.Errorf("%s: %s on %s: have a contrast of %.2f, want %.1f", scheme, a, b, have, least)
			}
		}
		for _, ground := range []string{"bg", "panel"} {
			for _, text := range []string{"fg", "muted", "link"} {
				check(text, ground, 4.5)
			}
		}
		check("edge", "bg", 3)
		for name := range of {
			if outcome, ok := strings.CutSuffix(name, "-fg"); ok {
				check(name, outcome+"-bg", 4.5)
				check(name, "bg", 4.5) // variants stand on a mixture of the two
				check("fg", outcome+"-bg", 4.5)
			}
			if strings.HasPrefix(name, "bar-") && name != "bar-ink" {
				check("bar-ink", name, 4.5)
				check(name, "bg", 3)
			}
		}
		if pairs < 40 {
			t.Errorf("%s: have %d pairs of colours, want at least 40", scheme, pairs)
		}
	}
	if have := contrast(t, "#777777", "#ffffff"); math.Abs(have-4.478) > 0.001 {
		t.Errorf("#777777 on white: have %.3f, want 4.478", have)
	}
	for _, m := range regexp.MustCompile(`#[0-9a-f]{3,8}\b`).FindAllString(string(css[strings.LastIndex(string(css), "--bar-ink"):]), -1) {
		if m != dark["bar-ink"] && m != "#ffffff" { // the ground of pictures
			t.Errorf("have the colour %s outside the schemes, want a name", m)
		}
	}
}
