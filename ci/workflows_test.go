package ci

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const (
	// pushed is the condition that lets a job run only for a commit of main.
	pushed = "${{ !cancelled() && github.event_name == 'push' && github.ref == 'refs/heads/main' }}"
	// ours is the condition that keeps pull requests of forks from a job.
	ours = "(github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository)"
)

var (
	// The keys that a workflow, a job and a step may have, and the events that may start a workflow.
	workflowKeys = []string{"name", "on", "permissions", "concurrency", "env", "jobs"}
	jobKeys      = []string{"needs", "if", "environment", "runs-on", "timeout-minutes", "env", "strategy", "defaults", "outputs", "permissions", "steps"}
	stepKeys     = []string{"id", "if", "uses", "with", "env", "run"}
	events       = []string{"push", "pull_request", "schedule", "workflow_dispatch"}

	// actions has the actions that a step may use, each pinned by the hash of a commit, with its version.
	actions = map[string]string{
		"actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683":          "v4.2.2",
		"actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5":          "v5.5.0",
		"actions/cache/restore@5a3ec84eff668545956fd18022155c47e93e2684":     "v4.2.3",
		"actions/cache/save@5a3ec84eff668545956fd18022155c47e93e2684":        "v4.2.3",
		"actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02":   "v4.6.2",
		"actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093": "v4.3.0",
	}
	hosted = []string{"ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "windows-2025"}
	// expression matches an expression of a workflow, and known those that a workflow may have.
	expression = regexp.MustCompile(`(?s)\$\{\{\s*(.*?)\s*\}\}`)
	known      = regexp.MustCompile(`^(matrix\.(os|require|leg|part)|vars\.GPU_RUNNER|inputs\.[a-z]+|steps\.list\.outputs\.list|fromJSON\(needs\.plan\.outputs\.list\)|runner\.temp|` +
		`github\.(sha|run_id|run_attempt|ref|job|server_url|token)|github\.event_name == 'pull_request'( && 'HEAD\^1' \|\| github\.event\.before)?|` + regexp.QuoteMeta(pushed[4:len(pushed)-3]) + `)$`)
	// inserted matches an expression in a command that is not of the workflow itself.
	inserted = regexp.MustCompile(`\$\{\{\s*(matrix\.leg|github\.server_url)\s*\}\}`)

	// needed has what starts the workflows that test everything, and their jobs that do, as package fmt prints them.
	needed = map[string][2]string{
		".github/workflows/ci.yml": {
			`map[pull_request:<nil> push:map[branches:[main]]]`,
			`map[env:map[PUSHDOWN_REQUIRE:avx2,clang,git,network,qemu] runs-on:ubuntu-24.04 steps:[map[uses:actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 with:map[persist-credentials:false]] map[uses:actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5 with:map[go-version-file:go.mod]] map[run:sudo apt-get update && sudo apt-get install -qy clang-19 qemu-user libc6-arm64-cross] map[run:bash .ci/run]] timeout-minutes:60]`,
		},
		".github/workflows/long.yml": {
			`map[schedule:[map[cron:17 3 * * 0]] workflow_dispatch:<nil>]`,
			`map[env:map[PUSHDOWN_REQUIRE:avx2,cc,clang,git,network,qemu] runs-on:ubuntu-24.04 steps:[map[uses:actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 with:map[persist-credentials:false]] map[uses:actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5 with:map[go-version-file:go.mod]] map[run:sudo apt-get update && sudo apt-get install -qy clang-19 qemu-user libc6-arm64-cross] map[run:bash .ci/run long]] timeout-minutes:240]`,
		},
	}
)

// A mapping is a mapping of YAML. The methods of package yaml resolve anchors.
type mapping = map[string]any

// openWorkflows lists what the workflows have that is not allowed. A workflow and its jobs may read the
// repository. A job on a machine of GitHub that runs only for commits of main may write to it. A job on a
// machine of our own needs an approval, and pull requests of forks do not reach it. A step uses one of a few actions of
// GitHub, pinned by the hash of a commit with the version in a comment, or runs a command into which no
// expression puts text of others: such text comes in variables. Keys, expressions and machines that are not listed are refused.
func openWorkflows(tr *tree) (wrong []string) {
	for _, p := range slices.Sorted(maps.Keys(needed)) {
		if tr.texts[p] == "" {
			wrong = append(wrong, p+": have no such workflow, want it")
		}
	}
	for _, p := range tr.paths {
		if !strings.HasPrefix(p, ".github/workflows/") {
			if strings.HasPrefix(p, ".github/") {
				wrong = append(wrong, p+": have a file of GitHub that is no workflow, want none: an action has what this policy does not see")
			}
			continue
		}
		want := func(ok bool, where, what string) {
			if !ok {
				wrong = append(wrong, fmt.Sprintf("%s: %s: want %s", p, where, what))
			}
		}
		only := func(m mapping, where string, allowed []string) {
			for key := range m {
				want(slices.Contains(allowed, key), where, "no "+key)
			}
		}
		var w mapping
		documents := yaml.NewDecoder(strings.NewReader(tr.texts[p]))
		if err := documents.Decode(&w); err != nil {
			want(false, err.Error(), "YAML")
			continue
		}
		want(documents.Decode(&mapping{}) == io.EOF, "end", "one document")
		for _, text := range decoded(w) {
			for _, x := range expression.FindAllStringSubmatch(text, -1) {
				want(known.MatchString(x[1]), x[0], "no such expression")
			}
			want(!strings.Contains(expression.ReplaceAllString(text, ""), "${{"), text, "no such expression")
		}
		only(w, "workflow", workflowKeys)
		on, _ := w["on"].(mapping)
		only(on, "on", events)
		want(len(on) > 0, "on", "events as a mapping")
		want(fmt.Sprint(w["permissions"]) == "map[contents:read]", "permissions", "contents: read for all jobs")
		jobs, _ := w["jobs"].(mapping)
		if whole, ok := needed[p]; ok {
			want(fmt.Sprint(on) == whole[0], "on", whole[0])
			want(fmt.Sprint(jobs["run"]) == whole[1], "run", "the job that "+whole[1]+" is")
			want(w["env"] == nil, "env", "none")
		}
		for _, name := range slices.Sorted(maps.Keys(jobs)) {
			job, _ := jobs[name].(mapping)
			only(job, name, jobKeys)
			want(job["defaults"] == nil || fmt.Sprint(job["defaults"]) == "map[run:map[shell:bash]]", name, "no defaults but the shell bash")
			free := onHosted(job)
			condition := fmt.Sprint(job["if"])
			want(free || job["environment"] == "gpu" && condition == "vars.GPU_RUNNER && "+ours, name, "environment: gpu and the condition "+ours+" on a machine of our own")
			granted, grants := job["permissions"]
			writes := fmt.Sprint(granted) == "map[contents:write]"
			want(!grants || fmt.Sprint(granted) == "map[]" || writes && free && condition == pushed, name,
				"no permission but that to write contents, on a machine of GitHub and with the condition "+pushed)
			steps, _ := job["steps"].([]any)
			want(len(steps) > 0, name, "steps")
			for i, s := range steps {
				step, _ := s.(mapping)
				where := fmt.Sprintf("%s, step %d", name, i+1)
				only(step, where, stepKeys)
				uses, isAction := step["uses"].(string)
				run, isCommand := step["run"].(string)
				want(isAction != isCommand, where, "one of uses and run")
				if isAction {
					version := uses + " # " + actions[uses] + "\n"
					want(actions[uses] != "" && strings.Count(tr.texts[p], version) == strings.Count(tr.texts[p], uses), where, "an action that is listed, pinned by the 40 digits of a commit, with its version in a comment")
					with, _ := step["with"].(mapping)
					want(!strings.HasPrefix(uses, "actions/checkout@") || with["persist-credentials"] == false, where, "persist-credentials: false")
				}
				want(!strings.Contains(inserted.ReplaceAllString(run, ""), "${{"), where, "no expression in a command but that of matrix.leg: use a variable")
				want(writes || !strings.Contains(fmt.Sprint(step), "github.token"), where, "no token")
			}
		}
		want(len(jobs) > 0, "jobs", "some")
	}
	return wrong
}

// decoded returns the keys and the texts of a value of YAML, without the escapes of the file.
func decoded(value any) (list []string) {
	switch v := value.(type) {
	case string:
		list = append(list, v)
	case []any:
		for _, x := range v {
			list = append(list, decoded(x)...)
		}
	case mapping:
		for key, x := range v {
			list = append(append(list, key), decoded(x)...)
		}
	}
	return list
}

// onHosted reports whether a job runs only on machines of GitHub.
func onHosted(job mapping) bool {
	if job["runs-on"] != "${{ matrix.os }}" {
		return slices.Contains(hosted, fmt.Sprint(job["runs-on"]))
	}
	strategy, _ := job["strategy"].(mapping)
	matrix, _ := strategy["matrix"].(mapping)
	list, ok := matrix["os"].([]any)
	more, _ := matrix["include"].([]any)
	for _, x := range more {
		if m, _ := x.(mapping); m["os"] != nil {
			list = append(list, m["os"])
		}
	}
	return ok && len(list) > 0 && !slices.ContainsFunc(list, func(os any) bool { return !slices.Contains(hosted, fmt.Sprint(os)) })
}

// TestOpenWorkflowsAreFound checks that a change of the workflows that opens them is found.
func TestOpenWorkflowsAreFound(t *testing.T) {
	const bench, ci, long = ".github/workflows/bench.yml", ".github/workflows/ci.yml", ".github/workflows/long.yml"
	for _, c := range []struct{ file, old, new, want string }{
		{bench, "uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "uses: actions/checkout@v4", "pinned"},
		{bench, "@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "@11bd71901bbe5b1630ceea73d27597364c9af683", "pinned"},
		{bench, "- run: go", "- {uses: a/b@main}\n      - run: go", "pinned"},
		{bench, "- run: go", "- \"uses\": evil/action@main\n      - run: go", "pinned"},
		{bench, "- run: go", "- uses : x\n      - run: go", "pinned"},
		{bench, "- run: go", "- uses: evil/action@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2\n      - run: go", "pinned"},
		{bench, "          persist-credentials: false\n", "", "want persist-credentials: false"},
		{bench, "  pull_request:", "  pull_request_target:", "on: want no pull_request_target"},
		{bench, "  contents: read\n", "  contents: write\n", "permissions: want contents: read"},
		{bench, "permissions:\n  contents: read\n", "permissions: write-all\n", "permissions: want contents: read"},
		{bench, "permissions:\n      contents: write\n", "permissions: {contents: 'write', id-token: write}\n", "record: want no permission"},
		{bench, "permissions:\n      contents: write\n", "permissions: \"write-all\"\n", "record: want no permission"},
		{bench, "      contents: write\n", "      contents: write\n      packages: write\n", "record: want no permission"},
		{bench, "  compare:\n", "  compare:\n    permissions: {contents: write}\n", "compare: want no permission"},
		{bench, " && github.ref == 'refs/heads/main'", "", "record: want no permission"},
		{bench, "    runs-on: ubuntu-24.04\n    timeout-minutes: 15", "    runs-on: self-hosted", "record: want environment"},
		{bench, "    runs-on: ubuntu-24.04\n    timeout-minutes: 15", "    runs-on: [self-hosted]", "record: want no permission"},
		{bench, "    environment: gpu\n", "", "compare-gpu: want environment"},
		{bench, " && " + ours, "", "compare-gpu: want environment"},
		{bench, "runs-on: ubuntu-24.04", "strategy: {matrix: {os: [self-hosted]}}\n    runs-on: ${{ matrix.os }}", "compare: want environment"},
		{bench, "\njobs:\n", "\njobs: {h: {runs-on: self-hosted}}\nother:\n", "h: want environment"},
		{bench, "- run: go", "- run: echo ${{ github.event.pull_request.title }}\n      - run: go", "want no such expression"},
		{bench, "- run: go", "- run: echo \"${{github.head_ref}}\"\n      - run: go", "want no such expression"},
		{ci, "- run: sudo", "- env: {T: '${{ github.token }}'}\n        run: env\n      - run: sudo", "want no token"},
		{bench, "- run: go", "- env: {T: '${{ secrets.KEY }}'}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "- run: go", "- env: {T: \"$\\u007b{ secrets['KEY'] }}\"}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "\nenv:\n", "\nenv:\n  T: \"$\\x7b{ secrets.KEY }}\"\n", "want no such expression"},
		{bench, "- run: go", "- env: {T: \"${{ github['token'] }}\"}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "          fetch-depth: 0\n", "          fetch-depth: 0\n          ref: \"$\\u007b{ github.event.pull_request.head.sha }}\"\n", "want no such expression"},
		{bench, "- run: go", "- env:\n          T: |\n            ${{ format('{0}',\n            secrets['KEY']) }}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "- run: go", "- run: echo '${{'\n      - run: go", "want no such expression"},
		{bench, "  compare:\n", "  compare:\n    container: evil\n", "compare: want no container"},
		{bench, "  compare:\n", "  compare:\n    continue-on-error: true\n", "compare: want no continue-on-error"},
		{bench, "- run: go", "- shell: sh -c {0}\n        run: go", "want no shell"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run\n        continue-on-error: true\n", "want no continue-on-error"},
		{ci, "      - run: bash .ci/run\n", "", "run: want the job"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run || true\n", "run: want the job"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run\n        if: false\n", "run: want the job"},
		{ci, "  run:\n", "  run:\n    if: false\n", "run: want the job"},
		{ci, "      PUSHDOWN_REQUIRE: avx2", "      GOFLAGS: -run=^$\n      PUSHDOWN_REQUIRE: avx2", "run: want the job"},
		{ci, "    branches: [main]", "    branches: [none]", "on: want"},
		{ci, "  pull_request:\n", "  pull_request:\n    paths-ignore: ['**']\n", "on: want"},
		{ci, "        shell: bash\n", "        shell: bash -c 'exit 0' {0}\n", "want no defaults"},
		{ci, "os: [ubuntu-24.04-arm", "os: ${{ fromJSON(vars.X) }} #", "leg: want environment"},
		{ci, "os: [ubuntu-24.04-arm", "os: [ubuntu-self-hosted", "leg: want environment"},
		{ci, "\njobs:\n", "\nenv: {BASH_ENV: x}\njobs:\n", "env: want none"},
		{bench, "- run: go", "- env: {T: \"${{ secrets['KEY'] }}\"}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "- run: go", "- env: {T: '${{ toJSON(github) }}'}\n        run: env\n      - run: go", "want no such expression"},
		{bench, "\nenv:\n", "\nenv:\n  T: ${{ secrets.KEY }}\n", "want no such expression"},
		{bench, "- run: go", "- uses: actions/github-script@11bd71901bbe5b1630ceea73d27597364c9af683 # v7.0.0\n      - run: go", "listed"},
		{bench, "# v4.2.2", "# v4.2.9", "listed"},
		{long, "    - cron: \"17 3 * * 0\"", "    - cron: \"0 0 31 2 *\"", "on: want"},
		{long, "bash .ci/run long\n", "bash .ci/run long\n---\non: push\n", "want one document"},
	} {
		if text := strings.Replace(repoTree(t).texts[c.file], c.old, c.new, 1); !strings.Contains(repoTree(t).texts[c.file], c.old) {
			t.Errorf("have no %q in %s", c.old, c.file)
		} else if have := strings.Join(openWorkflows(fixture(t, c.file, text)), "\n"); !strings.Contains(have, c.want) {
			t.Errorf("with %q: have %q, want %q", c.new, have, c.want)
		}
	}
	const action = ".github/actions/a/action.yml"
	if have := strings.Join(openWorkflows(fixture(t, action, "name: a\n")), "\n"); !strings.Contains(have, action+": have a file") {
		t.Errorf("with %s: have %q, want an error", action, have)
	}
	if have := strings.Join(openWorkflows(fixture(t, bench, repoTree(t).texts[bench])), "\n"); !strings.Contains(have, ci+": have no such workflow") {
		t.Errorf("without %s: have %q, want an error", ci, have)
	}
}
