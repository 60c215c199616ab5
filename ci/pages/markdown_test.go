package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

// TestPage compares lines of a page with the expected text for the example file.
func TestPage(t *testing.T) {
	f := exampleFile(t)
	have := suiteText(t, f)
	wants(t, have,
		"\n* "+papers.PostHocReadings()[0].Text+"\n",
		"\n## Table 1 of resurgence\n",
		"\n| Data | Model | Hidden units | Layers | Minutes | Epochs | Runs |\n",
		"\n| 4-bounded Dyck-2 | Dyck-RNN | **4** | **1** | **3**<br>0.19 | **4**<br>✓\u00a04.0<br>[4.0,\u00a04.1] | 5 |\n",
		"\n| 4-bounded Dyck-2 | Dyck-RNN | WCPA | **5**<br>✓\u00a05 | **100**<br>✓\u00a0100 | 5 |\n",
		"\n| PTB char | RNN | BPC | **4.5M**<br>… | **1.419**<br>… | 0 |\n",
		"\nMatches: epochs within 0.5, intervals no wider than 20 %.\n",
	)
	if n := strings.Count(have, "\n## Table"); n != 2 {
		t.Errorf("have %d tables, want the 2 in which the file has rows", n)
	}
}

// TestPageOfFirstEpochs checks that a number after the first epoch stands in the cell of a
// row that no run has finished, and that the number disappears once a run of the row has
// finished.
func TestPageOfFirstEpochs(t *testing.T) {
	const row = "paper=diffstk/table=5/row=diffstk-rnn" // the paper prints 118, and 117 for diffstk-mirnn
	rows := map[golden.Name][]float64{row + "/task=first-epoch": {412.345}, "paper=diffstk/table=5/row=diffstk-mirnn/task=first-epoch": {116.25}, row + "/task=first-epoch-clipped-norm": {834}}
	f := fileOf(golden.Unit{Name: "test-ppl", Better: "lower"}, rows)
	have := suiteText(t, f)
	wants(t, have,
		"\n| DiffStk-RNN | **122**<br>… | **118**<br>…\u00a0412.3<br>after\u00a0one\u00a0epoch | 0 |\n"+
			"| ↳\u00a0a\u00a0bound\u00a0of\u00a015\u00a0for\u00a0the\u00a0norm,\u00a0first\u00a0epoch |  | …\u00a0834.0<br>after\u00a0one\u00a0epoch | 0 |\n",
		"\n| DiffStk-MIRNN | **121**<br>… | **117**<br>…\u00a0116.2<br>after\u00a0one\u00a0epoch,\u00a0already\u00a0better | 0 |\n",
	)
	rows[row] = []float64{118}
	f = fileOf(golden.Unit{Name: "test-ppl", Better: "lower"}, rows)
	have = suiteText(t, f)
	if strings.Contains(have, "412") || strings.Contains(have, "first-epoch") || !strings.Contains(have, "834") {
		t.Errorf("a first epoch stands beside a finished run in\n%s", have)
	}

	const scored = "paper=second-order-lstm/table=3/row=baseline/task=cross-gi" // this row has a task of its own
	for _, c := range []struct {
		rows map[golden.Name][]float64
		want string
	}{
		{map[golden.Name][]float64{scored + "-first-epoch": {51.2}}, "**0.59**<br>…\u00a00.51<br>after\u00a0one\u00a0epoch"},
		{map[golden.Name][]float64{scored: {59}, scored + "-first-epoch": {51.2}}, "**0.59**<br>○\u00a00.59"},
	} {
		f := fileOf(golden.Unit{Name: "test-pair-acc-%", Better: "higher"}, c.rows)
		if have := suiteText(t, f); !strings.Contains(have, c.want) || strings.Contains(have, "baseline, cross-gi") {
			t.Errorf("no %q, or a line of its own for a first epoch, in\n%s", c.want, have)
		}
	}
}

// TestCountAfterFirstEpoch checks that a count of parameters is judged when only the first epoch
// of its row has been run, and that nothing else of the row is.
func TestCountAfterFirstEpoch(t *testing.T) {
	const row = "paper=resurgence/table=2/row=char-mrnn-1"
	test := func(params float64, outcome verdict.Outcome, want string) {
		t.Helper()
		f := fileOf(golden.Unit{Name: "params", Better: "lower", Exact: true}, map[golden.Name][]float64{row + "/task=first-epoch": {params}})
		f.Units = append(f.Units, golden.Unit{Name: "test-bpc", Better: "lower"})
		f.Rows[0].Values = append(f.Rows[0].Values, golden.Value{Value: 1.5, Unit: "test-bpc"})
		v, _ := verdict.NewResults([]*golden.File{f}).Verdict(papers.Key{Paper: "resurgence", Table: "2", Row: "char-mrnn-1", Metric: "parameters", Stat: "reported"})
		if v.Outcome != outcome {
			t.Errorf("have %s, want that the count of parameters %s", v.Outcome, outcome)
		}
		wants(t, suiteText(t, f), want)
	}
	test(4500638, verdict.Matches, "| **4.5M**<br>✓\u00a04500638 | **1.460**<br>…\u00a01.500<br>after\u00a0one\u00a0epoch | 0 |")
	test(4500000+50001, verdict.Worse, "| **4.5M**<br>▼\u00a04550001 | **1.460**<br>…\u00a01.500<br>")
}

