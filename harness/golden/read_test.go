package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
)

const example = "testdata/dyck.txt"

var exampleOrigin = Origin{Commit: "0123456789ab", Machine: "linux/amd64, an example", Date: "2026-01-31", Contract: 1, Reason: "first run of the example"}

// exampleFile returns the results of run as a golden file that has the origin of the example.
func exampleFile(run *Run) *File { return run.overlay(nil, exampleOrigin) }

// paperText returns the text of a golden file at scale paper, with two rows and three thinned
// trajectories. The first has a regular curve, the second an irregular one, and the third, of a
// run without a row, one of several lines.
func paperText(t testing.TB) string {
	run := ofTable2()
	run.Rows, run.Trajectories = run.Rows[:2], run.Trajectories[:3]
	f := exampleFile(run)
	curve := &f.Trajectories[1].Thinned.Curve
	*curve = slices.Delete(*curve, 0, 1)
	long := f.Trajectories[2].Thinned
	for n := 1250; n <= 250*50; n += 50 {
		long.Curve = append(long.Curve, Validation{Step(n), Round6(lossAt(n))})
	}
	long.Points += 226
	f.Trajectories[2].Origin.Reason = "measured later"
	return formatted(t, f)
}

// TestExample checks that the run of dyck gives the committed example and reads back from it. With
// -update, it writes the example.
func TestExample(t *testing.T) {
	want := exampleFile(dyck())
	text := formatted(t, want)
	if *Flag() != "" {
		put(t, example, text)
	}
	have, err := Read(example)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("%s (-made +read)\n%s", example, d)
	}
	if d := cmp.Diff(text, textOf(t, example)); d != "" {
		t.Errorf("%s (-made +committed)\n%s", example, d)
	}
}

// TestPaperText checks the text of a thinned run line by line, and that text at scale paper reads
// back.
func TestPaperText(t *testing.T) {
	of := func(what ...any) string { return sum(append([]any{m4One}, what...)...) }
	curve := "curve every=50"
	for n := 50; n <= 1200; n += 50 {
		loss := lossAt(n)
		if n == 750 {
			loss = 0.1
		}
		curve += fmt.Sprintf(" %.6g", loss)
	}
	kept := func(n int, digest, rate string, loss float64) string {
		return fmt.Sprintf("%d %s %s lr=%s temperature=%s valid-loss=%s", n, digest, of("state", n), rate, Number(1/float64(n)), Number(loss))
	}
	thin := ranThrough(m4One).Thin()
	want := strings.Join([]string{
		"1 " + of(1), "10 " + of(10), kept(100, of(100), "0.1", lossAt(100)), kept(400, of(400), "0.05", lossAt(400)),
		kept(750, of("best"), "0.05", 0.1), kept(900, of(900), "0.025", lossAt(900)), kept(1000, of(1000), "0.025", lossAt(1000)),
		"best " + of("best"), "end " + of(1200) + " " + of("state", 1200) + " diverged=1",
		fmt.Sprintf("points %d %s", thin.Thinned.Points, thin.Thinned.SHA256), curve, "",
	}, "\n")
	text := paperText(t)
	if d := cmp.Diff(want, thin.String()); d != "" || !strings.Contains(text, want) {
		t.Errorf("(-want +have)\n%s\nin the file\n%s", d, text)
	}
	f, err := Parse("x.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if have := formatted(t, f); have != text {
		t.Errorf("(-want +written again)\n%s", cmp.Diff(text, have))
	}
	if n := strings.Count(text, "\ncurve "); n != 5 || !strings.Contains(text, "\ncurve 100:0.109346 ") || !strings.Contains(text, "\nRun "+string(m4)+"/seed=3\n") {
		t.Errorf("have %d curve lines, want 5, one with update numbers, and a run without a row, in\n%s", n, text)
	}
}

// A refusal is text that Parse must refuse: a golden file with one change.
type refusal struct {
	name, old, new string
	line           int
	want           string
}

