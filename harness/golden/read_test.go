package golden

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
)

const example = "testdata/dyck.txt"

func exampleText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadWrite checks that reading and formatting the example gives the same text.
func TestReadWrite(t *testing.T) {
	f, err := Read(example)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Format(f)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(exampleText(t), string(text)); d != "" {
		t.Errorf("written again (-want +have)\n%s", d)
	}
	if len(f.Rows) != 25 || len(f.Trajectories) != 1 || len(f.Trajectories[0].Points) != 5 || len(f.Verdicts) != 9 || len(f.Claims) != 3 {
		t.Errorf("have %d rows, %d trajectories, %d verdicts, %d claims", len(f.Rows), len(f.Trajectories), len(f.Verdicts), len(f.Claims))
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct {
		text, written string
		line          int
		want          string // "" for no error
	}{
		{"a\nb\n", "a\nb\n", 0, ""},
		{"a\nb\n\n", "a\nb\n", 3, "have a blank line, want none before the end of the file"},
		{"a\n\nb\n", "a\nb\n", 2, `have a blank line, want none before "b"`},
		{"a\nb\n", "a\n\nb\n", 2, `have "b", want a blank line before it`},
		{"a\nb\n", "a\n", 2, `have "b", want the end of the file`},
		{"a\n", "a\nb\n", 2, `have the end of the file, want "b"`},
		{"a\nb\n", "a\nc d\n", 2, `have the line "b", want "c d"`},
		{"a 1e2 b\n", "a 100 b\n", 1, `column 3: have "1e2", want it written as "100"`},
		{"a b\n", "a b c\n", 1, `column 5: have the end of the line, want "c"`},
		{"a b c\n", "a b\n", 1, `column 5: have "c", want the end of the line`},
	} {
		n, err := canonical(c.text, c.written)
		if n != c.line || (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%q for %q: have line %d, %v, want line %d, %s", c.text, c.written, n, err, c.line, c.want)
		}
	}
}

func TestReadRejects(t *testing.T) {
	const (
		row   = "BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1 4.015625 epochs 5 params 100 test-wcpa-% 0.0625 train-min\n"
		unit  = "Unit epochs better=lower\n"
		units = unit + "Unit params better=lower assume=exact\nUnit test-wcpa-% better=higher\nUnit train-min better=lower\n"
		bound = "Tolerance epochs abs=0 reason=\"equal bits\"\n"
		first = "Trajectory paper=resurgence/table=2/row=dyck-m4/seed=1 update=1 sha256="
		claim = "Claim R07 holds draws=10000 true=10000\n"
	)
	for _, test := range []struct {
		name, old, new string
		line           int
		want           string
	}{
		{"NaN", "1 4.015625 epochs", "1 NaN epochs", 26, "epochs: have NaN, want a finite number"},
		{"infinity", "1 4.015625 epochs", "1 +Inf epochs", 26, "epochs: have +Inf, want a finite number"},
		{"overflow", "1 4.015625 epochs", "1 1e999 epochs", 26, `value: have "1e999", want a finite number`},
		{"no number", "1 4.015625 epochs", "1 4,125 epochs", 26, `value: have "4,125"`},
		{"exponent", "5 params 100 test", "5 params 1e2 test", 26, `column 87: have "1e2", want it written as "100"`},
		{"trailing zero", "1 4.015625 epochs", "1 4.0156250 epochs", 26, `column 62: have "4.0156250", want it written as "4.015625"`},
		{"iterations", "/seed=1 1 4.015625", "/seed=1 2 4.015625", 26, `iterations: have "2", want 1`},
		{"no values", row, "BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1\n", 26, "want 1 and then pairs"},
		{"odd values", " 0.0625 train-min", " 0.0625", 26, "want 1 and then pairs"},
		{"duplicate row", row, row + row, 27, "have it twice"},
		{"rows out of order", row, strings.Replace(row, "seed=1 ", "seed=9 ", 1), 27, "have it after"},
		{"duplicate unit in a row", "4.015625 epochs 5 params", "4.015625 epochs 5 epochs", 26, "epochs: have it twice"},
		{"units of a row out of order", "4.015625 epochs 5 params", "5 params 4.015625 epochs", 26, "epochs: have it after params"},
		{"unknown unit in a row", "4.015625 epochs 5 params", "4.015625 epochs 5 parsecs", 26, "unit parsecs: have no Unit line"},
		{"name", "row=dyck-m4/seed=1 1", "row=dyck-m4/seed=x 1", 26, `seed: have "x"`},
		{"GOMAXPROCS suffix", "row=dyck-m4/seed=1 1", "row=dyck-m4/seed=1-2 1", 26, `seed: have "1-2"`},
		{"other benchmark", "BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1", "BenchmarkTest/paper=resurgence/table=2/row=dyck-m4/seed=1", 26, "want a line of a golden file"},
		{"unused provenance", "\n\n" + unit, "\nProvenance 2 commit=unknown machine=x date=2026-01-02 contract=1 reason=x\nProvenance 3 commit=unknown machine=x date=2026-01-02 contract=1 reason=x\n\n" + unit, 5, "provenance 2: have no row and no trajectory from it"},
		{"unknown provenance", "From 1\nBench", "From 2\nBench", 16, "from 2: have no such provenance"},
		{"no provenance", "From 1\nBench", "Bench", 15, "from 0: have no such provenance"},
		{"idle From", "From 1\nBench", "From 1\nFrom 1\nBench", 16, `have the line "From 1", want "BenchmarkTrain/paper=resurgence/`},
		{"duplicate unit", unit, unit + unit, 7, "unit epochs: have it twice"},
		{"unit without direction", unit, "Unit epochs\n", 6, "have neither better= nor assume=exact"},
		{"direction", unit, "Unit epochs better=higher\n", 6, "want the direction of units.csv"},
		{"assumption", unit, "Unit epochs better=lower assume=normal\n", 6, `assume: have "normal", want exact`},
		{"unit key", unit, "Unit epochs better=lower colour=red\n", 6, `have "colour=red", want the end of the line`},
		{"unit that benchstat rewrites", unit, "Unit epoch-ns better=lower\n", 6, "which benchstat rewrites to epoch-sec"},
		{"unused unit", unit, "Unit aeons better=lower\n" + unit, 6, "unit aeons: have no Tolerance line"},
		{"unused unit and tolerance", units + bound, "Unit aeons better=lower\n" + units + "Tolerance aeons abs=0 reason=x\n" + bound, 6, "unit aeons: have no row with it"},
		{"no tolerance", bound, "", 6, "unit epochs: have no Tolerance line"},
		{"tolerance of nothing", bound, "Tolerance aeons abs=0 reason=x\n" + bound, 10, "unit aeons: have no Unit line"},
		{"negative tolerance", bound, strings.Replace(bound, "abs=0", "abs=-1", 1), 10, "abs: have -1"},
		{"tolerance NaN", bound, strings.Replace(bound, "abs=0", "abs=NaN", 1), 10, "abs: have NaN"},
		{"infinite tolerance", bound, strings.Replace(bound, "abs=0", "rel=Inf", 1), 10, "rel: have +Inf"},
		{"tolerance without bound", bound, "Tolerance epochs reason=x\n", 10, "have no bound, want abs=, rel= or any"},
		{"tolerance without reason", bound, "Tolerance epochs abs=0\n", 10, "want reason="},
		{"empty reason", bound, "Tolerance epochs abs=0 reason=\"\"\n", 10, "reason: have"},
		{"open quote", bound, "Tolerance epochs abs=0 reason=\"equal\n", 10, "want a quoted value"},
		{"needless quotes", bound, "Tolerance epochs abs=0 reason=\"equal\"\n", 10, `column 24: have "reason=\"equal\"", want it written as "reason=equal"`},
		{"short digest", first, first[:len(first)-len("sha256=")] + "sha256=12\n" + first, 43, `sha256: have "12", want 64`},
		{"digest in capitals", first + "6b86", first + "6B86", 43, "want 64 lower-case hex digits"},
		{"update", "update=10 ", "update=010 ", 44, `update: have "010"`},
		{"negative update", "update=10 ", "update=-1 ", 44, `update: have "-1"`},
		{"duplicate update", "update=10 ", "update=1 ", 44, "have it twice"},
		{"updates out of order", "update=10 ", "update=1000 ", 45, "have it after update 1000"},
		{"decimal loss", "valid-loss=0x1.999999999999ap-04", "valid-loss=0.1", 45, `have "valid-loss=0.1", want it written as "valid-loss=0x1.999999999999ap-04"`},
		{"loss NaN", "valid-loss=0x1.999999999999ap-04", "valid-loss=NaN", 45, "valid-loss: have NaN"},
		{"loss twice", "rate=0x1.47ae147ae147bp-07", "valid-loss=0x1p-07", 45, "valid-loss: have it after valid-loss"},
		{"word in a trajectory", "rate=0x1.47ae147ae147bp-07", "rate", 45, `have "rate", want the end of the line`},
		{"verdict on nothing", "[resurgence:2:dyck-m4:wcpa_percent:test]", "[resurgence:2:dyck-m5:wcpa_percent:test]", 53, "have no published number of that key"},
		{"verdict word", "[resurgence:2:dyck-m4:wcpa_percent:test] matches", "[resurgence:2:dyck-m4:wcpa_percent:test] holds", 53, `have "holds", want one of ["matches"`},
		{"claim on nothing", "Claim R07", "Claim R99", 59, `claim "R99": have no published claim`},
		{"claim word", "Claim R07 holds", "Claim R07 matches", 59, "want holds, fails or undecided"},
		{"claim twice", claim, claim + claim, 60, "have it twice"},
		{"evidence", claim, "Claim R07 holds easily\n", 59, "want key=value fields"},
		{"sections out of order", unit, claim + unit, 7, "have a line of an earlier section"},
		{"comment", unit, "# a remark\n" + unit, 6, "want a line of a golden file"},
		{"unknown line", unit, "Weather fine\n" + unit, 6, `have "Weather fine"`},
		{"configuration", unit, "goos: linux\n" + unit, 6, `have "goos: linux"`},
		{"blank line", unit, unit + "\n", 7, `have a blank line, want none before "Unit params better=lower assume=exact"`},
		{"blank line between claims", claim, claim + "\n", 60, `have a blank line, want none before "Claim R09`},
		{"no blank line", "\n\n" + unit, "\n" + unit, 5, `have "Unit epochs better=lower", want a blank line before it`},
		{"two blanks", "Unit epochs better", "Unit epochs  better", 6, "single blanks"},
		{"blank at the end", unit, "Unit epochs better=lower \n", 6, "single blanks"},
		{"carriage return", unit, "Unit epochs better=lower\r\n", 6, `better: have "lower\r"`},
		{"second suite", "scale: ci\n", "suite: dyck\nscale: ci\n", 2, "suite: have it twice"},
		{"no scale", "scale: ci\n", "", 1, `scale: have ""`},
		{"suite", "suite: dyck", "suite: Dyck", 1, `suite: have "Dyck"`},
		{"no provenance line", "Provenance 1", "From", 4, "number"},
		{"commit", "commit=0123456789ab", "commit=HEAD", 4, `commit: have "HEAD"`},
		{"date", "date=2026-01-31", "date=2026-02-31", 4, `date: have "2026-02-31"`},
		{"contract", "contract=1", "contract=0", 4, "contract: have 0, want 1 or more"},
		{"provenance without machine", ` machine="linux/amd64, an example"`, "", 4, "want machine="},
		{"control character", "an example", `an\x1b[31mexample`, 4, "printable"},
		{"oversized line", claim, "Claim R07 holds " + strings.Repeat("x", maxLine) + "\n", 59, "line: have 4112 bytes, want at most 4096"},
		{"cut short", "true=10000\nClaim R09 holds draws=10000 true=10000\nClaim R13 holds draws=10000 true=10000\n", "true=10000\nClaim R09 hol", 60, "have a last line without newline"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := exampleText(t)
			if !strings.Contains(text, test.old) {
				t.Fatalf("the example does not contain %q", test.old)
			}
			_, err := Parse("x.txt", []byte(strings.Replace(text, test.old, test.new, 1)))
			var parse *ParseError
			if !errors.As(err, &parse) {
				t.Fatalf("error: have %v, want a *ParseError", err)
			}
			if parse.Line != test.line || parse.Path != "x.txt" || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error: have %v, want x.txt:%d: ... %s", err, test.line, test.want)
			}
		})
	}
}

