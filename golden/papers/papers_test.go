package papers

import (
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestClaimsHoldAsRecorded evaluates every relation on the printed numbers and compares
// the result with the column holds_in_published.
func TestClaimsHoldAsRecorded(t *testing.T) {
	tables := Published()
	var relations, measures, contradicted, printed int
	for _, c := range tables.Claims {
		if c.Printed {
			printed++
		}
		if c.Relation == nil {
			if !c.Printed {
				measures++
			}
			continue
		}
		relations++
		values := make([]float64, len(c.Relation.Keys()))
		for i, k := range c.Relation.Keys() {
			cell, ok := tables.Number(k)
			if !ok {
				t.Fatalf("claim %s: no cell %v", c.ID, k)
			}
			values[i] = cell.Float
		}
		if have := c.Relation.Holds(values); have != c.Published {
			t.Errorf("claim %s holds on the printed cells: have %v, want %v as recorded", c.ID, have, c.Published)
		}
		if !c.Published {
			contradicted++
		}
	}
	if have, want := [4]int{relations, measures, contradicted, printed}, [4]int{48, 21, 4, 3}; have != want {
		t.Errorf("claims with a relation, measured, contradicted by their paper, about printed numbers: have %v, want %v, the counts in this test", have, want)
	}
}

func TestAsPrinted(t *testing.T) {
	for value, want := range map[string]string{"4500000": "4.5M", "2000000": "2M", "5": "5"} {
		c := Number{Key: Key{Paper: "resurgence", Metric: "parameters"}, Value: value}
		c.Float, _ = strconv.ParseFloat(value, 64)
		if have := c.AsPrinted(); have != want {
			t.Errorf("%s parameters: have %s, want %s", value, have, want)
		}
	}
}

// TestSixtieths checks claim J13: every number of table 2 of stack-rnn is a multiple of a
// sixtieth, to the printed digit.
func TestSixtieths(t *testing.T) {
	if c, ok := Published().Claim("J13"); !ok || !c.Printed || !c.Published {
		t.Errorf("claim J13: have %+v, want one about printed numbers that holds", c)
	}
	n := 0
	for _, c := range Published().Numbers {
		if c.Paper != "stack-rnn" || c.Table != "2" {
			continue
		}
		n++
		if near := 100 * math.Round(c.Float*60/100) / 60; math.Abs(near-c.Float) > 0.0501 {
			t.Errorf("%s %s: have %s, want a multiple of a sixtieth such as %.2f", c.Row, c.Stat, c.Value, near)
		}
	}
	if n != 25 {
		t.Errorf("have %d numbers, want 25", n)
	}
}

// TestBestsThatNoRunHas counts the bests of tables 1 to 3 of diffstk that are no share of a
// number of strings that the paper states for their set, nor of 2,000, which it states for every set.
func TestBestsThatNoRunHas(t *testing.T) {
	sizes := map[string][]int{"1": {6230, 3000}, "2": {6230, 3000}, "3": {15000, 4000}}
	share := func(c Number, of int) bool {
		_, decimals, _ := strings.Cut(c.Value, ".")
		scale := math.Pow10(len(decimals))
		return math.Round(100*math.Round(c.Float*float64(of)/100)/float64(of)*scale) == math.Round(c.Float*scale)
	}
	var bests, impossible []string
	for _, c := range Published().Numbers {
		part := slices.Index([]string{"train_best", "test_best"}, c.Stat)
		if c.Paper != "diffstk" || part < 0 || sizes[c.Table] == nil {
			continue
		}
		bests = append(bests, c.Value)
		if !share(c, sizes[c.Table][part]) && !share(c, 2000) {
			impossible = append(impossible, c.Table+" "+c.Row+" "+c.Value)
		}
	}
	if have, want := len(impossible), 14; len(bests) != 72 || have != want {
		t.Errorf("bests, and those that no number of strings gives: have %d and %d, want 72 and %d: %v", len(bests), have, want, impossible)
	}
}

func TestNumbers(t *testing.T) {
	type figure struct {
		Group, Unit     string
		Published, Half float64
		Number          float64
		Trials          int
		Best            bool
		By              string
	}
	for key, want := range map[string]figure{
		"[resurgence:2:dyck-m4:wcpa_percent:test]":                           {"paper=resurgence/table=2/row=dyck-m4", "test-wcpa-%", 100, 0.5, 100, 1, false, ""},
		"[resurgence:1:dyck-m6:epochs_to_converge:reported]":                 {"paper=resurgence/table=2/row=dyck-m6", "epochs", 2, 0.5, 2, 1, false, ""},
		"[resurgence:1:dyck-m8:train_time_min:reported]":                     {"paper=resurgence/table=2/row=dyck-m8", "train-min", 10, 0.5, 10, 1, false, ""},
		"[resurgence:2:dyck-m4:parameters:reported]":                         {"paper=resurgence/table=2/row=dyck-m4", "params", 5, 0.5, 5, 1, false, ""},
		"[resurgence:3:cut25-lstm-1:parameters:reported]":                    {"paper=resurgence/table=3/row=cut25-lstm-1", "params", 4.5e6, 5e4, 4.5e6, 1, false, ""},
		"[resurgence:2:word-rnn-1:parameters:reported]":                      {"paper=resurgence/table=2/row=word-rnn-1", "params", 2e6, 5e5, 2e6, 1, false, ""},
		"[resurgence:3:cut25-lstm-1:bpc:test]":                               {"paper=resurgence/table=3/row=cut25-lstm-1", "test-bpc", 1.591, 0.0005, 1.591, 1, false, ""},
		"[second-order-lstm:1:m4-attention2:wcpa:valid]":                     {"paper=second-order-lstm/table=1/row=m4-attention2", "valid-wcpa-%", 99.4, 0.05, 0.994, 1, false, ""},
		"[second-order-lstm:1:m8-baseline:wcpa:test]":                        {"paper=second-order-lstm/table=1/row=m8-baseline", "test-wcpa-%", 0, 0.05, 0, 1, false, ""},
		"[second-order-lstm:1:m4-baseline:parameters_as_printed:reported]":   {"paper=second-order-lstm/table=1/row=m4-baseline", "params", 2100, 50, 2.1, 1, false, ""},
		"[second-order-lstm:1:m6-attention2:parameters_as_printed:reported]": {"paper=second-order-lstm/table=1/row=m6-attention2", "params", 7000, 500, 7, 1, false, ""},
		"[second-order-lstm:2:wt2-baseline:parameters_as_printed:reported]":  {"paper=second-order-lstm/table=2/row=wt2-baseline", "params", 2.2e6, 5e4, 2.2, 1, false, ""},
		"[second-order-lstm:3:cross-gi:pair_accuracy:attention]":             {"paper=second-order-lstm/table=3/row=attention/task=cross-gi", "test-pair-acc-%", 42, 0.5, 0.42, 1, false, ""},
		"[diffstk:1:rnn:accuracy_percent:train_best]":                        {"paper=diffstk/table=1/row=rnn", "train-acc-%", 14.02, 0.005, 14.02, 10, true, ""},
		"[diffstk:6:diffstk-mrnn:accuracy_percent:with_noise_mean]":          {"paper=diffstk/table=6/row=diffstk-mrnn/task=with-noise", "test-acc-%", 99, 0.25, 99, 10, false, ""},
		"[stack-rnn:2:rnn:percent_of_n_correct:anbmcnm]":                     {"paper=stack-rnn/table=2/row=rnn/task=anbmcnm", "test-lengths-%", 33.3, 0.05, 33.3, 10, false, "valid-ce"},
		"[stack-rnn:3:step02:top_stack1:reported]":                           {"", "", 0, 0, 0.01, 0, false, ""},
		"[stack-rnn:3:step01:top_stack1:reported]":                           {"", "", 0, 0, -1, 0, false, ""},
		"[stack-rnn:3:step01:action_stack1:reported]":                        {},
	} {
		k, err := ParseKey(key)
		if err != nil {
			t.Error(err)
			continue
		}
		c, ok := Published().Number(k)
		if !ok {
			t.Errorf("%s: no such cell", key)
			continue
		}
		q := c.Quantity
		have := figure{c.Group(), q.Unit, c.Published, c.HalfDigit, c.Float, q.Trials, q.Best, q.ChosenBy}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("%s (-want +have)\n%s", key, d)
		}
		if q.Unit != "" && q.Printed(c.Published) != c.Float {
			t.Errorf("%s: printed scale of %v: have %v, want %v", key, c.Published, q.Printed(c.Published), c.Float)
		}
	}
}