func refuses(t *testing.T, good string, tests []refusal) {
	t.Helper()
	for _, test := range tests {
		text := strings.Replace(good, test.old, test.new, 1)
		if text == good {
			t.Errorf("%s: the file does not contain %q", test.name, test.old)
		}
		_, err := Parse("x.txt", []byte(text))
		var parse *ParseError
		if !errors.As(err, &parse) || parse.Line != test.line || parse.Path != "x.txt" || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: have error %v, want x.txt:%d: ... %s", test.name, err, test.line, test.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const (
		row   = "BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1 4.015625 epochs 5 params 100 test-wcpa-% 0.0625 train-min\n"
		unit  = "Unit epochs better=lower\n"
		first = "\n1 6b86b273"
	)
	from := "From " + exampleOrigin.String() + "\n"
	refuses(t, textOf(t, example), []refusal{
		{"NaN", "1 4.015625 epochs", "1 NaN epochs", 20, "epochs: have NaN, want a finite number"},
		{"infinity", "1 4.015625 epochs", "1 +Inf epochs", 20, "epochs: have +Inf, want a finite number"},
		{"no number", "1 4.015625 epochs", "1 4,125 epochs", 20, `value: have "4,125"`},
		{"exponent", "5 params 100 test", "5 params 1e2 test", 20, `column 87: have "1e2", want it written as "100"`},
		{"trailing zero", "1 4.015625 epochs", "1 4.0156250 epochs", 20, `column 62: have "4.0156250", want it written as "4.015625"`},
		{"no values", row, "BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1\n", 20, "want 1 and then pairs"},
		{"duplicate row", row, row + row, 20, "have it twice"},
		{"rows out of order", row, strings.Replace(row, "seed=1 ", "seed=9 ", 1), 26, "have it after"},
		{"units of a row out of order", "4.015625 epochs 5 params", "5 params 4.015625 epochs", 20, "epochs: have it after params"},
		{"GOMAXPROCS suffix", "row=dyck-m4/seed=1 1", "row=dyck-m4/seed=1-2 1", 20, `seed: have "1-2"`},
		{"no origin", "\n" + from, "", 8, `origin: commit: have ""`},
		{"idle From", row, "\n" + from + row, 20, `have a blank line, want none before "BenchmarkTrain/paper=resurgence/`},
		{"commit", "commit=0123456789ab", "commit=HEAD", 10, `origin: commit: have "HEAD"`},
		{"contract in words", "contract=1", "contract=one", 9, `contract: have "one", want a whole number`},
		{"origin without machine", ` machine="linux/amd64, an example"`, "", 9, `have "date=2026-01-31", want machine=`},
		{"needless quotes", "commit=0123456789ab", `commit="0123456789ab"`, 9, `column 6: have "commit=\"0123456789ab\"", want it written as "commit=0123456789ab"`},
		{"open quote", "of the example\"", "of the example", 9, "want a quoted value"},
		{"duplicate unit", unit, unit + unit, 1, "unit epochs: have it after epochs"},
		{"unit without direction", unit, "Unit epochs\n", 1, "have neither better= nor assume=exact"},
		{"direction", unit, "Unit epochs better=up\n", 1, `unit epochs: better: have "up", want higher or lower`},
		{"clock", "clock=true", "clock=false", 7, `clock: have "false", want true`},
		{"unit key", unit, "Unit epochs better=lower colour=red\n", 4, `have "colour=red", want the end of the line`},
		{"unit that benchstat rewrites", unit, "Unit epoch-ns better=lower\n", 1, "which benchstat rewrites to epoch-sec"},
		{"unused unit", unit, "Unit aeons better=lower\n" + unit, 1, "unit aeons: have no row with it"},
		{"short digest", first, "\n1 12\n" + first[1:], 20, `update 1: digest: have "12", want 64`},
		{"no digest", "\n10 ", "\n2\n10 ", 22, "digest: have none, want one"},
		{"update", "\n10 ", "\n010 ", 22, `have "010 `},
		{"duplicate update", "\n10 ", "\n1 ", 20, "update 1: have it after update 1"},
		{"updates out of order", "\n10 ", "\n1000 ", 20, "update 500: have it after update 1000"},
		{"loss in hex", "valid-loss=0.1", "valid-loss=0x1p-3", 23, `have "valid-loss=0x1p-3", want it written as "valid-loss=0.125"`},
		{"loss NaN", "valid-loss=0.1", "valid-loss=NaN", 20, "update 500: valid-loss: have NaN"},
		{"word after the digests", "lr=0.01", "lr=0.01 x", 23, `have "x", want the end of the line`},
		{"points without a run", "\n" + from, "\n1 " + sum("1") + "\n\n" + from, 9, "want a run before it"},
		{"run without points", row, "Run " + string(m4One) + "\n" + row, 20, "have the line"},
		{"thinned", "\nBenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=2", "\npoints 7 " + sum("x") + "\nBenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=2", 20,
			"curve: update 500: have none, want 0.1 as the update kept has it"},
		{"run without points at the end", "0.4375 train-min\n", "0.4375 train-min\nRun test=a/seed=1\n", 40, `have "Run test=a/seed=1", want the end of the file`},
		{"comment", unit, "# a remark\n" + unit, 4, "want a line of a golden file"},
		{"blank line", unit, unit + "\n", 5, `have a blank line, want none before "Unit params better=lower assume=exact"`},
		{"blank line at the end", "seed=5 1 1.078125 epochs 5 params 100 test-wcpa-% 0.4375 train-min\n", "seed=5 1 1.078125 epochs 5 params 100 test-wcpa-% 0.4375 train-min\n\n", 40, "have a blank line, want none before the end of the file"},
		{"no blank line", "\n\n" + unit, "\n" + unit, 3, `have "Unit epochs better=lower", want a blank line before it`},
		{"two blanks", "Unit epochs better", "Unit epochs  better", 4, "single blanks"},
		{"blank at the end of a line", unit, "Unit epochs better=lower \n", 4, "single blanks"},
		{"no scale", "scale: ci\n", "", 1, `scale: have ""`},
		{"oversized line", row, row + "x" + strings.Repeat("x", maxLine) + "\n", 21, "line: have 4098 bytes, want at most 4096"},
		{"cut short", "1.078125 epochs 5 params 100 test-wcpa-% 0.4375 train-min\n", "1.0781", 39, "have a last line without newline"},
	})
	for _, text := range []string{"", "suite: dyck", "\n", "\x00\n", strings.Repeat("\n", 1000)} {
		_, err := Parse("x.txt", []byte(text))
		wantError(t, fmt.Sprintf("%.20q", text), err, "x.txt:1")
	}
}

