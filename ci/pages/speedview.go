package main

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/harness/verdict"
)

// A speedChart shows a benchmark: a dot for each result, the median of each point joined by a
// line, the bound, and the peers.
type speedChart struct {
	*benchmark
	About  string
	Dots   []speedDot
	Line   []*speedPiece // in a box of 1000 by chartHeight, as Bound
	Bound  []*speedPiece
	Across []tick
	Up     []tick
	Peer   []speedDot
	Lines  []speedLine
	Height int
}

// A speedDot is a result, or the median of a peer at a point.
type speedDot struct {
	dot
	Colour int // 0 to 3, by machine; of a peer, 0 to 2, by its place among the peers
}

// A speedPiece is the line of a machine.
type speedPiece struct {
	of      point // without the commit
	Colour  int
	corners [][2]float64
}

// Corners returns the corners of the line. A single point becomes a short line.
func (p *speedPiece) Corners() string {
	list := p.corners
	if len(list) == 1 {
		x, y := list[0][0], list[0][1]
		list = [][2]float64{{x - 3, y}, {x + 3, y}}
	}
	var text []string
	for _, c := range list {
		text = append(text, decimal(10*c[0])+","+decimal(c[1]*chartHeight/100))
	}
	return strings.Join(text, " ")
}

// A speedLine is a point of a benchmark in words.
type speedLine struct {
	Point, Machine    string
	Colour            int
	Ours, Bound, Peak string
	Samples           int
	Peers             []string // the medians of the peers
	Ratios            []string // our speed divided by the peer's
}

// Charts draws the benchmarks.
func (s *speed) Charts() (list []*speedChart) {
	for _, b := range s.Benchmarks {
		list = append(list, s.chart(b))
	}
	return list
}

// Fold reports whether the numbers are too many to be always shown.
func (c *speedChart) Fold() bool { return len(c.Lines) > 12 }

// colour returns the colour of a machine.
func (p point) colour() int { return max(0, p.Machine-1) % 4 }

// mostDots is the number of results of a chart above which a dot is the median of a point.
const mostDots = 300

// chart draws a benchmark.
func (s *speed) chart(b *benchmark) *speedChart {
	c := &speedChart{benchmark: b, Height: chartHeight}
	var columns []point
	top, results := 0.0, 0
	for _, p := range s.Points {
		if column := p.column(); len(columns) == 0 || columns[len(columns)-1] != column {
			columns = append(columns, column)
		}
		results += len(b.values[p][ours])
		bound, _ := b.bound(p)
		for _, v := range append([]float64{bound}, b.values[p][ours]...) {
			top = max(top, v)
		}
		for _, peer := range b.Peers {
			m, _ := b.median(p, peer)
			top = max(top, m)
		}
	}
	up := axis{from: 0, to: top, lo: 100, hi: chartTop}
	across := axis{from: 0, to: float64(len(columns) - 1), lo: 8, hi: 92}
	every := (len(columns) + 4) / 5 // at most five labels
	for i := 0; i < len(columns); i += every {
		c.Across = append(c.Across, tick{decimal(across.at(float64(i))), columns[i].Label(), "middle"})
	}
	// Times of different machines do not compare, and a file is a line of its own.
	join := func(list []*speedPiece, p point, x, v float64) []*speedPiece {
		if p.Commit != "" {
			p = point{Machine: p.Machine}
		}
		i := slices.IndexFunc(list, func(piece *speedPiece) bool { return piece.of == p })
		if i < 0 {
			i, list = len(list), append(list, &speedPiece{of: p, Colour: p.colour()})
		}
		list[i].corners = append(list[i].corners, [2]float64{x, up.at(v)})
		return list
	}
	at := 0
	for _, p := range s.Points {
		if b.values[p] == nil {
			continue
		}
		for columns[at] != p.column() {
			at++
		}
		x := across.at(float64(at))
		median, ok := b.median(p, ours)
		dots := b.values[p][ours]
		l := speedLine{Point: p.String(), Machine: s.machine(p.Machine), Colour: p.colour(), Samples: len(dots)}
		if results > mostDots && ok {
			dots = []float64{median}
		}
		for _, v := range dots {
			c.Dots = append(c.Dots, speedDot{dot{decimal(x), decimal(up.at(v)), verdict.Short(v) + " " + b.Unit}, p.colour()})
		}
		if ok {
			l.Ours = verdict.Short(median)
			c.Line = join(c.Line, p, x, median)
		}
		if v, ok := b.bound(p); ok {
			of, _ := b.median(p, peak)
			l.Bound, l.Peak = verdict.Short(v), verdict.Short(of)
			c.Bound = join(c.Bound, p, x, v)
		}
		for k, peer := range b.Peers {
			text, ratio := "", ""
			if m, has := b.median(p, peer); has {
				text = verdict.Short(m)
				c.Peer = append(c.Peer, speedDot{dot{decimal(x), decimal(up.at(m)), peer + ": " + text + " " + b.Unit}, k % 3})
				switch {
				case !ok:
				case b.Higher && m > 0:
					ratio = verdict.Short(median / m)
				case !b.Higher && median > 0:
					ratio = verdict.Short(m / median)
				}
			}
			l.Peers, l.Ratios = append(l.Peers, text), append(l.Ratios, ratio)
		}
		c.Lines = append(c.Lines, l)
	}
	c.Up = up.ticks(4)
	c.About = fmt.Sprintf("%s in %s at %d points", b.Name, b.Unit, len(c.Lines))
	return c
}