// TestMeasured checks the numbers that Measured returns for benchmark names and
// units.
func TestMeasured(t *testing.T) {
	keys := func(group, unit string) []string {
		var have []string
		for _, c := range Published().Measured(group, unit) {
			have = append(have, c.Key.String())
		}
		return have
	}
	for _, test := range []struct {
		group, unit string
		want        []string
	}{
		{"paper=resurgence/table=2/row=dyck-m4", "epochs", []string{"[resurgence:1:dyck-m4:epochs_to_converge:reported]"}},
		{"paper=diffstk/table=1/row=lstm", "test-acc-%", []string{
			"[diffstk:1:lstm:accuracy_percent:test_mean]", "[diffstk:1:lstm:accuracy_percent:test_best]",
			"[diffstk:7:lstm:accuracy_percent:with_changes_mean]", "[diffstk:7:lstm:accuracy_percent:with_changes_best]",
			"[diffstk:8:lstm:accuracy_percent:sequential_mean]", "[diffstk:8:lstm:accuracy_percent:sequential_best]"}},
		{"paper=resurgence/section=6.2/row=dyck-m4", "test-wcpa-%", nil},
	} {
		if d := cmp.Diff(test.want, keys(test.group, test.unit)); d != "" {
			t.Errorf("cells measured at %s in %s (-want +have)\n%s", test.group, test.unit, d)
		}
	}
	if higher, ok := Published().Unit("test-wcpa-%"); !higher || !ok {
		t.Errorf("direction of test-wcpa-%%: have higher=%v known=%v, want higher", higher, ok)
	}
	if higher, ok := Published().Unit("epochs"); higher || !ok {
		t.Errorf("direction of epochs: have higher=%v known=%v, want lower", higher, ok)
	}
	if _, ok := Published().Unit("furlongs"); ok {
		t.Error("direction of furlongs: have one, want none")
	}
}

