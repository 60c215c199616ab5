package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// TestAllDigests exports every row. The digest of a suite is that of its distinct lines, sorted, each with the name of a row
// without its task, and the digest of its data set. So more rows of a search on the same strings change nothing.
func TestAllDigests(t *testing.T) {
	for _, c := range []struct {
		scale suite.Scale
		suite string
		lines int
		want  string
	}{
		{suite.Smoke, "dyck", 27, "5425e9128a1e58d18e3c80423f6ad52e066e8aa4b493a13525d30614cd1f0fd4"},
		{suite.Smoke, "recognition", 64, "0caf7bd5971f54ab82702fedd9072f0d3654504dae04178a53e8dbe572273508"},
		{suite.Smoke, "patterns", 60, "ccb4bb5f8880d22f9d6c0fa444384ebdd0bc45b3ccc4fa17a076b0817fe40ee3"},
		{suite.Smoke, "wordlm", 15, "289697faf97ed79a7b2a58b7c5bac4d4fffca8ba5a98dd644d322717a9b66a95"},
		{suite.Smoke, "charlm", 22, "82eada09a12f2f9151629c6bcf4bca18a03a5e6fcc736ae8b46e8c03d9c61097"},
		{suite.Smoke, "wikitext", 3, "3ca921b826d3204b93953aad02ea76913705621c9b75fc9d3b528cebaf5ba8b3"},
		{suite.CI, "syneval", 57, "89771ace044e27d1fdbc6e62917f8731e0fb986a4bb2e58d5bcebadb4a8412b1"},
		{suite.Paper, "dyck", 45, "4db1904af342a9b574f1079907a45cddb83a92058eec62fe04e017549d742505"},
		{suite.Paper, "recognition", 100, "d31f41d24d05a28a7b2ff36d1b521d566a3e6440feac5429dc799e5d6a6d5938"},
		{suite.Paper, "patterns", 60, "85b9a5569001570d7ed42bca85125a158ba704dd1cae46b448e376af430e34bc"},
		{suite.Paper, "wordlm", 15, "298b176bd7d2e6bf2fd77f9a88e1aac274ad9262e9072dd9fbfc31101ebd7ce5"},
		{suite.Paper, "charlm", 22, "7f4021ead75d4cd8fe90d7d4f051a97051150cd87f79444dac2f3bdbc0a3404a"},
		{suite.Paper, "wikitext", 3, "8b8d7aa20255305ee961c4b8f0aecf6a8d0c4d98b6ec5fc6ece150762d5ca2fd"},
		{suite.Paper, "syneval", 57, "497eae2ee3d912c2dee1bc76a12a8bb19b4da9936a2b429bbf4b059386e362ea"},
	} {
		t.Run(string(c.scale)+"/"+c.suite, func(t *testing.T) {
			if c.scale == suite.Paper {
				suite.SkipUnlessLong(t, "every row at the paper's size")
			}
			lines, err := exchange.List(suites.All, c.suite, c.scale)
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]bool{}
			for _, line := range lines {
				name := strings.Fields(line)[1]
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
				of, _, _ := strings.Cut(name, "/task=")
				found[of+" "+digest+"\n"] = true
				t.Log(name, digest)
			}
			have := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(found)), ""))))
			if have != c.want || len(found) != c.lines {
				t.Errorf("have %d lines with the digest %s, want %d with %s", len(found), have, c.lines, c.want)
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
		"\nwordlm paper=stack-rnn/table=4/row=lstm 1 LSTM, PTB word: ", "\nsyneval paper=second-order-lstm/table=3/row=baseline/task=agreement-simple 0\n",
		"\ndyck paper=second-order-lstm/table=1/row=m6-baseline 5 ", "\nrecognition paper=diffstk/table=1/row=lstm 30\n", "\nrecognition paper=diffstk/table=1/row=lstm/task=searched 30 LSTM, D2: ",
	} {
		if strings.Count(stdout, want) != 1 {
			t.Errorf("output without the line %q, or with several", want)
		}
	}
}

func TestListOfASuite(t *testing.T) {
	for name, want := range map[string]string{"dyck": "dyck paper=resurgence/table=2/row=dyck-m4 1 Dyck-RNN, 4-bounded Dyck-2: ", "charlm": "charlm paper=resurgence/table=2/row=char-mlstm-1 1 "} {
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
		{"-suite dyck -row m6-baseline -seed -1 -o " + free, 2, "-seed: have -1, want 1 or more"},
		{"-suite dyck -row m6-baseline -scale big -o " + free, 2, `scale: have "big", want smoke, ci or paper`},
		{"-suite dick -row m6-baseline -o " + free, 2, `suite: have "dick", want `},
		{"-suite dyck -row m6-base -o " + free, 2, "row=m6-baseline"},
		{"-suite recognition -row lstm -o " + free, 2, "which is the end of several names, want one of paper=diffstk/table=1/row=lstm"},
		{"-suite dyck -row m6-baseline -scale smoke -o " + folder, 1, "have a folder with x, want a new or an empty one"},
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
