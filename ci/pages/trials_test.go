package main

import (
	"path/filepath"
	"strings"
	"testing"

	"pushdown/ci/git/gittest"
	"pushdown/harness/suite"
)

// A trial says how a test runs a command of a page. The trials of a page run one after the other
// in one scratch, so that a command has what the ones before it leave.
type trial struct {
	command string
	run     string // what runs in its place; empty: the command itself
	left    bool   // whether it does not run at all
	why     string // the reason, if something else runs or nothing
	before  string // commands that make the situation in which it stands
	status  int    // its exit status
	want    string // part of what it prints
	after   string // a command that succeeds afterwards
}

// The reasons for which a command does not run as it stands.
const (
	trains   = "trains for long; scale smoke takes the same way"
	repeats  = "includes this test; .ci/run runs the same"
	timed    = "measures for long; one iteration takes the same way"
	emulated = "needs an emulator; the step emulated of .ci/run runs it"
	fuzzes   = "the step long_fuzz of .ci/run runs it, with more executions"
	peers    = "needs PyTorch, JAX, oneDNN and OpenBLAS"
	gpus     = "is for a machine with a GPU; the step gpu_emulated of .ci/run runs the same script on an interpreter"
	built    = "; of a small package, because both commits are built"
	torch    = "takes minutes in PyTorch; a test of ci/score trains with it for an epoch"
	modules  = "is for another module; a test of ci/export makes one"
	renames  = "renames the module, after which all packages are built anew"
	few      = "has too few samples for the usual limits"
)

// commit commits all files of a scratch.
const commit = `git add -A && git commit -q --allow-empty -m commit`

// other gives HEAD~1 and HEAD other numbers than runs have.
const other = `sed -i.bak 's/ [0-9.e-]* test-ce / 0.5 test-ce /' golden/dyck/smoke.txt && rm golden/dyck/smoke.txt.bak && ` + commit + ` && ` + commit

// small is the part of a comparison that takes few samples of one small benchmark. They may be too
// few, so the trial does not look at the status, but at the report.
const small = `-bench Seq -benchtime 1x -most 4 -loss 0.9 HEAD~1 HEAD ./harness/rng || true`