func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(filepath.Join(dir, "none.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: have %v, want fs.ErrNotExist", err)
	}
	if _, err := Read(dir); err == nil {
		t.Error("folder: have no error, want one")
	}
	huge := filepath.Join(dir, "huge.txt")
	f, err := os.Create(huge)
	if err == nil {
		err = errors.Join(f.Truncate(maxFile+1), f.Close()) // a sparse file, which uses no disk space
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(huge); err == nil || !strings.Contains(err.Error(), "want at most 67108864") {
		t.Errorf("huge file: have %v, want an error with the limit", err)
	}
	for _, text := range []string{"", "suite: dyck", "\n", "\x00\n", strings.Repeat("\n", 1000)} {
		var parse *ParseError
		if _, err := Parse("x.txt", []byte(text)); !errors.As(err, &parse) {
			t.Errorf("%.20q: have %v, want a *ParseError", text, err)
		}
	}
}

// TestNumbers checks that finite float64 values are the same after writing and reading.
func TestNumbers(t *testing.T) {
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 100, 99.99999999999999, 4500000, 1e14, 1e15, 1e21, 1e-5, 9.999e-6,
		math.MaxFloat64, math.SmallestNonzeroFloat64, -math.Pi, 0x1p-1022, 0x1.fffffep-3,
	} {
		run := dyck()
		run.set(t, "paper=resurgence/section=6.2/row=dyck-m4-1d/seed=1", "test-wcpa-%", v)
		run.Trajectories[0].Points[2].Extra[0].Value = v
		run.Judge = Judge{}
		text, err := Format(run.File())
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse("x.txt", text)
		if err != nil {
			t.Fatal(err)
		}
		have := f.Values("paper=resurgence/section=6.2/row=dyck-m4-1d", "test-wcpa-%")[0]
		if math.Float64bits(have) != math.Float64bits(v) {
			t.Errorf("value %v: have %v back", v, have)
		}
		if have := f.Trajectories[0].Points[2].Extra[0].Value; math.Float64bits(have) != math.Float64bits(v) {
			t.Errorf("scalar %v: have %v back", v, have)
		}
	}
}

