package main

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// An aim is a speed that we want in some benchmarks of ci/baselines/run.
type aim struct {
	what       string
	benchmarks *regexp.Regexp
	ratio      float64 // least ratio of our speed to that of the fastest peer, or 0
	bound      float64 // least per cent of the bound, or 0; of both, one suffices
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
	if a.ratio > 0 {
		list = append(list, number(a.ratio)+" times the fastest peer")
	}
	if a.bound > 0 {
		list = append(list, number(a.bound)+" per cent of the bound")
	}
	return a.what + ": " + strings.Join(list, " or ")
}

// missed returns by how much a line of a table misses the aim: its ratio and its per cent of the bound, as far as the aim
// speaks of them. It returns "" if the line meets the aim.
func (a aim) missed(p *printout, c *comparison, l comparisonLine) (string, error) {
	ratio, err := c.ratio(p.name, l)
	if err != nil {
		return "", err
	}
	bound, bounded, err := c.number(p.name, l, 2) // the column of peak
	if err != nil || a.ratio > 0 && ratio >= a.ratio || a.bound > 0 && bounded && bound >= a.bound {
		return "", err
	}
	var list []string
	if a.ratio > 0 {
		list = append(list, fmt.Sprintf("%.3f times", ratio))
	}
	if a.bound > 0 && bounded {
		list = append(list, number(bound)+" per cent")
	}
	return strings.Join(list, ", "), nil
}

// aimTable returns a table in Markdown of what each printout has of each aim.
func aimTable(list []*printout) (string, error) {
	lines := [][]string{{"tables", "aim", "met", "missed"}}
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
					text, err := a.missed(p, c, l)
					if err != nil {
						return "", err
					}
					if text != "" {
						_, name, _ := strings.Cut(l.words[0], "/")
						missed = append(missed, name+" ("+text+")")
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

// number returns v with as few digits as it needs.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