// TestPageOfVariants checks that a variant stands below its row, with a mark and
// without the printed number, and that a row that the paper does not print stands
// at the end.
func TestPageOfVariants(t *testing.T) {
	const table = "paper=diffstk/table=1/row="
	rows := map[golden.Name][]float64{table + "lstm": {1, 1.4, 1.8}, table + "lstm/task=late-cuts": {8, 8.1, 60}, table + "other": {50.5, 49.5, 50.7}}
	f := fileOf(golden.Unit{Name: "test-acc-%", Better: "higher"}, rows)
	have := suiteText(t, f)
	wants(t, have,
		"\n| LSTM | **54.00**<br>… | **62.80**<br>… | **1.40**<br>✓\u00a01.40<br>[0.27,\u00a02.53] | **4.00**<br>○\u00a01.80 | **0.2**<br>… | **0.0**<br>… | 3 |\n"+
			"| ↳\u00a0no\u00a0cut\u00a0of\u00a0the\u00a0rate\u00a0before\u00a0epoch\u00a020 |  |  | ◇\u00a025.37<br>[0,\u00a0100]<br>1\u00a0of\u00a03\u00a0>\u00a050 | ○\u00a060.00 |  |  | 3 |\n",
		"\n| *other* |  |  | 50.23<br>2\u00a0of\u00a03\u00a0>\u00a050 | 50.70 |  |  | 3 |\n",
	)
	f.Scale = "ci"
	if have := suiteText(t, f); strings.Contains(have, "| ↳") || strings.Contains(have, "*other*") {
		t.Errorf("reduced runs stand beside the paper's in\n%s", have)
	}
}

// TestPageOfUnprintedCategories checks that in table 3 of second-order-lstm, whose columns are
// networks, the scores of a category that the paper does not print stand in one line, each in the
// column of its network, and those of a variant below them. First epochs stand there as long as
// no run of their row has finished.
func TestPageOfUnprintedCategories(t *testing.T) {
	const (
		table                           = "paper=second-order-lstm/table=3/row="
		baseline, attention, attention2 = table + "baseline/task=", table + "attention/task=", table + "attention2/task="
		variant                         = "| ↳\u00a0two\u00a0cells,\u00a0not\u00a0five |  | "
		epoch                           = "<br>after\u00a0one\u00a0epoch"
	)
	f := fileOf(golden.Unit{Name: "test-pair-acc-%", Better: "higher"}, map[golden.Name][]float64{
		baseline + "agreement-simple": {81}, attention + "agreement-simple": {61}, attention2 + "agreement-simple": {71},
		baseline + "object": {52}, baseline + "object-first-epoch": {51}, attention2 + "across": {72},
		baseline + "reflexive-first-epoch": {98}, attention2 + "reflexive-first-epoch": {99}, attention2 + "cross-gi-first-epoch": {7},
	})
	have := suiteText(t, f)
	wants(t, have,
		"\n| *Agreement,\u00a0simple* | 0.81 | 0.61 | 1 |\n"+variant+"0.71 | 1 |\n",
		"\n| *object* | 0.52 |  | 1 |\n",
		"\n| *across* |  |  | 0 |\n"+variant+"0.72 | 1 |\n",
		"\n| *reflexive* | …\u00a00.98"+epoch+" |  | 0 |\n"+variant+"…\u00a00.99"+epoch+" | 0 |\n",
		"**0.42**<br>… | 0 |\n"+variant+"…\u00a00.07"+epoch+" | 0 |\n",
	)
	const known = "| ↳\u00a0without\u00a0pairs\u00a0that\u00a0have\u00a0a\u00a0word\u00a0outside\u00a0the\u00a0vocabulary | "
	if strings.Contains(have, known) {
		t.Errorf("a line for a unit that no run has in\n%s", have)
	}
	if strings.Contains(have, "51") {
		t.Errorf("a first epoch stands beside a finished run in\n%s", have)
	}

	// Another unit of the same runs has a line below theirs.
	f = fileOf(golden.Unit{Name: "test-pair-acc-%", Better: "higher"}, map[golden.Name][]float64{
		baseline + "cross-gi": {59, 59, 59}, attention + "cross-gi-first-epoch": {40}, baseline + "object": {52}, attention + "object-first-epoch": {53},
	})
	f.Units = append(f.Units, golden.Unit{Name: "test-pair-acc-known-%", Better: "higher"})
	for i := range f.Rows {
		f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Value: f.Rows[i].Values[0].Value + 20, Unit: "test-pair-acc-known-%"})
	}
	have = suiteText(t, f)
	wants(t, have,
		"**0.59**<br>✓\u00a00.59 | **0.42**<br>…\u00a00.40"+epoch+" | 3 |\n"+known+"▲\u00a00.79 | …\u00a00.60"+epoch+",\u00a0already\u00a0better | 3 |\n",
		"\n| *object* | 0.52 | …\u00a00.53"+epoch+" | 1 |\n"+known+"0.72 | …\u00a00.73"+epoch+" | 1 |\n",
	)
}

