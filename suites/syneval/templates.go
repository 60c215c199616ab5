package syneval

import (
	_ "embed" // the sample
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// An Item is a line of the test set: sentences that differ in what makes them grammatical.
type Item struct {
	Test, Condition string
	Sentences       []string // grammatical and ungrammatical or, in tests of NPIs, grammatical, intrusive and ungrammatical
}

// The columns of a file of the test set, after test and condition.
var (
	pairs   = []string{"grammatical", "ungrammatical"}
	triples = []string{"grammatical", "intrusive", "ungrammatical"}
)

// Parse parses a file of the test set: a header, and lines of fields separated by tabs. name
// stands for the file in errors.
func Parse(name string, data []byte) (list []Item, err error) {
	want := append([]string{"test", "condition"}, triples...)
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s: have bytes that are not UTF-8, want UTF-8", name)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if n == 1 {
			if len(field) == len(want)-1 {
				want = append(want[:2:2], pairs...)
			}
			if !slices.Equal(field, want) {
				return nil, fmt.Errorf("%s: have the header %.80q, want %q", name, line, strings.Join(want, "\t"))
			}
			continue
		}
		if len(field) != len(want) {
			return nil, fmt.Errorf("%s:%d: have %d fields separated by tabs, want %d: %q", name, n, len(field), len(want), want)
		}
		for i, s := range field {
			if strings.Join(strings.Fields(s), " ") != s || s == "" {
				return nil, fmt.Errorf("%s:%d: have the %s %.40q, want words with single spaces between them", name, n, want[i], s)
			}
		}
		x := Item{field[0], field[1], field[2:]}
		if !slices.ContainsFunc(Categories(), func(c Category) bool { return c.of(x) }) {
			return nil, fmt.Errorf("%s:%d: have the test %.40q with %d sentences, want one of the test set", name, n, x.Test, len(x.Sentences))
		}
		for i, s := range x.Sentences {
			if slices.Contains(x.Sentences[:i], s) || strings.Count(s, " ") != strings.Count(x.Sentences[0], " ") {
				return nil, fmt.Errorf("%s:%d: have the %s %.80q, want a sentence unlike those before it, with as many words as the first", name, n, want[2+i], s)
			}
		}
		list = append(list, x)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: have %d lines, want a header and items", name, n)
	}
	return list, nil
}

// A Category is a row of the paper's comparison: pairs of sentences of some tests.
type Category struct {
	Name          string // as in the names of runs
	Tests         []string
	Better, Worse string // the kinds of sentences; the first should have the higher probability
}

// Categories lists the 19 categories: 13 of agreement and reflexives, and three comparisons for
// each of two tests of NPIs. Tests of animate and of inanimate subjects form one category.
func Categories() []Category {
	both := func(test string) []string { return []string{test + "_anim", test + "_inanim"} }
	var list []Category
	for _, c := range []struct {
		name  string
		tests []string
	}{
		{"agreement-simple", []string{"simple_agrmt"}},
		{"agreement-complement", []string{"sent_comp"}},
		{"agreement-short-vp", []string{"vp_coord"}},
		{"agreement-long-vp", []string{"long_vp_coord"}},
		{"agreement-preposition", both("prep")},
		{"agreement-subject-relative", []string{"subj_rel"}},
		{"agreement-across-relative", both("obj_rel_across")},
		{"agreement-across-relative-no-that", both("obj_rel_no_comp_across")},
		{"agreement-in-relative", both("obj_rel_within")},
		{"agreement-in-relative-no-that", both("obj_rel_no_comp_within")},
		{"reflexive-simple", []string{"simple_reflexives"}},
		{"reflexive-complement", []string{"reflexive_sent_comp"}},
		{"reflexive-across-relative", []string{"reflexives_across"}},
	} {
		list = append(list, Category{c.name, c.tests, "grammatical", "ungrammatical"})
	}
	for _, npi := range []struct{ name, test string }{{"simple", "simple_npi"}, {"cross", "npi_across"}} {
		for _, c := range []struct{ name, better, worse string }{
			{"gi", "grammatical", "intrusive"}, {"iu", "intrusive", "ungrammatical"}, {"gu", "grammatical", "ungrammatical"},
		} {
			list = append(list, Category{npi.name + "-" + c.name, both(npi.test), c.better, c.worse})
		}
	}
	return list
}

// of reports whether x is an item of a test of c and has as many sentences as such an item:
// three in tests of NPIs, otherwise two.
func (c Category) of(x Item) bool {
	return slices.Contains(c.Tests, x.Test) && (len(x.Sentences) == len(triples)) == strings.Contains(c.Tests[0], "npi")
}

// sentences returns the two sentences of x that c compares.
func (c Category) sentences(x Item) (better, worse string) {
	kinds := pairs
	if len(x.Sentences) == len(triples) {
		kinds = triples
	}
	return x.Sentences[slices.Index(kinds, c.Better)], x.Sentences[slices.Index(kinds, c.Worse)]
}

// The sample has five items of each test, at equal distances in the test set.
//
//go:embed sample/agreement.tsv
var sampleAgreement []byte

//go:embed sample/npi.tsv
var sampleNPI []byte

var testSets suite.Cache[bool, []Item]

// items returns the whole test set, or the sample. The error is a *suite.Missing if the files
// of the test set are not there.
func items(sample bool) ([]Item, error) {
	return testSets.Get(sample, func() ([]Item, error) { return readItems(sample) })
}

func readItems(sample bool) ([]Item, error) {
	if sample {
		a, err := Parse("sample/agreement.tsv", sampleAgreement)
		if err != nil {
			return nil, err
		}
		b, err := Parse("sample/npi.tsv", sampleNPI)
		return append(a, b...), err
	}
	set := text.SynEval()
	folder, err := text.Folder()
	if err != nil {
		return nil, lm.Missing(set.Name, err)
	}
	var list []Item
	for _, f := range set.Files {
		data, err := f.Read(folder)
		if err != nil {
			return nil, lm.Missing(set.Name, err)
		}
		found, err := Parse(f.Path(folder), data)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}
