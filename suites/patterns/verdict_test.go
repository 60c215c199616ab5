package patterns

import (
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
)

// TestVerdicts judges the golden rows at paper scale anew, without a run: what the
// golden file says of the paper's figures and claims follows from its own rows, by the
// rules of today.
func TestVerdicts(t *testing.T) {
	path, err := golden.Path("patterns", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	run := &golden.Run{Suite: "patterns", Scale: string(suite.Paper), Contract: kernel.ContractVersion, Machine: "none: judged anew"}
	g := paperGolden(t)
	if len(g.Rows) == 0 {
		return // no run at paper scale has been kept
	}
	for _, p := range parts(suite.Paper) {
		for _, e := range p.list {
			if e.Row.Table == "2" {
				run.Judge.Groups = append(run.Judge.Groups, group(e.Row))
			}
		}
		run.Judge.Claims = append(run.Judge.Claims, p.claims...)
	}
	golden.Check(t, path, run)
}
