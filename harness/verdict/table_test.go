package verdict

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

// TestTable checks the lines of tables, whose fields are compared with two blanks between them. The
// example of the package shows a whole table.
func TestTable(t *testing.T) {
	const (
		lstm    = golden.Name("paper=diffstk/table=1/row=lstm")
		variant = lstm + "/task=late-cuts"
		anbn    = golden.Name("paper=stack-rnn/table=2/row=rnn/task=anbn")
	)
	dyck := samples{m4: {"epochs": {4, 4, 4.25}, "params": {5, 5, 5}, "test-wcpa-%": {100, 100, 100}, "train-min": {1, 2, 3}}}
	for _, m := range []golden.Name{"6", "8"} {
		dyck[m4[:len(m4)-1]+m] = map[string][]float64{"epochs": {4.25, 4.25, 4.25}, "test-wcpa-%": {100, 100, 100}}
	}
	ran := samples{m4: {"epochs": {4, 5}, "own": {8}, "params": {5, 5}, "test-wcpa-%": {10, 70}, "train-min": {1, 1}}}
	rows := func(epochs, params, wcpa string) []string {
		return []string{
			string(m4) + "  epochs  4  4.0833 ± 0.14 (n=3)  4.5 ± 0.71 (n=2)  " + epochs,
			string(m4) + "  own  -  -  8 (n=1)  -",
			string(m4) + "  params  5  5 (n=3)  5 (n=2)  " + params,
			string(m4) + "  test-wcpa-%  100  100 (n=3)  40 ± 42 (n=2, 1 above 50)  " + wcpa,
			string(m4) + "  train-min  3  2 ± 1 (n=3)  1 (n=2)  shown",
		}
	}
	judged := rows("open (runs)", "matches", "matches")
	lacks := func(what string) string {
		return "holds  undecided (no runs of resurgence, table 2, dyck-m6 (" + what + "), and too few or no runs of one other number)"
	}
	acc := func(values ...float64) samples { return samples{lstm: {"test-acc-%": values}} }
	both := samples{lstm: {"test-acc-%": {1, 1.4, 1.8}}, variant: {"test-acc-%": {8, 8.1, 8.2}}}
	for _, c := range []struct {
		name, scale  string
		golden, ran  samples
		rows, claims []string
	}{
		{"nothing ran", "paper", dyck, nil, nil, nil},
		{"decided claims", "ci", dyck, ran, judged,
			[]string{"R07  holds  holds (true in 10000 of 10000 draws from our runs)", "R13  holds  fails (true in 0 of 10000 draws from our runs)"}},
		{"undecided claims", "paper", samples{m4: dyck[m4]}, ran, judged, []string{"R07  " + lacks("test WCPA in %"), "R13  " + lacks("epochs")}},
		{"undecided claims at scale ci", "ci", samples{m4: dyck[m4]}, ran, judged, nil},
		{"smoke", "smoke", dyck, ran, rows("-", "-", "-"), nil},
		{"mean and best", "ci", acc(1, 2, 6), acc(0, 1, 100), []string{
			string(lstm) + "  test-acc-% (mean of 10)  1.40  3 ± 2.6 (n=3)  33.667 ± 57 (n=3, 1 above 50)  matches",
			string(lstm) + "  test-acc-% (best of 10)  4.00  6 (best of 3)  100 (best of 3)  open (runs)",
		}, nil},
		{"none above the middle", "ci", nil, acc(0, 1, 50), []string{
			string(lstm) + "  test-acc-% (mean of 10)  1.40  -  17 ± 29 (n=3)  -",
			string(lstm) + "  test-acc-% (best of 10)  4.00  -  50 (best of 3)  -",
		}, nil},
		{"other units", "ci", nil, samples{"test=x": {"acc-%": {50.1, 49, 60}, "count": {1, 100}}}, []string{
			"test=x  acc-%  -  -  53.033 ± 6.1 (n=3, 2 above 50)  -",
			"test=x  count  -  -  50.5 ± 70 (n=2)  -",
		}, nil},
		{"a chosen run", "ci", samples{anbn: {"test-lengths-%": {53, 30, 8}, "valid-ce": {3, 1, 2}}}, samples{anbn: {"test-lengths-%": {7}, "valid-ce": {1}}}, []string{
			string(anbn) + "  test-lengths-% (best of 10 by valid-ce)  25  30 (n=3)  7 (n=1)  open (runs)",
			string(anbn) + "  valid-ce  -  2 ± 1 (n=3)  1 (n=1)  -",
		}, nil},
		{"a variant", "ci", both, samples{variant: {"test-acc-%": {8}}}, []string{string(variant) + "  test-acc-%  -  8.1 ± 0.1 (n=3)  8 (n=1)  -"}, nil},
		{"a variant of the paper's size", "paper", both, samples{variant: {"test-acc-%": {8}}}, []string{
			string(variant) + "  test-acc-% (mean of 10)  1.40  8.1 ± 0.1 (n=3)  8 (n=1)  variant: differs (better)",
			string(variant) + "  test-acc-% (best of 10)  4.00  8.2 (best of 3)  8 (n=1)  variant: open (runs)",
		}, nil},
	} {
		g, f := file(c.golden), file(c.ran)
		g.Scale = c.scale
		var want, have []string
		if len(c.rows) > 0 {
			want = slices.Concat([]string{"row  metric  paper  golden  run  verdict"}, c.rows)
			if c.claims != nil {
				want = slices.Concat(want, []string{"claim  paper  verdict"}, c.claims)
			}
			want = append(want, strings.TrimSpace(rowKey))
			if c.claims != nil {
				want = append(want, strings.TrimSpace(claimKey))
			}
		}
		for line := range strings.Lines(Table(NewResults([]*golden.File{g}), g, &golden.Run{Units: f.Units, Rows: f.Rows})) {
			for strings.Contains(line, "   ") {
				line = strings.ReplaceAll(line, "   ", "  ")
			}
			have = append(have, strings.TrimSpace(line))
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("%s (-want +have)\n%s", c.name, d)
		}
	}
}