// TestPageOfNamedVariants checks variants whose names are not their row's name with a task
// added. If a shape lists such runs as a variant of a row, they stand below that row.
func TestPageOfNamedVariants(t *testing.T) {
	const row, other = golden.Name("paper=stack-rnn/table=2/row=rnn/task=anbn"), golden.Name("paper=stack-rnn/section=5.1/row=rnn-below20/task=anbn")
	f := fileOf(golden.Unit{Name: "test-lengths-%", Better: "higher"}, map[golden.Name][]float64{row: {25, 25, 25}, other: {10, 10, 10}})
	for i := range f.Rows {
		f.Rows[i].Values = append(f.Rows[i].Values, golden.Value{Value: 1, Unit: "valid-ce"})
	}
	f.Units = append(f.Units, golden.Unit{Name: "valid-ce", Better: "lower"})
	have := suiteText(t, f)
	wants(t, have, "\n| ↳\u00a0trained\u00a0on\u00a0n\u00a0<\u00a020 | ○\u00a010.0 |  |  |  |  | 3 |\n")
	if strings.Contains(have, "Runs that no table prints") {
		t.Errorf("a row of a table stands among the others in\n%s", have)
	}
}

// TestPageOfMisprint checks that a note below the table says what contradicts a
// misprint.
func TestPageOfMisprint(t *testing.T) {
	const row = golden.Name("paper=second-order-lstm/table=1/row=m8-attention2")
	f := fileOf(golden.Unit{Name: "params", Better: "lower", Exact: true}, map[golden.Name][]float64{row: {10_560}})
	have := suiteText(t, f)
	wants(t, have, "| **8.6M**<br>†\u00a010.56M |", "\n† 8.6 stands for 10.6")
	for _, m := range papers.Misprints() {
		if c := cell(t, m.Key); c.Quantity.Unit == "" || m.Text == "" {
			t.Errorf("misprint %+v: have unit %q and text %q, want both", m, c.Quantity.Unit, m.Text)
		}
	}
}

// TestGridAcross checks that a table is transposed if its shape has Across set.
func TestGridAcross(t *testing.T) {
	of := func(text string) entry {
		return entry{InPaper: papers.Number{Value: text, Quantity: new(papers.Quantity)}, Printed: true}
	}
	l := &layout{Shape: papers.Shape{Across: true, Labels: []string{"Model"}, Columns: []papers.Column{{Head: "Validation"}, {Head: "Test"}}}, Lines: []*line{
		{Labels: []string{"RNN"}, Entries: []entry{of("137"), of("129")}, Runs: 3},
		{Kind: variantLine, Labels: []string{"x y"}, Entries: []entry{{}, of("115")}, Runs: 4},
	}}
	want := "| Model | RNN | ↳\u00a0x\u00a0y |\n| --- | --- | --- |\n| Validation | **137** |  |\n| Test | **129** | **115** |\n| Runs | 3 | 4 |\n"
	if have := markdownRows(l.Markdown()); have != want {
		t.Errorf("have\n%swant\n%s", have, want)
	}
	for i, row := range l.Grid() {
		if want := map[bool]string{true: "col", false: "row"}[i == 0]; row[0].Scope != want {
			t.Errorf("line %d starts with scope %q, want %q", i, row[0].Scope, want)
		}
	}
}

func TestHeadlineAndOverview(t *testing.T) {
	r := reportOf(exampleFile(t))
	wants(t, r.headline(), "| resurgence | 100 | 9 | 0 | 0 | 0 | 0 | 3 | 88 |\n",
		"\nOf the 9 matches, 0 are shares of at most 1.5 per cent, mostly of networks that do not learn, and 3 are counts of parameters.\n")
	wants(t, markdownOf(t, "results", r),
		"| [resurgence, table 2](dyck/README.md#table-2-of-resurgence) | 38 | 6 |",
		"\n| diffstk, table 5 | 18 | 0 |",
		"Of 6 numbers that are judged by an interval 0 differ.",
		"\n# Tables without runs yet\n\n## Table 3 of resurgence\n",
		"\n| Test | **141**<br>… | **125**<br>… |",
	)
}

