package papers

import (
	"fmt"
	"strings"
)

// A Claim is a statement of a paper about its results.
type Claim struct {
	ID      string // such as R07
	Paper   string // the paper that makes it
	Section string // where
	Text    string // in our words
	// Relation is the claim over printed cells; nil for a claim that no table
	// carries, which Measure then describes.
	Relation *Relation
	// Measure is the informal text behind "measure:"; empty if Relation is set.
	Measure string
	// Published says whether Relation holds on the printed cells; false for
	// a measured claim.
	Published bool
	Note      string // a remark of ours; may be empty
}

// claimHeader is the first line of claims.csv.
const claimHeader = "id,paper,section,claim,relation,holds_in_published,note"

// parseClaim reads one line of claims.csv.
func parseClaim(field []string) (Claim, error) {
	c := Claim{ID: field[0], Paper: field[1], Section: field[2], Text: field[3], Note: field[6]}
	if !word(c.ID) || !word(c.Paper) || c.Text == "" {
		return Claim{}, fmt.Errorf("claim %q: id, paper and claim must not be empty or have blanks in a name", abbreviate(c.ID))
	}
	relation, holds := field[4], field[5]
	if text, ok := strings.CutPrefix(relation, "measure:"); ok {
		if holds != "n/a" {
			return Claim{}, fmt.Errorf("claim %s: holds_in_published: have %q, want n/a beside measure:", c.ID, abbreviate(holds))
		}
		c.Measure = strings.TrimSpace(text)
		if c.Measure == "" {
			return Claim{}, fmt.Errorf("claim %s: measure: have nothing, want what to measure", c.ID)
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
	r, err := ParseRelation(relation)
	if err != nil {
		return Claim{}, fmt.Errorf("claim %s: %w", c.ID, err)
	}
	c.Relation = r
	return c, nil
}
