package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/suites"
)

// export runs the command.
func export(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = run(&out, &err, args)
	return status, out.String(), err.String()
}

// TestDigests exports a row of each kind of strings at the paper's size. The digests are those of
// every machine.
func TestDigests(t *testing.T) {
	for i, c := range []struct{ suite, row, digest string }{
		{"recognition", "table=1/row=lstm", "ee0a67e696efcef0d8529f0145b82a8abc583c2be783f4a08a14363d56f2672a"},
		{"dyck", "m4-baseline", "b341f45e27886f94212fb319a5b6f798e88d6d861df73a332f1b395ede73f9ad"},
		{"dyck", "table=2/row=dyck-m4", "b341f45e27886f94212fb319a5b6f798e88d6d861df73a332f1b395ede73f9ad"},
		{"dyck", "m4-baseline/task=lr1e-2-min80", "9ad27ec068bb9c736859695bb28b8159d020ca1fc41be976e2562a76bbf2504f"},
		{"dyck", "m6-baseline", "a6bc48eb8513ae7d85577d96d46acb9965d30c88790fc348383a764b3f40f381"},
		{"dyck", "m8-baseline", "51e850b7da5bc69f0fbd92381e073d019820cad76e197fdb5034d2380dbddb41"},
		{"recognition", "table=2/row=lstm", "5297cb6fe88420e39084a2b5b0caffc37722f3861ab3efa50e0ffe2c1e4363da"},
		{"recognition", "table=3/row=lstm", "6ad830b050849a66e9f96619e3ec05aeac4b72f4a4086c0b380dd57e3abea00a"},
		{"recognition", "table=4/row=lstm", "eebb5d54a87fb3d85772e29791b31f3580f46a39e42dfd4a24fa1631ef67dcfa"},
		{"recognition", "table=4/row=lstm/task=mapped-search-batch1", "e90164112495e2ec51b1c4c2a356dadb404ae50db4de7f550e73c80acf8845b0"},
		{"recognition", "table=4/row=lstm/task=mapped-unmarked-search-batch1", "e283ca2d28e0560d3889d8a0360f8dd82a81683294eec9ca31d158d7de79f266"},
		{"recognition", "section=3/row=diffstk-rnn/task=ordinary", "2e36cfc712a46d5a670dade4d96171d486e3f255998ebc24f5bc2cfe8c17b9c3"},
	} {
		if testing.Short() && i > 1 {
			break
		}
		folder := filepath.Join(t.TempDir(), "data")
		status, stdout, stderr := export("-suite", c.suite, "-row", c.row, "-seed", "2", "-o", folder)
		line, _, _ := strings.Cut(stdout, "\n")
		if want := "data " + c.digest; status != 0 || !strings.HasSuffix(line, want) {
			t.Errorf("%s of %s: status %d and %q, %s want 0 and %q", c.row, c.suite, status, line, stderr, want)
		}
	}
}

// TestAllDigests exports every row. A digest is that of lines, each with the name of a row and the digest of its data set.
func TestAllDigests(t *testing.T) {
	for _, c := range []struct {
		scale suite.Scale
		suite string
		rows  int
		want  string
	}{
		{suite.Smoke, "dyck", 31, "0f349d57b699ed90d759eaa192f02b7b5d32944ece9940efeb8152c9aef32daa"},
		{suite.Smoke, "recognition", 122, "7a003933ea4418a130b8d2f986dd3d67e1c44d8603b3c32b880f1b9802710373"},
		{suite.Smoke, "patterns", 50, "445cb24af53b5f2ba3bd697abdcc3efec534bd63605145170140d617849e427a"},
		{suite.Smoke, "wordlm", 15, "90f6713a16384df86006c5fdfe8166fc3358bbc047ca7038db94e7a162a139f1"},
		{suite.Smoke, "charlm", 22, "592520fb9f13926171692f3adcad2c7e6f023e29020446e36597f4aa296fd52d"},
		{suite.Smoke, "wikitext", 3, "1f8cd26e4c84d2ac3b24fb8b7c1c833c14a79e2207411d5afbad08cac8860bb9"},
		{suite.CI, "syneval", 57, "e36feb8efbe4367855bb958b5161cdefd4bae69b8bd7a8bb8d8a120edd80b3fb"},
		{suite.Paper, "dyck", 0, ""},
		{suite.Paper, "recognition", 0, ""},
		{suite.Paper, "patterns", 0, ""},
		{suite.Paper, "wordlm", 0, ""},
		{suite.Paper, "charlm", 0, ""},
		{suite.Paper, "wikitext", 0, ""},
		{suite.Paper, "syneval", 0, ""},
	} {
		t.Run(string(c.scale)+"/"+c.suite, func(t *testing.T) {
			if c.scale == suite.Paper {
				suite.SkipUnlessLong(t, "every row at the paper's size")
			}
			lines, err := exchange.List(suites.All, c.suite, c.scale)
			if err != nil {
				t.Fatal(err)
			}
			hash := sha256.New()
			for _, line := range lines {
				_, name, _ := strings.Cut(line, " ")
				_, row, err := exchange.Find(suites.All, c.suite, c.scale, name)
				if err != nil {
					t.Fatal(err)
				}
				set, err := row.Exchange()
				if missing, ok := errors.AsType[*suite.Missing](err); ok {
					suite.Skip(t, missing.Need, missing.Reason, missing.Remedy)
				}
				if err != nil {
					t.Fatal(err)
				}
				digest, err := set.Digest()
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(hash, "%s %s\n", name, digest)
				t.Log(name, digest)
			}
			if have := fmt.Sprintf("%x", hash.Sum(nil)); have != c.want || len(lines) != c.rows {
				t.Errorf("have %d rows with the digest %s, want %d with %s", len(lines), have, c.rows, c.want)
			}
		})
	}
}

