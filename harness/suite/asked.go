package suite

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
)

// asked records what -run has selected of the tables whose tests have run in this process.
var asked struct {
	tables []Table
	runs   int // those that -run selects, also of other shards
}

// note records that the test of a table runs at a scale.
func (t Table) note(test string, scale Scale) {
	asked.tables = append(asked.tables, t)
	for _, name := range t.names(scale) {
		if matches(value("test.run"), test+"/"+string(name), false) {
			asked.runs++
		}
	}
}

// names returns the names of the runs of a table at a scale.
func (t Table) names(scale Scale) (list []golden.Name) {
	for group, seeds := range t.At(scale).Seeds() {
		for _, seed := range seeds {
			list = append(list, group.WithSeed(seed))
		}
	}
	return list
}

// rowPart matches the beginning of an element of a name in a pattern of -run.
var rowPart = regexp.MustCompile(`\b(paper|table|section|figure|row|task|seed)=`)

// lacking returns an error if -run asks for something below the name of a test and selects no run of
// the tables whose tests have run. If no such test has run, the rows may be those of another suite, and there is no
// error, unless the pattern lacks the name of a test.
func (s *Suite) lacking() error {
	if value("test.list") != "" {
		return nil
	}
	return s.unselected(value("test.run"), Current().Scale, asked.tables, asked.runs)
}

// unselected returns the error of lacking for a pattern of -run. It names the scales at which
// the suite has such runs, and the nearest names at the given scale.
func (s *Suite) unselected(pattern string, scale Scale, tables []Table, runs int) error {
	alternatives := apart(pattern, '|')
	nameless := slices.ContainsFunc(alternatives, func(a string) bool { return rowPart.MatchString(apart(a, '/')[0]) })
	below := slices.ContainsFunc(alternatives, func(a string) bool {
		elements := apart(a, '/')
		return len(elements) > 1 && slices.ContainsFunc(tables, func(t Table) bool { return matches(elements[0], t.Test, false) })
	})
	if runs > 0 || len(tables) > 0 && !below || len(tables) == 0 && !nameless {
		return nil
	}
	if len(tables) == 0 {
		tables = s.Tables
	}
	text := fmt.Sprintf("-run: have %s, which selects no run of suite %s at scale %s", pattern, s.Name, scale)
	list := near(alternatives, tables, scale)
	if len(list) > 0 {
		text += ", want one such as " + strings.Join(list, ", ")
	}
	errs := []error{errors.New(text)}
	for _, other := range []Scale{Smoke, CI, Paper} {
		if other == scale {
			continue
		}
		for _, t := range tables {
			i := slices.IndexFunc(t.names(other), func(n golden.Name) bool { return has(alternatives, n) })
			if i < 0 || slices.Contains(t.names(scale), t.names(other)[i]) {
				continue
			}
			hint := "PUSHDOWN_SCALE=" + string(other)
			if testing.Short() {
				hint += " without -short"
			}
			errs = append(errs, fmt.Errorf("-run: it selects %s at scale %s: %s", t.names(other)[i], other, hint))
			break
		}
	}
	if nameless {
		row := cmp.Or(append(list, "paper=...")...)
		errs = append(errs, fmt.Errorf("-run: the first element is the name of a test, and the others are those of the row, as in -run './%s$'", row))
	}
	return errors.Join(errs...)
}

// has reports whether the elements of an alternative that ask for a part of a name each match
// an element of the name.
func has(alternatives []string, name golden.Name) bool {
	lacks := func(e string) bool {
		return !slices.ContainsFunc(strings.Split(string(name), "/"), func(part string) bool {
			ok, _ := regexp.MatchString(e, part)
			return ok
		})
	}
	return slices.ContainsFunc(alternatives, func(a string) bool {
		return len(parts(a)) > 0 && !slices.ContainsFunc(parts(a), lacks)
	})
}

// parts returns the elements of an alternative that ask for a part of a name.
func parts(alternative string) []string {
	return slices.DeleteFunc(apart(alternative, '/'), func(e string) bool { return !rowPart.MatchString(e) })
}

// near returns the names of at most three rows that begin most like what the
// alternatives ask for. The names have a seed if one of the alternatives asks for a seed.
func near(alternatives []string, tables []Table, scale Scale) (list []string) {
	seeds := slices.ContainsFunc(alternatives, func(a string) bool { return strings.Contains(a, "seed=") })
	for _, t := range tables {
		for _, name := range t.names(scale) {
			if !seeds {
				name = name.Group()
			}
			if !slices.Contains(list, string(name)) {
				list = append(list, string(name))
			}
		}
	}
	like := func(name string) (most int) {
		for _, a := range alternatives {
			n := 0
			for _, e := range parts(a) {
				e = strings.Trim(e, "^$")
				key, _, _ := strings.Cut(e, "=")
				_, value, _ := strings.Cut("/"+name, "/"+key+"=")
				n += common(e, key+"="+value)
			}
			most = max(most, n)
		}
		return most
	}
	slices.SortStableFunc(list, func(a, b string) int { return like(b) - like(a) })
	return list[:min(3, len(list))]
}