func TestParseRefusesAtScalePaper(t *testing.T) {
	thin := ranThrough(m4One).Thin().Thinned
	refuses(t, paperText(t), []refusal{
		{"not thinned", "points 28 ", "curve every=50 0.1\npoints 28 ", 20, "curve: have no line of points before it, want one"},
		{"no points", "points 28 " + thin.SHA256 + "\n", "", 20, "curve: have no line of points before it"},
		{"number of points", "points 28 ", "points 3 ", 10, "points: have 3, want at least the 9 kept"},
		{"more validations than points", "points 28 ", "points 20 ", 10, "curve: have 19 validations that are not kept, want no more than the 11 points"},
		{"other interval", "every=50", "every=51", 10, "curve: update 100: have none, want 0.109346 as the update kept has it"},
		{"trailing zero", "every=50 0.117544", "every=50 0.1175440", 21, "want it written as"},
		{"seven digits", "every=50 0.117544", "every=50 0.1175443", 10, "curve: update 50: have 0.1175443, want a finite number of six digits"},
		{"loss NaN", "every=50 0.117544", "every=50 NaN", 10, "want a finite number of six digits"},
		{"loss of a point kept", "every=50 0.117544 0.109346", "every=50 0.117544 0.2", 10, "curve: update 100: have 0.2, want 0.109346 as the update kept has it"},
		{"curve out of order", "curve 100:", "curve 1000000:", 22, "curve: update 150: have it out of order"},
		{"scale ci", "scale: paper", "scale: ci", 10, "have a thinned trajectory: true, want false at scale ci"},
		{"blank line", "\npoints", "\n\npoints", 20, "have a blank line, want none before"},
	})
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
	_, err = Read(huge)
	wantError(t, "huge file", err, huge, "want at most 67108864")
	misplaced := filepath.Join(dir, "resurgence-table3.txt")
	put(t, misplaced, paperText(t))
	_, err = Read(misplaced)
	wantError(t, "rows of another file", err, misplaced+": have "+string(m4One)+", want it in "+table2)
}