// pagesOfTrials has the trials of each page, in the order of their commands.
var pagesOfTrials = []struct {
	name   string
	trials []trial
}{
	{"README.md", []trial{
		{command: `go test ./suites/dyck -run WCPA -v`, run: `go test -short ./suites/dyck -run WCPA -v`, why: trains, want: "row                                   metric       paper  golden"},
		{command: `go test ./...`, left: true, why: repeats},
		{command: `go run ./ci/corpora`, want: "ptb"},
		{command: `PUSHDOWN_SCALE=paper go test ./suites/recognition -run '^TestTable1$' -v -timeout 0`,
			run: `PUSHDOWN_RESUME=1 PUSHDOWN_SCALE=smoke go test ./suites/recognition -run '^TestTable1$' -v -timeout 0`, why: trains, want: "--- PASS: TestTable1/paper=diffstk/table=1/"},
		{command: `PUSHDOWN_SCALE=paper go test ./suites/dyck -run 'WCPA/paper/table/row=dyck-m4$/seed' -v -timeout 0`,
			run: `PUSHDOWN_RESUME=1 PUSHDOWN_SCALE=smoke go test ./suites/dyck -run 'WCPA/paper/table/row=dyck-m4$/seed' -v -timeout 0`, why: trains, want: "--- PASS: TestWCPA/paper=resurgence/table=2/row=dyck-m4/seed=1"},
		{command: `go run ./ci/runs`, want: "row=dyck-m4"},
		{command: `go test -buildvcs=true ./suites/dyck -run WCPA -update "why the goldens change"`, run: `go test -buildvcs=true -short ./suites/dyck -run WCPA -update "why the goldens change"`, why: trains,
			before: other,
			after:  `grep 'why the goldens change' golden/dyck/smoke.txt`},
		{command: `go run ./ci/pages -w && git diff golden/numbers.csv`, before: `echo stale >>golden/CLAIMS.md`, after: `git diff --exit-code golden/CLAIMS.md`},
		{command: `go run ./ci/pages -o ../site`, want: " pages, ", after: `grep 'rows/resurgence-table2-dyck-m4.html' ../site/rows.html`},
		{command: `go test -run '^$' -bench 'Train/case=d' -count 6 | go tool benchstat -`, run: `go test -run '^$' -bench 'Train/case=d' -count 6 -benchtime 1x | go tool benchstat -`, why: timed, want: "tokens/s"},
		{command: `mkdir -p own/mine && cp models/example_own_test.go own/mine && go test ./own/...`, want: "ok "},
		{command: `mkdir -p own && cp -r models/celltest/mgu own/mycell && go test -v ./own/mycell`, want: "300 updates: loss 0."},
		{command: `CGO_ENABLED=0 go build ./...`, left: true, why: "the step build of .ci/run runs it"},
		{command: `go tool benchstat`, run: `go tool benchstat -h || [ $? -le 2 ]`, why: "the name of a tool; without files it says how it is used", want: "Usage: benchstat"},
	}},
	{"ci/README.md", []trial{
		{command: `GOARCH=arm64 go test -c -o ../simd.test ./harness/kernel/cpu/simd`, left: true, why: emulated},
		{command: `cd harness/kernel/cpu/simd && qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu cortex-a53 ../../../../../simd.test -test.short`, left: true, why: emulated},
		{command: `go test -short ./...`, left: true, why: repeats},
		{command: `go test ./...`, left: true, why: repeats},
		{command: `PUSHDOWN_REQUIRE=long go test ./...`, left: true, why: repeats},
		{command: `go run ./ci/fuzz`, left: true, why: fuzzes},
		{command: `go run ./ci/fuzz -n 10000000 -parallel 1`, left: true, why: fuzzes},
		{command: `go run ./ci/fuzz -run 'golden|checkpoint' -n 1000000`, left: true, why: fuzzes},
		{command: `PUSHDOWN_SCALE=paper go test ./suites/dyck -run WCPA -v -timeout 0`, left: true, why: "README.md has such a command"},
		{command: `PUSHDOWN_SHARD=$TASK/16 PUSHDOWN_SCALE=paper go test -buildvcs=true ./suites/dyck -run WCPA -timeout 0`, run: `TASK=1; PUSHDOWN_SHARD=$TASK/16 PUSHDOWN_SCALE=smoke go test -buildvcs=true ./suites/dyck -run WCPA -timeout 0`, why: trains, want: "ok "},
		{command: `go run ./ci/cluster merge -suite dyck -scale paper -match resurgence/table=2/ -o "$PWD/../merged" ../machine1 ../machine2`, run: `go run ./ci/cluster merge -suite dyck -match resurgence/table=2/ -scale smoke -o "$PWD/../merged" ../machine1 ../machine2`, why: trains,
			before: `for i in 1 2; do PUSHDOWN_STATE=$PWD/../machine$i PUSHDOWN_SHARD=$i/2 PUSHDOWN_RESUME=1 PUSHDOWN_SCALE=smoke go test -buildvcs=true ./suites/dyck -run WCPA || exit; done`, want: "3 of 3 results are there"},
		{command: `PUSHDOWN_STATE=$PWD/../merged PUSHDOWN_RESUME=only PUSHDOWN_SCALE=paper go test -buildvcs=true ./suites/dyck -run WCPA -timeout 0 -update "why the goldens change"`,
			run: `PUSHDOWN_STATE=$PWD/../merged PUSHDOWN_RESUME=only PUSHDOWN_SCALE=smoke go test -buildvcs=true ./suites/dyck -run WCPA -timeout 0 -update "why the goldens change"`, why: trains, before: other,
			after: `grep 'why the goldens change' golden/dyck/smoke.txt`},
		{command: `go test -buildvcs=true -c ./suites/dyck`, after: `rm dyck.test`},
		{command: `PUSHDOWN_SCALE=paper PUSHDOWN_STATE=/shared/state sbatch --array=1-16 ci/cluster/slurm dyck -test.run WCPA`, left: true, why: "needs Slurm; ci/cluster/trial runs it"},
		{command: `go run ./ci/cluster merge -suite dyck -scale paper -match resurgence/table=2/ -o /shared/state`, run: `go run ./ci/cluster merge -suite dyck -scale smoke -match resurgence/table=2/ -o ../merged`, why: trains, want: "3 of 3 results are there"},
		{command: `go run ./ci/pages -o ../site`, left: true, why: "README.md has it"},
		{command: `go run ./ci/pages -o ../site -since HEAD~10`, before: commit, after: `grep 'New since HEAD~10' ../site/index.html`},
		{command: `go run ./ci/pages -o ../site -state folder`, before: `mv ../merged folder`, after: `grep 'Finished, not yet in the golden files' ../site/index.html`},
		{command: `go run ./ci/pages -o ../site -bench now.txt -bench peers.txt`, before: `cp ci/pages/testdata/commits.txt now.txt && cp ci/pages/testdata/baselines.txt peers.txt`, after: `grep peers.txt ../site/speed.html`},
		{command: `go run ./ci/pages -o ../site -bench ../bench`, left: true, why: "stands below, where there is such a history"},
		{command: `go run ./ci/pages -junit -since HEAD~10`, want: "<testcase"},
		{command: `go run ./ci/export -list`, want: "row=m6-baseline"},
		{command: `go run ./ci/export -suite dyck -row m6-baseline -seed 1 -o ../brackets`, want: "train: 10000 strings of 164 to 250 tokens"},
		{command: `python3 ci/exchange/pushdown.py ../brackets ../predictions.jsonl`},
		{command: `go run ./ci/score -data ../brackets ../predictions.jsonl`, want: "  100 (n=1)"},
		{command: `go run ./ci/export -suite dyck -row m4-baseline/task=lr1e-2 -o ../m4`, left: true, why: torch},
		{command: `python3 ci/exchange/torch_lstm.py ../m4 ../m4.jsonl -seed 1`, left: true, why: torch},
		{command: `go run ./ci/score -data ../m4 ../m4.jsonl`, left: true, why: torch},
		{command: `go run ./ci/score -data ../brackets -o golden/external/stack.json -who "A. Nonymous" -framework Python -link https://example.org/ ../predictions.jsonl`, want: "  100 (n=1)"},
		{command: `go run ./ci/score -data ../brackets -check golden/external/stack.json ../predictions.jsonl`, want: "  100 (n=1)"},
		{command: `go run ./ci/pages -w`, after: `grep 'by A. Nonymous' golden/dyck/README.md && rm golden/external/stack.json`},
		{command: `cp ../pushdown/ci/export/testdata/module/main.go . && mkdir mgu && cp ../pushdown/models/celltest/mgu/mgu*.go mgu`, left: true, why: modules},
		{command: `go mod init example.org/mycell && cp ../pushdown/go.sum .`, left: true, why: modules},
		{command: `go mod edit -require=pushdown@v0.0.0 -replace=pushdown=../pushdown && go mod tidy`, left: true, why: modules},
		{command: `go test ./...`, left: true, why: modules},
		{command: `go -C ../pushdown run ./ci/export -suite dyck -row m4-baseline -o "$PWD/data"`, left: true, why: modules},
		{command: `go run . data predictions.jsonl`, left: true, why: modules},
		{command: `go -C ../pushdown run ./ci/score -data "$PWD/data" "$PWD/predictions.jsonl"`, left: true, why: modules},
		{command: `go mod edit -module example.org/pushdown && git grep -lE '\bpushdown/(ci|golden|harness|models|suites|corpora/)' '*.go' '*.mod' ci/gpu | xargs sed -i -E 's#\bpushdown/(ci|golden|harness|models|suites|corpora/)#example.org/pushdown/\1#g'`, left: true, why: renames},
		{command: `git -C ../bench grep -l '^pkg: pushdown' | sed 's#^#../bench/#' | xargs sed -i 's#^pkg: pushdown#pkg: example.org/pushdown#'`, left: true, why: renames},
		{command: `bash ci/gpu 2>&1 | tee ../gpu.txt`, left: true, why: gpus},
		{command: `bash ci/gpu pack ../tests.tar.xz`, left: true, why: gpus},
		{command: `TESTS=../tests.tar.xz bash ci/gpu 2>&1 | tee ../gpu.txt`, left: true, why: gpus},
		{command: `PUSHDOWN_STATE=$PWD/../gpu-state LIMIT=2h bash ci/gpu rows dyck 'WCPA/paper/table/row=dyck-m4$'`, left: true, why: gpus},
		{command: `go tool benchstat -table suite -row .name,/paper,/table,/section,/row,/task -ignore /seed ci=golden/dyck/ci.txt paper=golden/dyck/resurgence-table2.txt`, want: "dyck-m4"},
		{command: `go build -o ../compare ./ci/compare`},
		{command: `../compare -bench 'Train/case=d' -most 40 HEAD~1 HEAD`, before: `rm -r folder && ` + commit, run: `../compare -out folder ` + small, why: timed + built, want: "\nverdict: "},
		{command: `../compare HEAD~1 HEAD`, left: true, why: "measures for hours what the command above measures in part"},
		{command: `go build -o ../gate ./ci/gate`},
		{command: `../gate folder/base.txt folder/head.txt`, run: `../gate -loss 0.9 folder/base.txt folder/head.txt || [ $? = 3 ]`, why: few, want: "Seq"},
		{command: `go tool benchstat -ignore commit,round folder/base.txt folder/head.txt`, want: "Seq"},
		{command: `../compare -bench 'Train/case=d' -most 40 -out ../speed HEAD~1 HEAD`, run: `mv folder ../speed`, why: timed + "; these files are from the command above"},
		{command: `../gate add origin ../speed/head.txt`, before: `git init -q --bare ../origin && git remote add origin ../origin`, after: `git ls-remote --exit-code origin bench`},
		{command: `git fetch origin bench && git worktree add --detach ../bench FETCH_HEAD`},
		{command: `git -C ../bench fetch origin bench && git -C ../bench checkout FETCH_HEAD`},
		{command: `go run ./ci/pages -o ../site -bench ../bench`, after: `grep Seq ../site/speed.html`},
		{command: `../gate -history ../bench ../speed/base.txt ../speed/head.txt`, run: `../gate -loss 0.9 -history ../bench ../speed/base.txt ../speed/head.txt || [ $? = 3 ]`, why: few, want: "Seq"},
		{command: `../compare -history ../bench -bench 'Train/case=d' -most 40 HEAD~1 HEAD`, left: true, why: "measures what gate judges above, in the same way"},
		{command: `go tool benchstat -ignore commit -col commit-time -filter '.unit:tokens/s' ../bench/*/*.txt`, run: `go tool benchstat -ignore commit -col commit-time -filter '.unit:sec/op' ../bench/*/*.txt`, why: "the history has no other unit", want: "Seq"},
		{command: `go tool benchstat -ignore commit-time -col commit -filter '.name:Train .unit:peak-%' $(ls ../bench/linux-amd64-*/*.txt | tail -n 3)`,
			run: `go tool benchstat -ignore commit-time -col commit -filter '.name:Seq .unit:sec/op' $(ls ../bench/*/*.txt | tail -n 3)`, why: "the history has no other benchmark", want: "Seq"},
	}},
	{"ci/baselines/README.md", []trial{
		{command: `go test -run '^$' -bench 'Train/case=d'`, run: `go test -run '^$' -bench 'Train/case=d' -benchtime 1x`, why: timed, want: "peak-%"},
		{command: `ci/baselines/setup ../peers`, run: `ci/baselines/setup peers`, why: "installs 7 GB; inside the repository it refuses", status: 2, want: "outside of the repository"},
		{command: `PYTHON=../peers/bin/python ci/baselines/run -n 1 -t 1 -k ../ways train jobs`, left: true, why: peers},
		{command: `PYTHON=../peers/bin/python ci/baselines/run -n 5 -t 1 -k ../ways train jobs`, left: true, why: peers},
		{command: `PYTHON=../peers/bin/python ci/baselines/run -n 5 -t 1 -k ../ways growth`, left: true, why: peers},
		{command: `go run ./ci/pages -w`},
		{command: `ci/baselines/run -n 3 -r 'case=d' train`, left: true, why: peers},
		{command: `ci/baselines/run`, left: true, why: peers},
	}},
}

