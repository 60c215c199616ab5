package papers

import (
	"fmt"
	"strings"
)

// A Claim is a statement of a paper about its results.
type Claim struct {
	ID      string // such as R07
	Paper   string // the paper that makes the claim
	Section string // the section of the paper
	Text    string // the claim in our words
	// Printed reports whether the claim is one about the printed numbers themselves. No run
	// can confirm it.
	Printed bool
	// Relation is the claim as a relation over printed numbers. It is nil if there is none;
	// Measure then says what to measure, unless Printed is set.
	Relation *Relation
	// Measure is the informal text after "measure:". It is empty if Relation is
	// set.
	Measure string
	// Published reports whether Relation holds on the printed numbers. Without Relation it is
	// false, unless Printed is set and the claim is true.
	Published bool
	Note      string // a remark of this project; may be empty
}

// claimHeader is the first line of claims.csv.
const claimHeader = "id,paper,section,claim,relation,holds_in_published,note"

// parseClaim reads one line of claims.csv.
func parseClaim(field []string) (Claim, error) {
	c := Claim{ID: field[0], Paper: field[1], Section: field[2], Text: field[3], Note: field[6]}
	if !word(c.ID) || !word(c.Paper) || c.Text == "" {
		return Claim{}, fmt.Errorf("claim %q: have paper %q and text %q, want an id and a paper of letters, digits, '_', '-' or '.', and a text", abbreviate(c.ID), abbreviate(c.Paper), abbreviate(c.Text))
	}
	relation, holds := field[4], field[5]
	relation, c.Printed = strings.CutPrefix(relation, "printed: ")
	if text, ok := strings.CutPrefix(relation, "measure:"); ok && !c.Printed {
		if holds != "n/a" {
			return Claim{}, fmt.Errorf("claim %s: holds_in_published: have %q, want n/a with measure:", c.ID, abbreviate(holds))
		}
		c.Measure = strings.TrimSpace(text)
		if c.Measure == "" {
			return Claim{}, fmt.Errorf("claim %s: measure: have no text, want one that says what to measure", c.ID)
		}
		return c, nil
	}
	switch holds {
	case "yes":
		c.Published = true
	case "no":
	default:
		return Claim{}, fmt.Errorf("claim %s: holds_in_published: have %q, want yes or no", c.ID, abbreviate(holds))
	}
	if c.Printed && !strings.Contains(relation, "[") { // the test of the claim is in Go
		if strings.TrimSpace(relation) == "" {
			return Claim{}, fmt.Errorf("claim %s: printed: have no text, want one that says what holds", c.ID)
		}
		return c, nil
	}
	r, err := ParseRelation(relation)
	if err != nil {
		return Claim{}, fmt.Errorf("claim %s: %w", c.ID, err)
	}
	c.Relation = r
	return c, nil
}