func TestReadScale(t *testing.T) {
	folder := func(change ...string) fstest.MapFS {
		files := fstest.MapFS{}
		add := func(name string, run *Run) {
			text := formatted(t, exampleFile(run))
			if len(change) == 3 && change[0] == name {
				if text = strings.Replace(text, change[1], change[2], 1); change[1] != "" && !strings.Contains(text, change[2]) {
					t.Fatalf("%s does not contain %q", name, change[1])
				}
			}
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		add("ci.txt", dyck())
		for name, run := range atPaper().Files() {
			add(name, run)
		}
		return files
	}
	for _, run := range []*Run{dyck(), atPaper()} {
		have, err := ReadScale(folder(), run.Scale, "golden/dyck")
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(exampleFile(run), have); d != "" {
			t.Errorf("scale %s (-want +have)\n%s", run.Scale, d)
		}
	}
	const section = "resurgence-section6.2.txt"
	for _, test := range []struct{ scale, name, old, new, want string }{
		{"paper", table2, "Unit test-wcpa-% better=higher", "Unit test-wcpa-% better=lower", `have "Unit test-wcpa-% better=lower", want "Unit test-wcpa-% better=higher" as other files of the folder`},
		{"paper", table2, "suite: dyck", "suite: x", "have results of x/paper, want those of dyck/paper"},
		{"paper", section, "section=6.2/row=dyck-m4-1d/seed=1 ", "section=6.1/row=dyck-m4-1d/seed=1 ", "have paper=resurgence/section=6.1/row=dyck-m4-1d/seed=1, want it in resurgence-section6.1.txt"},
		{"paper", table2, "points 28", "points 3", ":10: "},
		{"ci", "ci.txt", "scale: ci", "scale: smoke", "have results of dyck/smoke, want those of dyck/ci"},
	} {
		_, err := ReadScale(folder(test.name, test.old, test.new), test.scale, "golden/dyck")
		wantError(t, test.new, err, filepath.Join("golden/dyck", test.name)+":", test.want)
	}
	for _, scale := range []string{"ci", "paper"} {
		_, err := ReadScale(fstest.MapFS{"README.md": {}}, scale, "golden/dyck")
		if wantError(t, "no files", err, filepath.FromSlash("golden/dyck")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no files at scale %s: have %v, want fs.ErrNotExist", scale, err)
		}
	}
}

// TestNumbers checks that finite float64 values are the same after writing and reading.
func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 4500000: "4500000", 0.1: "0.1", 1e-5: "0.00001", 2.5e-7: "2.5e-07", 1e15: "1e+15", -100: "-100"} {
		if have := Number(v); have != want {
			t.Errorf("text of %v: have %s, want %s", v, have, want)
		}
	}
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 100, 99.99999999999999, 4500000, 1e14, 1e15, 1e21, 1e-5, 9.999e-6,
		math.MaxFloat64, math.SmallestNonzeroFloat64, -math.Pi, 0x1p-1022, 0x1.fffffep-3,
	} {
		run := dyck()
		run.set(t, oneDim+"/seed=1", "test-wcpa-%", v)
		run.Trajectories[0].Points[2].Extra[0].Value = v
		f, err := Parse("x.txt", []byte(formatted(t, run.File())))
		if err != nil {
			t.Fatal(err)
		}
		for _, have := range []float64{f.Values(oneDim, "test-wcpa-%")[0], f.Trajectories[0].Points[2].Extra[0].Value} {
			if math.Float64bits(have) != math.Float64bits(v) {
				t.Errorf("have %v back, want %v", have, v)
			}
		}
	}
}

