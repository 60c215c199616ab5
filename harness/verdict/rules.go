package verdict

import (
	"fmt"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Rules are the rules of this project: those of the package comment, with the numbers
// and claims of the papers.
var Rules golden.Rules = rules{}

type rules struct{}

// Judge updates the verdicts of f; see golden.Rules.
func (rules) Judge(f *golden.File, j golden.Judge) error { return judge(f, j, papers.Published()) }

// Table calls the function Table.
func (rules) Table(f *golden.File, run *golden.Run) string { return Table(f, run) }

// Basis returns the samples that the verdict on a cell or a claim depends on. name is the
// key of the cell or the id of the claim.
func (rules) Basis(name string) ([]golden.Basis, error) {
	published := papers.Published()
	if k, err := papers.ParseKey(name); err == nil {
		c, ok := published.Number(k)
		if !ok || c.Quantity == nil {
			return nil, fmt.Errorf("%s: have no such cell, want a published number", name)
		}
		return []golden.Basis{{Group: golden.Name(c.Group()), Unit: c.Quantity.Unit, ChosenBy: c.Quantity.ChosenBy}}, nil
	}
	claim, ok := published.Claim(name)
	if !ok {
		return nil, fmt.Errorf("claim %q: have no published claim of that id, want one", name)
	}
	needs, err := claimNeeds(claim, published)
	var basis []golden.Basis
	for _, n := range needs {
		basis = append(basis, golden.Basis{Group: n.group, Unit: n.unit, ChosenBy: n.by})
	}
	return basis, err
}
