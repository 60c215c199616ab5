package main

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// An aim is a speed that we want in some benchmarks of ci/baselines/run. A row that reaches either of its limits meets it.
type aim struct {
	name       string
	benchmarks *regexp.Regexp
	minRatio   float64 // of our speed to that of the fastest peer, or 0 if there is no such limit
	minBound   float64 // per cent of the bound, or 0
}

var aims = []aim{
	{"networks", regexp.MustCompile(`^Train/`), 1.3, 88},
	{"large networks on two threads", regexp.MustCompile(`^Train/case=[acegkl]/threads=2$`), 0, 85},
	{"whole jobs", regexp.MustCompile(`^Job/`), 3, 0},
	{"products", regexp.MustCompile(`^GEMM/`), 0.97, 0},
	{"networks of the group growth", growing, 1.3, 88},
}

// String returns the aim in words.
func (a aim) String() string {
	var list []string
	if a.minRatio > 0 {
		list = append(list, strconv.FormatFloat(a.minRatio, 'f', -1, 64)+" times the fastest peer")
	}
	if a.minBound > 0 {
		list = append(list, strconv.FormatFloat(a.minBound, 'f', -1, 64)+" per cent of the bound")
	}
	return a.name + ": " + strings.Join(list, " or ")
}

// peakColumn is the column of a table with the per cent of the bound.
const peakColumn = 2

// meets reports whether a row of a table meets the aim, and returns, in words, its values that the aim limits.
func (a aim) meets(p *printout, c *comparison, l comparisonLine) (met bool, has string, err error) {
	ratio, err := c.ratio(p.name, l)
	if err != nil {
		return false, "", err
	}
	bound, bounded, err := c.number(p.name, l, peakColumn)
	if err != nil {
		return false, "", err
	}
	var list []string
	if a.minRatio > 0 {
		met = ratio >= a.minRatio
		list = append(list, fmt.Sprintf("%.3f times", ratio))
	}
	switch {
	case a.minBound > 0 && bounded:
		met = met || bound >= a.minBound
		list = append(list, fmt.Sprintf("%.1f per cent", bound))
	case a.minBound > 0:
		list = append(list, "no bound")
	}
	return met, strings.Join(list, ", "), nil
}

// aimTable returns a table in Markdown that shows how many rows of each printout meet each aim, and which do not.
func aimTable(list []*printout) (string, error) {
	lines := [][]string{{"tables", "aim", "met", "rows that miss it"}}
	for _, p := range list {
		for _, a := range aims {
			rows := 0
			var missed []string
			for _, c := range p.tables {
				for _, l := range c.lines {
					if !a.benchmarks.MatchString(l.words[0]) {
						continue
					}
					rows++
					met, has, err := a.meets(p, c, l)
					if err != nil {
						return "", err
					}
					if !met {
						_, row, _ := strings.Cut(l.words[0], "/")
						missed = append(missed, row+" ("+has+")")
					}
				}
			}
			if rows > 0 {
				lines = append(lines, []string{strings.TrimSuffix(path.Base(p.name), ".txt"), a.String(), fmt.Sprintf("%d of %d", rows-len(missed), rows), strings.Join(missed, ", ")})
			}
		}
	}
	return markdownRows(lines), nil
}
