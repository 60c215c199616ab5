// Package suites lists the suites. The scripts and commands in ci take the list from here.
package suites

import (
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
	"pushdown/suites/charlm"
	"pushdown/suites/dyck"
	"pushdown/suites/patterns"
	"pushdown/suites/recognition"
	"pushdown/suites/syneval"
	"pushdown/suites/wikitext"
	"pushdown/suites/wordlm"
)

// All lists all suites by name. This package imports the suites and no other package of
// the folder, so that ci/gpu can read the list from its imports.
var All = []*suite.Suite{&charlm.Suite, &dyck.Suite, &patterns.Suite, &recognition.Suite, &syneval.Suite, &wikitext.Suite, &wordlm.Suite}

// Measures returns the measures of the claims that the suites decide.
func Measures() (list []verdict.Measure) {
	for _, s := range All {
		list = append(list, s.Claims...)
	}
	return list
}
