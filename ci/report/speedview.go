package main

import (
	"fmt"
	"strings"
)

// A speedView is the data of the page on speed.
type speedView struct {
	*speed
	Charts []*speedChart
}

// A speedChart shows a benchmark: a dot for each result, the median of each point joined by a
// line, the bound, and the peers.
type speedChart struct {
	*benchmark
	About  string
	Dots   []speedDot
	Line   []speedPiece // in a box of 1000 by chartHeight
	Bound  []speedPiece
	Across []tick
	Up     []tick
	Peer   []peerMark
	Lines  []speedLine
	Height int
}

// A speedDot is a result. Colour is 0 to 3, by machine.
type speedDot struct {
	dot
	Colour int
}

// A speedPiece is a piece of the line of a machine.
type speedPiece struct {
	Corners string
	Colour  int
}

// A peerMark is the median of a peer at a point.
type peerMark struct {
	X, Y, Text string
	Index      int // of the peer, which gives the shape
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

// view returns the data of the page on speed, or nil if there is none.
func (s *speed) view() *speedView {
	if s == nil {
		return nil
	}
	v := &speedView{speed: s}
	for _, b := range s.Benchmarks {
		v.Charts = append(v.Charts, s.chart(b))
	}
	return v
}

// rounded formats a speed with four significant digits.
func rounded(v float64) string {
	digits := 0
	for x := max(v, -v); 0 < x && x < 1000 && digits < 6; x *= 10 {
		digits++
	}
	text := fmt.Sprintf("%.*f", digits, v)
	if strings.Contains(text, ".") {
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
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
		results += len(b.ours[p])
		for _, v := range b.ours[p] {
			top = max(top, v)
		}
		if v, ok := b.bound(p); ok {
			top = max(top, v)
		}
		for _, list := range b.peers[p] {
			m, _ := median(list)
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
	lines, bounds := make(map[point]*pieces), make(map[point]*pieces)
	var order []point // of the lines
	at := 0
	for _, p := range s.Points {
		for columns[at] != p.column() {
			at++
		}
		x := across.at(float64(at))
		group := point{Machine: p.Machine}
		if p.Commit == "" {
			group = p
		}
		if lines[group] == nil {
			lines[group], bounds[group] = &pieces{up: up}, &pieces{up: up}
			order = append(order, group)
		}
		l := speedLine{Point: p.String(), Machine: s.machine(p.Machine), Colour: p.colour(), Samples: len(b.ours[p])}
		ours, ok := median(b.ours[p])
		list := b.ours[p]
		if results > mostDots && ok {
			list = []float64{ours}
		}
		for _, v := range list {
			c.Dots = append(c.Dots, speedDot{dot{decimal(x), decimal(up.at(v)), rounded(v) + " " + b.Unit}, p.colour()})
		}
		if ok {
			l.Ours = rounded(ours)
			lines[group].add(x, ours)
		}
		if v, ok := b.bound(p); ok {
			l.Bound = rounded(v)
			peak, _ := median(b.peak[p])
			l.Peak = rounded(peak)
			bounds[group].add(x, v)
		}
		any := ok
		for k, peer := range b.Peers {
			m, has := median(b.peers[p][peer])
			text, ratio := "", ""
			if has {
				any = true
				text = rounded(m)
				c.Peer = append(c.Peer, peerMark{decimal(x), decimal(up.at(m)), peer + ": " + text + " " + b.Unit, k % 3})
				switch {
				case !ok:
				case b.Higher && m > 0:
					ratio = rounded(ours / m)
				case !b.Higher && ours > 0:
					ratio = rounded(m / ours)
				}
			}
			l.Peers, l.Ratios = append(l.Peers, text), append(l.Ratios, ratio)
		}
		if any {
			c.Lines = append(c.Lines, l)
		}
	}
	for _, group := range order {
		for _, corners := range lines[group].end() {
			c.Line = append(c.Line, speedPiece{corners, group.colour()})
		}
		for _, corners := range bounds[group].end() {
			c.Bound = append(c.Bound, speedPiece{corners, group.colour()})
		}
	}
	c.Up = up.ticks(4)
	c.About = fmt.Sprintf("%s in %s at %d points", b.Name, b.Unit, len(c.Lines))
	return c
}

// pieces collects a line that may be cut.
type pieces struct {
	up   axis
	list []string
	now  []string
	x, v float64 // the last point
}

// add adds a point, with x in per cent.
func (p *pieces) add(x, v float64) {
	p.x, p.v = x, v
	p.now = append(p.now, p.corner(x))
}

func (p *pieces) corner(x float64) string {
	return decimal(10*x) + "," + decimal(p.up.at(p.v)*chartHeight/100)
}

// cut ends a piece. A single point becomes a short line.
func (p *pieces) cut() {
	switch len(p.now) {
	case 0:
		return
	case 1:
		p.now = []string{p.corner(p.x - 3), p.corner(p.x + 3)}
	}
	p.list = append(p.list, strings.Join(p.now, " "))
	p.now = nil
}

func (p *pieces) end() []string {
	p.cut()
	return p.list
}