// TestCommandsRun runs the commands of the pages.
func TestCommandsRun(t *testing.T) {
	suite.SkipUnlessLong(t, "every command of README.md and ci/README.md")
	gittest.In(t, ".")
	for _, p := range pagesOfTrials {
		t.Run(strings.TrimSuffix(filepath.ToSlash(p.name), ".md"), func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			for _, x := range p.trials {
				if x.left {
					continue
				}
				s.spent = 0
				x.in(t, s)
				t.Logf("%.1f s of the processors: %s", s.spent.Seconds(), x.command)
			}
		})
	}
}

// in runs the trial in a scratch.
func (x trial) in(t *testing.T, s *scratch) {
	t.Helper()
	run := x.command
	if x.run != "" {
		run = x.run
	}
	if x.before != "" {
		if status, out := s.shell(t, x.before); status != 0 {
			t.Errorf("before %s: %s: status %d, want 0:\n%s", x.command, x.before, status, out)
		}
	}
	if status, out := s.shell(t, run); status != x.status || !strings.Contains(out, x.want) {
		t.Errorf("%s: status %d, want %d with %q in\n%s", run, status, x.status, x.want, out)
	}
	if x.after != "" {
		if status, out := s.shell(t, x.after); status != 0 {
			t.Errorf("after %s: %s: status %d, want 0:\n%s", x.command, x.after, status, out)
		}
	}
}
