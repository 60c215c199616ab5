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
	Dots   []dot
	Line   []string // pieces of the line, in a box of 1000 by chartHeight
	Bound  []string
	Across []tick
	Up     []tick
	Peer   []peerMark
	Lines  []speedLine
	Height int
}

// A peerMark is the median of a peer at a point.
type peerMark struct {
	X, Y, Text string
	Index      int // of the peer, which gives the shape
}

// A speedLine is a point of a benchmark in words.
type speedLine struct {
	Point, Processor  string
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

// chart draws a benchmark.
func (s *speed) chart(b *benchmark) *speedChart {
	c := &speedChart{benchmark: b, Height: chartHeight}
	top := 0.0
	for _, p := range s.Points {
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
	across := axis{from: 0, to: float64(len(s.Points) - 1), lo: 8, hi: 92}
	line, bound := pieces{up: up}, pieces{up: up}
	every := (len(s.Points) + 4) / 5 // at most five labels
	for i, p := range s.Points {
		x := across.at(float64(i))
		if i%every == 0 {
			c.Across = append(c.Across, tick{decimal(x), p.Label(), "middle"})
		}
		l := speedLine{Point: p.String(), Processor: s.processor[p], Samples: len(b.ours[p])}
		if i > 0 && (p.Commit == "" || s.processor[p] != s.processor[s.Points[i-1]]) {
			line.cut() // times of different machines do not compare
			bound.cut()
		}
		for _, v := range b.ours[p] {
			c.Dots = append(c.Dots, dot{decimal(x), decimal(up.at(v)), rounded(v) + " " + b.Unit})
		}
		ours, ok := median(b.ours[p])
		if ok {
			l.Ours = rounded(ours)
			line.add(x, ours)
		}
		if v, ok := b.bound(p); ok {
			l.Bound = rounded(v)
			peak, _ := median(b.peak[p])
			l.Peak = rounded(peak)
			bound.add(x, v)
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
	c.Line, c.Bound = line.end(), bound.end()
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