// benchmarks parses text with the parser of benchstat. It returns the values, the configuration
// and the units that the parser finds.
func benchmarks(t *testing.T, text string) (values map[string]float64, config map[string]string, units []string) {
	t.Helper()
	values, config = make(map[string]float64), make(map[string]string)
	r := benchfmt.NewReader(strings.NewReader(text), "golden")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			for _, v := range rec.Values {
				values[rec.Name.String()+" "+v.Unit] = v.Value
			}
			for _, c := range rec.Config {
				config[c.Key] = string(c.Value)
			}
		case *benchfmt.UnitMetadata:
			units = append(units, rec.Unit+" "+rec.Key+"="+rec.Value)
		case *benchfmt.SyntaxError:
			t.Errorf("benchstat's reader: %v", rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	return values, config, units
}

// TestBenchmarkText checks that the parser of x/perf finds the results and units in a golden file,
// skips all other lines, and reads only suite and scale as configuration.
func TestBenchmarkText(t *testing.T) {
	for _, text := range []string{textOf(t, example), paperText(t)} {
		f, err := Parse("x.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		want := make(map[string]float64)
		for _, row := range f.Rows {
			for _, v := range row.Values {
				want["Train/"+string(row.Name)+" "+v.Unit] = v.Value
			}
		}
		have, config, units := benchmarks(t, text)
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("values (-golden +benchstat)\n%s", d)
		}
		if d := cmp.Diff(map[string]string{"suite": f.Suite, "scale": f.Scale}, config); d != "" {
			t.Errorf("configuration (-want +have)\n%s", d)
		}
		if d := cmp.Diff([]string{"epochs better=lower", "params better=lower", "params assume=exact", "test-wcpa-% better=higher", "train-min better=lower", "train-min clock=true"}, units); d != "" {
			t.Errorf("units (-want +have)\n%s", d)
		}
	}
}

// TestBenchstat checks that benchstat shows a golden file and a run side by side.
func TestBenchstat(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a command: not under -short")
	}
	run := dyck()
	run.set(t, m4One, "params", 6)
	ran := filepath.Join(t.TempDir(), "run.txt")
	put(t, ran, formatted(t, run.File()))
	cmd := exec.Command("go", "tool", "benchstat", "-table", "suite", "-row", ".name,/paper,/table,/section,/row,/task", "-ignore", "/seed",
		"-filter", "/row:dyck-m4 .unit:params", "-format", "csv", "golden="+example, "run="+ran)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "Train resurgence 2 dyck-m4,5,") {
		t.Errorf("benchstat: have %v, %s\n%s\nwant a line of dyck-m4", err, &stderr, out)
	}
}

// FuzzParse checks that Parse does not panic, that its errors have a line number, that formatting
// accepted text gives the same text, and that the parser of benchstat finds the same values.
func FuzzParse(f *testing.F) {
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
		values, _, _ := benchmarks(t, string(text))
		n := 0
		for _, row := range file.Rows {
			n += len(row.Values)
		}
		if len(values) != n {
			t.Errorf("benchstat reads %d values, Parse %d", len(values), n)
		}
	})
}
