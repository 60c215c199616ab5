package golden

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	m4     = Name("paper=resurgence/table=2/row=dyck-m4")
	m4One  = m4 + "/seed=1"
	oneDim = Name("paper=resurgence/section=6.2/row=dyck-m4-1d")
)

func TestCompareEqual(t *testing.T) {
	g := filed(t, dyck())
	partial := dyck()
	partial.Rows, partial.Trajectories = partial.Rows[:3], nil
	reversed := dyck()
	slices.Reverse(reversed.Rows)
	slices.Reverse(reversed.Rows[0].Values)
	complete := dyck()
	complete.Complete = true
	slower := dyck()
	slower.set(t, m4One, "train-min", 1e6) // this also changes the outcome of a verdict on wall time
	for name, run := range map[string]*Run{"same": dyck(), "partial": partial, "another order": reversed, "complete": complete, "slower": slower} {
		differences, err := Compare(g, run, rules)
		if err != nil || len(differences) != 0 {
			t.Errorf("%s: have %v, %v, want no difference", name, differences, err)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Run)
		want   []string // a part of each difference, in order
	}{
		{"worse", func(r *Run) { r.set(t, m4+"/seed=2", "test-wcpa-%", 99.9) }, []string{
			"metric: paper=resurgence/table=2/row=dyck-m4/seed=2: test-wcpa-%: golden 100, run 99.9: worse by 0.1, want equality (equal bits)",
			"verdict: R07: golden holds, run undecided: was draws=10000 true=10000; is draws=10000 true=3264",
		}},
		{"better", func(r *Run) { r.set(t, oneDim+"/seed=1", "test-wcpa-%", 39) }, []string{
			"metric: paper=resurgence/section=6.2/row=dyck-m4-1d/seed=1: test-wcpa-%: golden 38.5, run 39: better by 0.5",
		}},
		{"fewer epochs are better", func(r *Run) { r.set(t, m4One, "epochs", 4) }, []string{"golden 4.015625, run 4: better by 0.0156"}},
		{"last bit", func(r *Run) { r.set(t, m4One, "epochs", math.Nextafter(4.015625, 5)) }, []string{"golden 4.015625, run 4.015625000000001: worse by 8.88e-16"}},
		{"missing unit", func(r *Run) { r.Rows[0].Values = r.Rows[0].Values[:2] }, []string{
			"missing: " + string(m4One) + ": epochs: golden 4.015625, run nothing",
			"missing: " + string(m4One) + ": train-min: golden 0.0625, run nothing",
		}},
		{"new unit", func(r *Run) {
			r.Units = append(r.Units, Unit{Name: "valid-wcpa-%", Better: "higher"})
			r.Tolerances = append(r.Tolerances, Tolerance{Unit: "valid-wcpa-%", Reason: "equal bits"})
			r.Rows[0].Values = append(r.Rows[0].Values, Value{"valid-wcpa-%", 99})
		}, []string{"new: " + string(m4One) + ": valid-wcpa-%: golden nothing, run 99"}},
		{"new row", func(r *Run) { r.Rows[0].Name = m4 + "/seed=6" }, []string{"new: paper=resurgence/table=2/row=dyck-m4/seed=6: golden nothing, run a row"}},
		{"missing row", func(r *Run) { r.Rows, r.Complete = r.Rows[:24], true }, []string{
			"missing: paper=resurgence/section=6.2/row=dyck-m4-2d/seed=5: golden a row, run nothing",
		}},
		{"missing trajectory", func(r *Run) { r.Trajectories, r.Complete = nil, true }, []string{"missing: " + string(m4One) + ": golden a trajectory, run nothing"}},
		{"verdict not judged", func(r *Run) { r.Judge.Claims, r.Complete = []string{"R07", "R09"}, true }, []string{"verdict: R13: golden holds, run nothing"}},
		{"verdicts not judged, one on wall time", func(r *Run) { r.Judge.Groups, r.Complete = r.Judge.Groups[:2], true }, []string{
			"verdict: [resurgence:1:dyck-m8:epochs_to_converge:reported]: golden matches, run nothing",
			"verdict: [resurgence:2:dyck-m8:parameters:reported]: golden matches, run nothing",
			"verdict: [resurgence:2:dyck-m8:wcpa_percent:test]: golden matches, run nothing",
		}},
		{"new verdict", func(r *Run) { r.Judge.Claims = append(r.Judge.Claims, "R04") }, []string{
			`verdict: R04: golden nothing, run undecided: is missing="paper=resurgence/table=2/row=char-mmlstm-1 epochs" more=3`,
		}},
		{"verdict on a cell", func(r *Run) {
			for seed := 1; seed <= 5; seed++ {
				r.set(t, m4.WithSeed(seed), "epochs", 6)
			}
		}, []string{"metric", "metric", "metric", "metric", "metric",
			"verdict: [resurgence:1:dyck-m4:epochs_to_converge:reported]: golden matches, run worse: was published=4 half=0.5 n=5 mean=4.04688 sd=0.0247053 of=1 low=3.97174 high=4.12201 margin=0.5 width=0.8; is published=4 half=0.5 n=5 mean=6 sd=0 of=1 low=6 high=6 margin=0.5 width=0.8",
		}},
		{"tolerance", func(r *Run) { r.Tolerances[2].Abs = 0.5 }, []string{`definition: epochs: golden Tolerance epochs abs=0 reason="equal bits", run Tolerance epochs abs=0.5 reason="equal bits"`}},
		{"unit", func(r *Run) { r.Units[1].Exact = false }, []string{"definition: params: golden Unit params better=lower assume=exact, run Unit params better=lower"}},
		{"contract", func(r *Run) { r.Contract = 2 }, []string{"contract: paper=resurgence/section=6.2/row=dyck-m4-1d/seed=1: golden contract version 1, run contract version 2"}},
		{"digest", func(r *Run) {
			r.Trajectories[0].Points[2].SHA256 = digest("x")
			r.Trajectories[0].Points[3].SHA256 = digest("y")
		}, []string{
			"digest: " + string(m4One) + ": golden " + digest("500") + ", run " + digest("x") + ": sha256 differs first at update 500; equal up to update 10",
		}},
		{"first digest", func(r *Run) { r.Trajectories[0].Points[0].SHA256 = digest("x") }, []string{"sha256 differs first at update 1; nothing before it agrees"}},
		{"loss by one bit", func(r *Run) { r.Trajectories[0].Points[2].Extra[1].Value = math.Nextafter(0.1, 1) }, []string{
			"golden 0x1.999999999999ap-04, run 0x1.999999999999bp-04: valid-loss differs first at update 500",
		}},
		{"missing loss", func(r *Run) { r.Trajectories[0].Points[2].Extra = r.Trajectories[0].Points[2].Extra[:1] }, []string{"golden 0x1.999999999999ap-04, run nothing: valid-loss differs"}},
		{"state", func(r *Run) { r.Trajectories[0].Points[4].State = digest("x") }, []string{"state differs first at update end; equal up to update best"}},
		{"other points", func(r *Run) { r.Trajectories[0].Points[1].At = 20 }, []string{"golden update 10, run update 20: the runs have different points from there on; equal up to update 1"}},
		{"ended early", func(r *Run) {
			r.Trajectories[0].Points[2].At, r.Trajectories[0].Points = End, r.Trajectories[0].Points[:3]
		}, []string{"golden update 500, run update end"}},
		{"went on", func(r *Run) {
			r.Trajectories[0].Points = append(r.Trajectories[0].Points, Point{At: 1000, SHA256: digest("x")})
		}, []string{"golden update best, run update 1000"}},
		{"prefix", func(r *Run) { r.Trajectories[0].Points = r.Trajectories[0].Points[:2] }, nil},
		{"prefix that diverges", func(r *Run) {
			r.Trajectories[0].Points = r.Trajectories[0].Points[:2]
			r.Trajectories[0].Points[1].SHA256 = digest("x")
		}, []string{"sha256 differs first at update 10; equal up to update 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, run := filed(t, dyck()), dyck()
			test.change(run)
			differences, err := Compare(g, run, rules)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for i, d := range differences {
				have = append(have, d.String())
				if i >= len(test.want) || !strings.Contains(d.String(), test.want[i]) {
					t.Errorf("difference %d: have %v", i+1, d)
				}
			}
			if len(have) != len(test.want) {
				t.Errorf("have %d differences, want %d:\n%s", len(have), len(test.want), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestPrefixOfPrefix checks that Compare reports a run that has more points than its golden
// trajectory, if the golden trajectory is a prefix.
func TestPrefixOfPrefix(t *testing.T) {
	short := dyck()
	short.Trajectories[0].Points = short.Trajectories[0].Points[:2]
	differences, err := Compare(filed(t, short), dyck(), rules)
	if err != nil || len(differences) != 1 || !strings.Contains(differences[0].Note, "the golden trajectory stops before it; equal up to update 10") {
		t.Errorf("have %v, %v, want one difference at update 500", differences, err)
	}
}

func TestTolerance(t *testing.T) {
	for _, test := range []struct {
		t          Tolerance
		have, want float64
		allowed    bool
	}{
		{Tolerance{}, 1, 1, true},
		{Tolerance{}, math.Nextafter(1, 2), 1, false},
		{Tolerance{Abs: 0.5}, 1.5, 1, true},
		{Tolerance{Abs: 0.5}, 0.5, 1, true},
		{Tolerance{Abs: 0.5}, 1.625, 1, false},
		{Tolerance{Abs: 0.5}, 0.375, 1, false},
		{Tolerance{Rel: 0.25}, 5, 4, true},
		{Tolerance{Rel: 0.25}, 5.5, 4, false},
		{Tolerance{Rel: 0.25}, -5, -4, true},
		{Tolerance{Rel: 0.25, Abs: 2}, 6, 4, true},
		{Tolerance{Rel: 0.25, Abs: 2}, 6.5, 4, false}, // the larger of the two bounds applies, not their sum
		{Tolerance{Any: true}, 1e300, -1e300, true},
		{Tolerance{}, math.MaxFloat64, -math.MaxFloat64, false},
	} {
		if have := test.t.allows(test.have, test.want); have != test.allowed {
			t.Errorf("%v for golden %v: allowed %v, want %v", test.have, test.want, have, test.allowed)
		}
	}
}

func TestCompareRejects(t *testing.T) {
	for want, change := range map[string]func(*Run){
		"golden file: have dyck/ci":                          func(r *Run) { r.Scale = "paper" },
		"run of charlm/ci: golden file: have dyck/ci":        func(r *Run) { r.Suite = "charlm" },
		"contract: have 0":                                   func(r *Run) { r.Contract = 0 },
		"seed=1: have it twice":                              func(r *Run) { r.Rows[1].Name = r.Rows[0].Name },
		"trajectory " + string(m4One) + ": have it twice":    func(r *Run) { r.Trajectories = append(r.Trajectories, r.Trajectories[0]) },
		"epochs: have NaN":                                   func(r *Run) { r.set(t, m4One, "epochs", math.NaN()) },
		"epochs: have -Inf":                                  func(r *Run) { r.set(t, m4One, "epochs", math.Inf(-1)) },
		"unit epochs: have no Unit line":                     func(r *Run) { r.Units = append(r.Units[:2], r.Units[3]) },
		"unit epochs: have no Tolerance line":                func(r *Run) { r.Tolerances = append(r.Tolerances[:2], r.Tolerances[3]) },
		"unit epochs: have it twice":                         func(r *Run) { r.Units = append(r.Units, r.Units[2]) },
		"tolerance of epochs: have it twice":                 func(r *Run) { r.Tolerances = append(r.Tolerances, r.Tolerances[2]) },
		"tolerance of epochs: reason":                        func(r *Run) { r.Tolerances[2].Reason = "" },
		"have any beside abs":                                func(r *Run) { r.Tolerances[3].Abs = 1 },
		"update 500: valid-loss: have NaN":                   func(r *Run) { r.Trajectories[0].Points[2].Extra[1].Value = math.NaN() },
		"update 1: have it twice":                            func(r *Run) { r.Trajectories[0].Points[1].At = 1 },
		"have no points":                                     func(r *Run) { r.Trajectories[0].Points = nil },
		"have no values":                                     func(r *Run) { r.Rows[0].Values = nil },
		`sha256: have "beef", want 64 lower-case hex digits`: func(r *Run) { r.Trajectories[0].Points[0].SHA256 = "beef" },
		`name "dyck": part 1: have "dyck=", want key=value`:  func(r *Run) { r.Rows[0].Name = "dyck" },
		`extra: have the name "sha256", want lower-case`:     func(r *Run) { r.Trajectories[0].Points[2].Extra[1].Key = "sha256" },
		"have no such update, want one below 1<<63":          func(r *Run) { r.Trajectories[0].Points[2].At = End + 1 },
	} {
		g, run := filed(t, dyck()), dyck()
		change(run)
		if _, err := Compare(g, run, rules); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error: have %v, want one with %q", err, want)
		}
	}
}

// TestCompareLeavesItsArguments checks that Compare does not change the golden file.
func TestCompareLeavesItsArguments(t *testing.T) {
	g, run := filed(t, dyck()), dyck()
	before, err := Format(g)
	if err != nil {
		t.Fatal(err)
	}
	run.set(t, m4One, "epochs", 17)
	if _, err := Compare(g, run, rules); err != nil {
		t.Fatal(err)
	}
	after, err := Format(g)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(before), string(after)); d != "" {
		t.Errorf("golden file (-before +after)\n%s", d)
	}
}

// TestEditedEvidence checks that Compare finds a verdict that was edited by hand,
// even if the rows of the verdict did not run, and that an update corrects the
// verdict.
func TestEditedEvidence(t *testing.T) {
	text := exampleText(t)
	for _, test := range []struct{ old, new, want string }{
		{"mean=4.04688", "mean=9", "evidence: [resurgence:1:dyck-m4:epochs_to_converge:reported]: golden matches published=4 half=0.5 n=5 mean=9 sd=0.0247053 of=1 low=3.97174 high=4.12201 margin=0.5 width=0.8, " +
			"its rows matches published=4 half=0.5 n=5 mean=4.04688 sd=0.0247053 of=1 low=3.97174 high=4.12201 margin=0.5 width=0.8: the golden file does not agree with itself"},
		{"n=5", "n=7", "n=7"},
		{"low=3.97174", "low=3.972", "low=3.972"},
		{" sd=0.0247053", "", "mean=4.04688 of="},
		{"true=10000", "true=9999", "evidence: R07: golden holds draws=10000 true=9999, its rows holds draws=10000 true=10000"},
		{"matches published=4", "worse published=4", "golden worse published=4"},
		{"low=3.97174", "low=3.97175", ""},
	} {
		edited := strings.Replace(text, test.old, test.new, 1)
		if edited == text {
			t.Fatalf("the example does not contain %q", test.old)
		}
		path := filepath.Join(t.TempDir(), "ci.txt")
		if err := os.WriteFile(path, []byte(edited), 0o644); err != nil {
			t.Fatal(err)
		}
		run := dyck()
		run.Rows, run.Trajectories, run.Judge.Groups = run.Rows[15:], nil, nil
		errors, _ := checked(t, path, run, "")
		if test.want == "" && errors != "" || !strings.Contains(errors, test.want) {
			t.Errorf("%q for %q: have errors %q, want them to contain %q", test.new, test.old, errors, test.want)
		}
		updated(t, path, dyck(), "correct the evidence")
		if errors, _ := checked(t, path, dyck(), ""); errors != "" {
			t.Errorf("%q for %q: after an update: have errors %q", test.new, test.old, errors)
		}
	}
}