func TestNumberText(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 4500000: "4500000", 0.1: "0.1", 1e-5: "0.00001", 2.5e-7: "2.5e-07", 1e15: "1e+15", -100: "-100"} {
		if have := Number(v); have != want {
			t.Errorf("text of %v: have %s, want %s", v, have, want)
		}
	}
}

// benchmarks parses text with the parser of benchstat. It returns the values and
// the configuration that the parser finds.
func benchmarks(t *testing.T, text []byte) (values map[string]float64, config map[string]string) {
	t.Helper()
	values, config = make(map[string]float64), make(map[string]string)
	r := benchfmt.NewReader(bytes.NewReader(text), "golden")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			for _, v := range rec.Values {
				values[rec.Name.String()+" "+v.Unit] = v.Value
			}
			for _, c := range rec.Config {
				config[c.Key] = string(c.Value)
			}
		case *benchfmt.SyntaxError:
			t.Errorf("benchstat's reader: %v", rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	return values, config
}

// TestBenchmarkText checks that the parser of x/perf finds the results in a golden file,
// skips all other lines, and reads only suite and scale as configuration.
func TestBenchmarkText(t *testing.T) {
	f, err := Read(example)
	if err != nil {
		t.Fatal(err)
	}
	have, config := benchmarks(t, []byte(exampleText(t)))
	want := make(map[string]float64)
	for _, row := range f.Rows {
		for _, v := range row.Values {
			want["Train/"+string(row.Name)+" "+v.Unit] = v.Value
		}
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("values (-golden +benchstat)\n%s", d)
	}
	if d := cmp.Diff(map[string]string{"suite": "dyck", "scale": "ci"}, config); d != "" {
		t.Errorf("configuration (-want +have)\n%s", d)
	}
}

// FuzzParse checks that Parse does not panic, that its errors have a line number,
// that formatting accepted text gives the same text, and that the parser of
// benchstat finds the same values.
func FuzzParse(f *testing.F) {
	const head = "suite: a\nscale: b\n\nProvenance 1 commit=unknown machine=\"a b\" date=2026-01-31 contract=1 reason=x\n"
	const body = head + "\nUnit u better=lower\nTolerance u rel=0.5 reason=x\n\nFrom 1\nBenchmarkTrain/a=b/seed=1 1 1 u\n"
	f.Add([]byte(head))
	f.Add([]byte(body + "BenchmarkTrain/a=b/seed=2 1 -2.5e-07 u\n"))
	f.Add([]byte(body + "\nFrom 1\nTrajectory a=b/seed=1 update=1 sha256=" + digest("x") + " loss=0x1p+00\nTrajectory a=b/seed=1 update=end sha256=" + digest("y") + "\n"))
	f.Add([]byte(body + "\nVerdict [resurgence:2:dyck-m4:wcpa_percent:test] undecided n=1\n\nClaim R07 holds true=1\n"))
	f.Add([]byte(strings.Replace(body, " 1 1 u", " 1 NaN u", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse("x.txt", text)
		if err != nil {
			var parse *ParseError
			if !errors.As(err, &parse) || parse.Line < 1 || parse.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Fatalf("error %v: need a *ParseError with a line of the file", err)
			}
			return
		}
		again, err := Format(file)
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("written again: %v\n%s", err, cmp.Diff(string(text), string(again)))
		}
		values, _ := benchmarks(t, text)
		n := 0
		for _, row := range file.Rows {
			n += len(row.Values)
		}
		if len(values) != n {
			t.Errorf("benchstat reads %d values, Parse %d", len(values), n)
		}
	})
}
