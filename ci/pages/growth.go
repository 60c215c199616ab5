package main

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/plot"
	"pushdown/suites/throughput"
)

// growthFile is the end of the name of a printout of the group growth of ci/baselines/run.
const growthFile = "-growth.txt"

// isGrowth reports whether the printout shows how the cost grows, and not how fast the suites are.
func (p *printout) isGrowth() bool { return strings.HasSuffix(p.name, growthFile) }

// drawing returns the name of the drawing of the printout.
func (p *printout) drawing() string { return strings.TrimSuffix(p.name, ".txt") + ".svg" }

// Grown returns the names of the drawings of all printouts of growth.
func (r *report) Grown() (list []string, err error) {
	names, err := fs.Glob(r.fsys, path.Dir(measured)+"/*"+growthFile)
	for _, name := range names {
		list = append(list, (&printout{name: name}).drawing())
	}
	return list, err
}

// growing matches a benchmark of how the cost grows: the network, the letter of the size that varies, its value, and the
// number of threads.
var growing = regexp.MustCompile(`^Grow/case=([a-z-]+)/([A-Za-z]+)=(\d+)/threads=(\d+)$`)

// letters says what each size is.
var letters = map[string]string{"h": "units", "B": "strings in an update", "T": "symbols in a string", "V": "symbols of the vocabulary", "stacks": "stacks"}

// A side is what is timed: our code or a peer, in a table of growth.
type side struct {
	name          string
	speed, memory int // columns
}

// sides returns the sides of a table.
func (c *comparison) sides() (list []side) {
	for i, name := range c.columns {
		switch {
		case i == 0 || slices.Contains([]string{peak, "ratio", "range", "way"}, name):
		case name == "MB":
			if n := len(list); n > 0 {
				list[n-1].memory = i
			}
		default:
			list = append(list, side{name: name, speed: i})
		}
	}
	return list
}

// growth draws the tables of a printout of growth: a row of panels for each size, speed and memory, with a line for each
// side and number of threads.
func (p *printout) growth() (plot.Grid, error) {
	g := plot.Grid{
		Title: "How speed and memory grow with a size of the network",
		Source: strings.Join(p.notes, "; ") + ". An update is a forward pass, a backward pass and a step of Adam. Memory is that of the process, with the framework. " +
			"But for the size on the axis, the LSTM has 256 units, embeddings of 128 and 64 strings, the Stack RNN 100 units and 32 strings; strings have 32 symbols of a vocabulary of 64.",
	}
	hues := map[string]plot.Hue{ours: plot.Blue, "pytorch": plot.Orange, "jax": plot.Green}
	names := map[string]string{ours: "ours", "pytorch": "PyTorch", "jax": "JAX"}
	what := make(map[string]string)
	var axes []string // network and letter, in the order of the list
	for _, c := range throughput.Growth() {
		network, size, _ := strings.Cut(c.Name, "/")
		letter, _, _ := strings.Cut(size, "=")
		axes = with(axes, network+"/"+letter)
		what[network] = c.What
	}
	for _, a := range axes {
		network, letter, _ := strings.Cut(a, "/")
		title, labels := what[network]+", by "+letters[letter], []string{"tokens/s", "memory, MB"}
		panels := make([]plot.Panel, len(labels))
		for _, c := range p.tables {
			for _, s := range c.sides() {
				hue, ok := hues[s.name]
				if !ok || s.memory == 0 {
					return g, fmt.Errorf("%s: have the column %s, want ours, pytorch and jax, each with its MB", p.name, s.name)
				}
				for i, column := range []int{s.speed, s.memory} {
					curve := plot.Curve{Name: names[s.name], Hue: hue}
					for _, l := range c.lines {
						m := growing.FindStringSubmatch(l.words[0])
						if m[1] != network || m[2] != letter {
							continue
						}
						if m[4] != "1" {
							curve.Name, curve.Dashed = names[s.name]+", "+m[4]+" threads", true
						}
						x, err := strconv.ParseFloat(m[3], 64)
						if err != nil {
							return g, fmt.Errorf("%s:%d: %w", p.name, l.number, err)
						}
						y, ok, err := c.number(p.name, l, column)
						if err == nil && (!ok || y <= 0) {
							err = fmt.Errorf("%s:%d: have %q for %s, want a number above 0", p.name, l.number, l.words[column], c.columns[column])
						}
						if err != nil {
							return g, err
						}
						curve.X, curve.Y = append(curve.X, x), append(curve.Y, y)
					}
					if len(curve.X) > 0 {
						panels[i].Curves = append(panels[i].Curves, curve)
					}
				}
			}
		}
		for i := range panels {
			var x, y []float64
			for _, c := range panels[i].Curves {
				x, y = append(x, c.X...), append(y, c.Y...)
			}
			if len(x) == 0 {
				return g, fmt.Errorf("%s: have no numbers of %s, want some", p.name, a)
			}
			low, high := decades(slices.Min(y), slices.Max(y))
			panels[i].Title = title
			panels[i].X = plot.Axis{Label: letters[letter], Log: true, Min: slices.Min(x), Max: slices.Max(x)}
			panels[i].Y = plot.Axis{Label: labels[i], Log: true, Min: low, Max: high}
		}
		g.Rows = append(g.Rows, panels)
	}
	return g, nil
}

// decades returns powers of ten between which the values from low to high are. low must be positive.
func decades(low, high float64) (from, to float64) {
	from, to = math.Pow10(decade(low)), math.Pow10(decade(high))
	if to < high {
		to *= 10
	}
	return from, max(to, 10*from)
}