// compiledIn returns a copy of the embedded files, so that a test can damage one.
func compiledIn(t *testing.T) fstest.MapFS {
	t.Helper()
	m := make(fstest.MapFS)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, name)
		m[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLoadRejects(t *testing.T) {
	const (
		units  = "units.csv"
		table  = "tables/resurgence_table2.csv"
		claims = "tables/claims.csv"
		cell   = "resurgence,2,dyck-m4,Dyck-RNN,hidden=4; layers=1,4-bounded Dyck-2,wcpa_percent,test,100\n"
		line   = "resurgence,2,wcpa_percent,test,test-wcpa-%,higher,one,1,digits,table=2/row={row},0.5,20,"
	)
	for _, test := range []struct {
		name, file, old, new string
		want                 string
	}{
		{"duplicate cell", table, cell, cell + cell, "resurgence_table2.csv:4: [resurgence:2:dyck-m4:wcpa_percent:test]: have a second cell"},
		{"unknown metric", table, cell, strings.Replace(cell, "wcpa_percent", "wcpa_permille", 1), "resurgence_table2.csv:3: [resurgence:2:dyck-m4:wcpa_permille:test]: have no line in units.csv"},
		{"cell of another table", table, cell, strings.Replace(cell, "resurgence,2", "resurgence,3", 1), "want one of this file"},
		{"no number", table, cell, strings.Replace(cell, "test,100", "test,NaN", 1), `have "NaN", want a number`},
		{"hexadecimal number", table, cell, strings.Replace(cell, "test,100", "test,0x10", 1), `have "0x10", want a number`},
		{"missing suffix", "tables/second-order-lstm_table1.csv", "2.1M", "2.1", `have "2.1", want a number with suffix "M"`},
		{"surplus column", table, cell, strings.Replace(cell, "100\n", "100,1\n", 1), "wrong number of fields"},
		{"empty value", table, cell, strings.Replace(cell, "100\n", "\n", 1), "value: have an empty text"},
		{"blank in a row name", table, cell, strings.Replace(cell, "dyck-m4", "dyck m4", 1), `row: have "dyck m4"`},
		{"header", table, "paper,table,row", "paper,row,table", "resurgence_table2.csv:1: header"},
		{"empty file", units, "", "", "units.csv: EOF"},
		{"unmapped", units, line, strings.Replace(line, "wcpa_percent", "other", 1), "have no line in units.csv"},
		{"stale mapping", units, line, strings.Replace(line, "wcpa_percent", "ldpa_percent", 1) + "x\n" + line, "units.csv:7: quantity resurgence 2 ldpa_percent test: have no cell"},
		{"duplicate mapping", units, line, line + "x\n" + line, "units.csv:8: quantity [resurgence:2::wcpa_percent:test]: have a second line, want one (line 7)"},
		{"two directions", units, line, strings.Replace(line, "higher", "lower", 1), "unit test-wcpa-%: have the direction opposite to line 7"},
		{"direction", units, line, strings.Replace(line, "higher", "up", 1), `better: have "up", want higher or lower`},
		{"unit", units, line, strings.Replace(line, "test-wcpa-%", "Test WCPA", 1), `unit: have "Test WCPA"`},
		{"trials", units, line, strings.Replace(line, ",one,", ",best:1,", 1), `of: have "best:1"`},
		{"choice without a loss", units, line, strings.Replace(line, ",one,", ",least:10,", 1), `of: have "least:10", want one, mean:<trials>`},
		{"choice by no unit", units, line, strings.Replace(line, ",one,", ",least:10:Loss,", 1), `of: have "least:10:Loss"`},
		{"best by a loss", units, line, strings.Replace(line, ",one,", ",best:10:valid-ce,", 1), `of: have "best:10:valid-ce"`},
		{"mean by nothing", units, line, strings.Replace(line, ",one,", ",mean:10:,", 1), `of: have "mean:10:"`},
		{"trials text", units, line, strings.Replace(line, ",one,", ",mean:010,", 1), `of: have "mean:010"`},
		{"factor", units, line, strings.Replace(line, ",1,digits", ",3,digits", 1), `times: have "3", want a power of ten`},
		{"zeros", units, line, strings.Replace(line, ",digits,", ",zeros,", 1), `zeros: have "zeros"`},
		{"place", units, line, strings.Replace(line, "table=2/row={row}", "{row}", 1), `place: have "{row}"`},
		{"half mapped", units, line, strings.Replace(line, "test-wcpa-%", "-", 1), `have "higher", want - in every later column`},
		{"margin", units, line, strings.Replace(line, ",0.5,20,", ",-0.5,20,", 1), `margin: have "-0.5", want a distance`},
		{"width", units, line, strings.Replace(line, ",0.5,20,", ",0.5,wide,", 1), `width: have "wide", want a distance`},
		{"margin alone", units, line, strings.Replace(line, ",0.5,20,", ",0.5,-,", 1), `width: have "-", want a distance`},
		{"no reason", units, "0.5,20,half a point is what one string in two hundred makes; an interval wider than a fifth of 0 to 100 says little", "0.5,20,-", `reason: have "-", want a reason`},
		{"shared place", units, line, strings.Replace(line, "row={row}", "row=x", 1), "want one of its own"},
		{"duplicate claim", claims, "R02,", "R01,", "claims.csv:3: claim R01: have a second one"},
		{"claim on no cell", claims, "[resurgence:2:dyck-m6:wcpa_percent:test]", "[resurgence:2:dyck-m5:wcpa_percent:test]", "claim R07: [resurgence:2:dyck-m5:wcpa_percent:test]: have no such cell"},
		{"claim on a setting", claims, "[resurgence:2:dyck-m6:wcpa_percent:test]", "[resurgence:1:dyck-m6:layers:reported]", "want a measured number"},
		{"claim off the grammar", claims, "[resurgence:2:dyck-m6:wcpa_percent:test] ==", "[resurgence:2:dyck-m6:wcpa_percent:test] =", "claim R07: relation: "},
		{"verdict", claims, "== 100,yes", "== 100,maybe", `holds_in_published: have "maybe"`},
		{"verdict on a measure", claims, ",n/a,true of almost any", ",yes,true of almost any", `holds_in_published: have "yes", want n/a`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := compiledIn(t)
			text := string(m[test.file].Data)
			if !strings.Contains(text, test.old) {
				t.Fatalf("%s does not contain %q", test.file, test.old)
			}
			damaged := strings.Replace(text, test.old, test.new, 1)
			if test.old == "" {
				damaged = ""
			}
			m[test.file] = &fstest.MapFile{Data: []byte(damaged)}
			_, err := Load(m)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error: have %v, want one with %q", err, test.want)
			}
		})
	}
	if _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("load of nothing: have no error, want one")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(quantityHeader+"\np,1,m,s,u,higher,one,1,digits,row={row},0.5,20%,x\n", numberHeader+"\np,1,r,,,,m,s,12.50\n", claimHeader+"\nA,p,1,c,[p:1:r:m:s] > 12,yes,\n")
	f.Add(quantityHeader+"\np,1,m,s,u,lower,mean:10,M=1000,padding,a={row}/b=c,-,-,x\n", numberHeader+"\np,1,r,,,,m,s,00M\n", claimHeader+"\nA,p,1,c,measure: x,n/a,\n")
	f.Fuzz(func(t *testing.T, units, table, claims string) {
		tables, err := Load(fstest.MapFS{
			"units.csv": {Data: []byte(units)}, "tables/p_table1.csv": {Data: []byte(table)}, "tables/claims.csv": {Data: []byte(claims)},
		})
		if err != nil {
			return
		}
		for _, c := range tables.Numbers {
			if c.Quantity.Unit != "" && (!c.Numeric || !(c.HalfDigit > 0)) {
				t.Errorf("%v: value %q: have numeric %v and half %v, want a number with a positive half", c.Key, c.Value, c.Numeric, c.HalfDigit)
			}
		}
	})
}