func TestClaimsPage(t *testing.T) {
	have := markdownOf(t, "claims", reportOf(exampleFile(t)))
	wants(t, have,
		"\n## resurgence\n",
		"\n| R07 | 5.4 | Dyck-RNN with m hidden units reaches full WCPA for every m | holds | holds | true in 10000 of 10000 draws from our runs | [dyck](dyck/README.md) |\n",
		"| holds | … |  |  |\n",
	)
	of := map[string]bool{}
	for _, c := range papers.Published().Claims {
		of[c.Paper] = true
	}
	if have, want := strings.Count(have, "\n| "), len(papers.Published().Claims)+2*len(of); have != want {
		t.Errorf("have %d lines, want %d: each claim, and a heading for each paper", have, want)
	}
}

// TestNumberText checks that a share is not rounded to 0 or 100 per cent.
func TestNumberText(t *testing.T) {
	wcpa, bpc := cell(t, "[second-order-lstm:1:m4-attention2:wcpa:valid]").Quantity, cell(t, "[resurgence:3:cut25-lstm-1:bpc:test]").Quantity
	acc := cell(t, "[diffstk:1:lstm:accuracy_percent:test_mean]").Quantity
	for _, c := range []struct {
		q      *papers.Quantity
		v      float64
		digits int
		exact  bool
		want   string
	}{
		{acc, 0, 2, false, "0"}, {acc, 0.004, 2, false, "<0.01"}, {acc, 0.005001, 2, false, "0.01"}, {acc, 52.1, 2, false, "52.10"},
		{acc, 99.994, 2, false, "99.99"}, {acc, 99.996, 2, false, ">99.99"}, {acc, 100, 2, false, "100"},
		{wcpa, 99.4, 3, false, "0.994"}, {wcpa, 99.96, 3, false, ">0.999"}, {wcpa, 100, 3, false, "1"},
		{bpc, 0.0001, 3, false, "0.000"}, {bpc, 1.5, 3, false, "1.500"}, {bpc, 2064, 3, true, "2064"},
	} {
		if have := numberText(c.q, c.v, c.digits, c.exact); have != c.want {
			t.Errorf("%v with %d decimals: have %q, want %q", c.v, c.digits, have, c.want)
		}
	}
}

// TestPageOfSharedTable checks a table that has rows of two suites. The pages of both
// suites must have the whole table, even if one suite has only a variant in it. The
// overview must link to both pages.
func TestPageOfSharedTable(t *testing.T) {
	unit := golden.Unit{Name: "params", Better: "lower", Exact: true}
	f := fileOf(unit, map[golden.Name][]float64{"paper=resurgence/table=2/row=dyck-m4": {5}})
	g := fileOf(unit, map[golden.Name][]float64{"paper=resurgence/table=2/row=word-rnn-1/task=other": {7}})
	f.Suite, g.Suite = "one", "two"
	for own, other := range map[*golden.File]*golden.File{f: g, g: f} {
		have := suiteText(t, own, other)
		wants(t, have, "| 4-bounded Dyck-2 | Dyck-RNN | WCPA | **5**<br>✓\u00a05 |", "|  | ↳\u00a0other |  | ▲\u00a07 |")
		if strings.Contains(have, "Runs that no table prints") {
			t.Errorf("page of %s: a row of the table stands among the others", own.Suite)
		}
	}
	wants(t, markdownOf(t, "results", reportOf(f, g)), "| [resurgence, table 2](one/README.md#table-2-of-resurgence) [two](two/README.md#table-2-of-resurgence) |")
}

// TestPageCommands checks that a table has the commands of all runs that it shows. Table 5 of
// diffstk repeats rows of table 4 of stack-rnn, whose runs have the name of that table. A
// variant in table 2 of stack-rnn is named after a section.
func TestPageCommands(t *testing.T) {
	r, _ := ofRepository(t)
	for title, want := range map[string][]string{
		"Table 5 of diffstk": {"wordlm -run '^TestStackStreams$'", "wordlm -run '^TestStreams$'"}, "Table 4 of stack-rnn": {"wordlm -run '^TestStreams$'"},
		"Table 2 of stack-rnn": {"patterns -run '^TestTable2$'", "patterns -run '^TestVariants$'"},
	} {
		for _, table := range r.Tables {
			if diff := cmp.Diff("PUSHDOWN_SCALE=paper go test ./suites/"+strings.Join(want, " -v -timeout 0, PUSHDOWN_SCALE=paper go test ./suites/")+" -v -timeout 0", strings.Join(table.Commands, ", ")); table.Title() == title && diff != "" {
				t.Errorf("commands of %s (-want +have):\n%s", title, diff)
			}
		}
	}
}