func TestList(t *testing.T) {
	status, stdout, stderr := export("-list")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for _, want := range []string{
		"\nwordlm paper=stack-rnn/table=4/row=lstm\n", "\nsyneval paper=second-order-lstm/table=3/row=baseline/task=agreement-simple\n",
		"\ndyck paper=second-order-lstm/table=1/row=m6-baseline\n", "\nrecognition paper=diffstk/table=1/row=lstm\n",
	} {
		if strings.Count(stdout, want) != 1 {
			t.Errorf("output without the line %q, or with several", want)
		}
	}
}

func TestListOfASuite(t *testing.T) {
	for name, want := range map[string]string{"dyck": "dyck paper=resurgence/table=2/row=dyck-m4\n", "charlm": "charlm paper=resurgence/table=2/row=char-mlstm-1\n"} {
		status, stdout, stderr := export("-list", "-suite", name, "-scale", "smoke")
		if status != 0 || !strings.HasPrefix(stdout, want) || strings.Contains(stdout, "recognition") {
			t.Errorf("%s: status %d and %q, %s want 0 and %q", name, status, stdout, stderr, want)
		}
	}
}

func TestWrongArguments(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip(err)
	}
	free := filepath.Join(folder, "free")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"x", 2, `have the argument "x" after the flags, want none`},
		{"-list -scale big", 2, `scale: have "big", want smoke, ci or paper`},
		{"-list -suite dick", 2, `suite: have "dick", want `},
		{"-suite dyck -row m6-baseline", 2, "-o: have no folder, want one for the data"},
		{"-suite dyck -row m6-baseline -o a/../b", 2, "-o: have a/../b with .. after a name, want b if that is meant"},
		{"-suite dyck -row m6-baseline -seed -1 -o " + free, 2, `seed: have "-1"`},
		{"-suite dyck -row m6-baseline -scale big -o " + free, 2, `scale: have "big", want smoke, ci or paper`},
		{"-suite dick -row m6-baseline -o " + free, 2, `suite: have "dick", want `},
		{"-suite dyck -row m6-base -o " + free, 2, "row=m6-baseline"},
		{"-suite recognition -row lstm -o " + free, 2, "which is the end of several names, want one of paper=diffstk/table=1/row=lstm"},
		{"-suite dyck -row m6-baseline -scale smoke -o " + folder, 1, "have a folder with x, want a new or an empty one"},
		{"-suite dyck -row m6-baseline -scale smoke -o " + link, 1, "have a link, want a new or an empty folder"},
		{"-suite dyck -row m6-baseline -scale smoke -o " + filepath.Join(folder, "x"), 1, "have a file, want a new or an empty folder"},
	} {
		flags, folder, given := strings.Cut(c.args, " -o ") // the temporary folder may have a blank in its name
		args := strings.Fields(flags)
		if given {
			args = append(args, "-o", folder)
		}
		if status, _, stderr := export(args...); status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d and %q, want %d and %q", c.args, status, stderr, c.status, c.want)
		}
	}
	if _, err := os.Stat(free); !os.IsNotExist(err) {
		t.Errorf("%s: have %v, want nothing written for wrong arguments", free, err)
	}
}