// TestCopiedRows checks the rows that table 5 of the paper diffstk shares with table 4 of
// the paper stack-rnn. They must have the same printed numbers in both tables. It also
// checks that runs of one row count for both.
func TestCopiedRows(t *testing.T) {
	n := 0
	for _, c := range Published().Numbers {
		if !c.copied() {
			continue
		}
		n++
		k := c.Key
		k.Paper, k.Table = "stack-rnn", "4"
		o, ok := Published().Number(k)
		if !ok || o.Value != c.Value || o.Group() != c.Group() {
			t.Errorf("%v: have %s in group %s, and %v with %q in group %q, want equal values and groups", c.Key, c.Value, c.Group(), k, o.Value, o.Group())
		}
	}
	if n != 8 {
		t.Errorf("have %d copied cells, want 8: 4 rows with 2 numbers", n)
	}
}

// TestReadings checks which numbers have readings, and which rows stand for them.
func TestReadings(t *testing.T) {
	for key, want := range map[string][]Reading{
		"[diffstk:2:lstm:accuracy_percent:test_mean]": {
			{"searched", nil, []string{"paper=diffstk/table=2/row=lstm/task=searched", "paper=diffstk/table=2/row=lstm"}},
		},
		"[diffstk:3:diffstk-rnn:accuracy_percent:test_best]": {
			{"searched", []Choice{{"stacks", "searched"}}, []string{"paper=diffstk/table=3/row=diffstk-rnn/task=searched-stacks10", "paper=diffstk/table=3/row=diffstk-rnn/task=searched", "paper=diffstk/table=3/row=diffstk-rnn"}},
			{"searched with one stack", []Choice{{"stacks", "one stack"}}, []string{"paper=diffstk/table=3/row=diffstk-rnn/task=searched", "paper=diffstk/table=3/row=diffstk-rnn"}},
		},
		"[diffstk:4:gru:accuracy_percent:train_mean]": {
			{"P1", []Choice{{"palindromes", "P1"}}, []string{"paper=diffstk/table=4/row=gru/task=searched", "paper=diffstk/table=4/row=gru"}},
			{"P2", []Choice{{"palindromes", "P2"}}, []string{"paper=diffstk/table=4/row=gru/task=mapped-searched"}},
			{"P3", []Choice{{"palindromes", "P3"}}, []string{"paper=diffstk/table=4/row=gru/task=mapped-unmarked-searched"}},
		},
		"[resurgence:2:word-rnn-1:ce_nats:test]": {
			{"embeddings normal(0, 1)", []Choice{{"embeddings", "embeddings normal(0, 1)"}, {"dropout", "dropout before the softmax"}}, []string{"paper=resurgence/table=2/row=word-rnn-1"}},
			{"embeddings uniform(-0.1, 0.1)", []Choice{{"embeddings", "embeddings uniform(-0.1, 0.1)"}, {"dropout", "dropout before the softmax"}}, []string{"paper=resurgence/table=2/row=word-rnn-1/task=small-embedding"}},
			{"embeddings normal(0, 1) and dropout of the state passed on", []Choice{{"embeddings", "embeddings normal(0, 1)"}, {"dropout", "dropout of the state passed on"}}, []string{"paper=resurgence/table=2/row=word-rnn-1/task=carried-dropout"}},
			{"embeddings uniform(-0.1, 0.1) and dropout of the state passed on", []Choice{{"embeddings", "embeddings uniform(-0.1, 0.1)"}, {"dropout", "dropout of the state passed on"}}, []string{"paper=resurgence/table=2/row=word-rnn-1/task=small-embedding-carried-dropout"}},
		},
		"[resurgence:2:word-rnn-1:parameters:reported]": nil,
		"[resurgence:3:cut50-lstm-2:bpc:test]": {
			{"with first characters and line ends", []Choice{{"ends", "with first characters and line ends"}}, []string{"paper=resurgence/table=3/row=cut50-lstm-2"}},
			{"without them", []Choice{{"ends", "without first characters and line ends"}}, []string{"paper=resurgence/table=3/row=cut50-lstm-2/task=without-ends"}},
		},
		"[resurgence:3:cut50-lstm-2:parameters:reported]": nil,
		"[diffstk:7:lstm:accuracy_percent:with_changes_mean]": {
			{"searched", nil, []string{"paper=diffstk/table=1/row=lstm/task=searched", "paper=diffstk/table=1/row=lstm"}},
		},
		"[diffstk:7:lstm:accuracy_percent:without_changes_mean]": {
			{"searched", nil, []string{"paper=diffstk/table=6/row=lstm/task=without-noise-searched", "paper=diffstk/table=6/row=lstm/task=without-noise"}},
		},
		"[diffstk:8:diffstk-mrnn:accuracy_percent:incremental_best]": {
			{"searched", []Choice{{"stacks", "searched"}}, []string{"paper=diffstk/table=8/row=diffstk-mrnn/task=incremental-searched-stacks10", "paper=diffstk/table=8/row=diffstk-mrnn/task=incremental-searched", "paper=diffstk/table=8/row=diffstk-mrnn/task=incremental"}},
			{"searched with one stack", []Choice{{"stacks", "one stack"}}, []string{"paper=diffstk/table=8/row=diffstk-mrnn/task=incremental-searched", "paper=diffstk/table=8/row=diffstk-mrnn/task=incremental"}},
		},
		"[diffstk:5:diffstk-rnn:ppl:test]": nil,
	} {
		k, err := ParseKey(key)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := Published().Number(k)
		if !ok {
			t.Fatalf("%s: have no such number", key)
		}
		if diff := cmp.Diff(want, n.Readings()); diff != "" {
			t.Errorf("%s: have other readings (-want +have):\n%s", key, diff)
		}
	}
	k, _ := ParseKey("[diffstk:4:stack-rnn:accuracy_percent:test_mean]")
	n, _ := Published().Number(k)
	var labels []string
	for _, x := range n.Readings() {
		labels = append(labels, x.Label)
	}
	if diff := cmp.Diff([]string{"P1", "P1 with one stack", "P2", "P2 with one stack", "P3", "P3 with one stack"}, labels); diff != "" {
		t.Errorf("%v: have other readings (-want +have):\n%s", k, diff)
	}
}