// TestOtherRows checks which rows of the paper's table stand below somebody else's runs.
func TestOtherRows(t *testing.T) {
	for _, c := range []struct{ number, unit, want string }{
		{"[resurgence:2:dyck-m4:wcpa_percent:test]", "test-wcpa-%", ""}, // the only row with this data
		{"[resurgence:2:word-rnn-1:ce_nats:test]", "test-ce", "word-rnn-1 word-mmrnn-1 word-lstm-1 word-mmlstm-1 word-lstm-2 word-mmlstm-2 theirs"},
		{"[diffstk:6:lstm:accuracy_percent:without_noise_mean]", "test-acc-%", // and not the column with noise
			"rnn lstm stack-rnn diffstk-rnn diffstk-mrnn diffstk-mirnn theirs rnn lstm stack-rnn diffstk-rnn diffstk-mrnn diffstk-mirnn theirs"},
		{"[second-order-lstm:3:cross-gi:pair_accuracy:attention]", "test-pair-acc-%", "Baseline cross-gi theirs"}, // models are columns
	} {
		n := number(t, c.number)
		group := golden.Name(n.Group())
		if list := n.Readings(); list != nil {
			group = golden.Name(list[0].Groups[0])
		}
		g := file(samples{group: {c.unit: {1, 2, 4}}})
		g.Scale = "paper"
		var have []string
		for _, row := range NewResults([]*golden.File{g}).otherRows(g, g, group)[1:] {
			have = append(have, strings.Fields(row[1])[0])
		}
		if have := strings.Join(have, " "); have != c.want {
			t.Errorf("%s: have %s, want %s", c.number, have, c.want)
		}
		if rows := NewResults([]*golden.File{g}).otherRows(g, g, group+"/task=other"); len(rows) != 1 {
			t.Errorf("%s: have %q for a row on which no outcome rests, want none", c.number, rows)
		}
	}
}

// TestOtherRowsOfReadings checks that the numbers measured are those of the rows on which outcomes rest, in the reading of the group.
func TestOtherRowsOfReadings(t *testing.T) {
	const table = "paper=diffstk/table=4/row="
	s := samples{}
	for i, name := range []golden.Name{"lstm/task=mapped-searched", "stack-rnn", "stack-rnn/task=searched-stacks10", "stack-rnn/task=mapped-searched-stacks10", "stack-rnn/task=mapped-searched"} {
		s[table+name] = map[string][]float64{"test-acc-%": fill(3, float64(i+1))}
	}
	g := file(s)
	g.Scale = "paper"
	rows := NewResults([]*golden.File{g}).otherRows(g, g, table+"lstm/task=mapped-searched")
	at := slices.IndexFunc(rows, func(row []string) bool { return row[1] == "stack-rnn" })
	if have := rows[at][3]; have != "4 (n=3)" {
		t.Errorf("have %s for the Stack RNN, want 4, of the row with ten stacks on the same palindromes", have)
	}
}

// TestVariantOf checks the printed rows of variants: of those with a task added, and of those with
// a name of their own.
func TestVariantOf(t *testing.T) {
	for group, want := range map[golden.Name]golden.Name{
		m4 + "/task=late": m4,
		"paper=second-order-lstm/table=3/row=attention2/task=cross-gi": "paper=second-order-lstm/table=3/row=attention/task=cross-gi",
		"paper=stack-rnn/section=5.1/row=stack-rnn-below20/task=anbn":  "paper=stack-rnn/table=2/row=stack-rnn/task=anbn",
	} {
		if have, ok := VariantOf(group); have != want || !ok {
			t.Errorf("%s: have %s, %v, want %s", group, have, ok, want)
		}
	}
	if have, ok := VariantOf(m4); ok {
		t.Errorf("%s: have a variant of %s, want none", m4, have)
	}
}

// TestReadBack checks that the heading of a run says whether its rows were read back.
func TestReadBack(t *testing.T) {
	for want, commits := range map[string][]string{"run": {"", ""}, "run or read back": {"", "0123456789ab"}, "read back": {"0123456789ab", "0123456789ab"}} {
		run := new(golden.Run)
		for _, c := range commits {
			run.Rows = append(run.Rows, golden.Row{Origin: golden.Origin{Commit: c}})
		}
		if have := column(run); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}

// TestPublishedText checks that published numbers have the printed precision.
func TestPublishedText(t *testing.T) {
	for key, want := range map[string]string{
		"[resurgence:2:dyck-m4:wcpa_percent:test]":                         "100",
		"[resurgence:3:cut25-lstm-1:bpc:test]":                             "1.591",
		"[resurgence:3:cut25-lstm-1:parameters:reported]":                  "4500000",
		"[second-order-lstm:2:wt2-baseline:ppl:valid]":                     "157.0",
		"[second-order-lstm:1:m4-attention2:wcpa:valid]":                   "99.4",
		"[second-order-lstm:1:m4-baseline:parameters_as_printed:reported]": "2100",
		"[diffstk:1:lstm:accuracy_percent:test_mean]":                      "1.40",
	} {
		if have := inUnit(number(t, key)); have != want {
			t.Errorf("%s: have %s, want %s", key, have, want)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{100: "100", 0.1174949: "0.11749", 1234567.8: "1234600", 1e-9: "1e-09", 1e30: "1e+30", -3.25: "-3.25"} {
		if have := Short(v); have != want {
			t.Errorf("%v: have %s, want %s", v, have, want)
		}
	}
}
