package ci

import (
	"fmt"
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

	action = regexp.MustCompile(`^actions/[\w/-]+@[0-9a-f]{40}$`)
	hosted = regexp.MustCompile(`^(ubuntu|macos|windows)-[\w.-]+$`)
	// inserted matches an expression in a command that is not of the workflow itself.
	inserted = regexp.MustCompile(`\$\{\{\s*(matrix\.leg|github\.server_url)\s*\}\}`)

	// needed lists the commands that a workflow must run, in a job without a condition.
	needed = map[string]string{".github/workflows/ci.yml": "bash .ci/run", ".github/workflows/long.yml": "bash .ci/run long"}
)

// A mapping is a mapping of YAML. The methods of package yaml resolve anchors.
type mapping = map[string]any

// openWorkflows lists what the workflows have that is not allowed. A workflow and its jobs may read the
// repository. A job on a machine of GitHub that runs only for commits of main may write to it. A job on a
// machine of our own needs an approval, and pull requests of forks do not reach it. A step uses an action of
// GitHub, pinned by the hash of a commit with the version in a comment, or runs a command into which no
// expression puts text of others: such text comes in variables. Keys that are not listed are refused.
func openWorkflows(tr *tree) (wrong []string) {
	for _, p := range tr.paths {
		if !strings.HasPrefix(p, ".github/workflows/") {
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
		if err := yaml.Unmarshal([]byte(tr.texts[p]), &w); err != nil {
			want(false, err.Error(), "YAML")
			continue
		}
		only(w, "workflow", workflowKeys)
		on, _ := w["on"].(mapping)
		only(on, "on", events)
		want(len(on) > 0, "on", "events as a mapping")
		want(fmt.Sprint(w["permissions"]) == "map[contents:read]", "permissions", "contents: read for all jobs")
		jobs, _ := w["jobs"].(mapping)
		found := needed[p] == ""
		for _, name := range slices.Sorted(maps.Keys(jobs)) {
			job, _ := jobs[name].(mapping)
			only(job, name, jobKeys)
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
					version := regexp.MustCompile(regexp.QuoteMeta(uses) + ` # v\d+\.\d+\.\d+\n`)
					want(action.MatchString(uses) && len(version.FindAllString(tr.texts[p], -1)) == strings.Count(tr.texts[p], uses), where, "an action of GitHub, pinned by the 40 digits of a commit, with its version in a comment")
					with, _ := step["with"].(mapping)
					want(!strings.HasPrefix(uses, "actions/checkout@") || with["persist-credentials"] == false, where, "persist-credentials: false")
				}
				want(!strings.Contains(inserted.ReplaceAllString(run, ""), "${{"), where, "no expression in a command but that of matrix.leg: use a variable")
				want(writes || !strings.Contains(fmt.Sprint(step), "github.token"), where, "no token")
				want(!strings.Contains(fmt.Sprint(step), "secrets."), where, "no secrets")
				found = found || run == needed[p] && len(step) == 1 && job["if"] == nil
			}
		}
		want(len(jobs) > 0, "jobs", "some")
		want(found, "jobs", "a step that runs "+needed[p])
	}
	return wrong
}

// onHosted reports whether a job runs only on machines of GitHub.
func onHosted(job mapping) bool {
	if job["runs-on"] != "${{ matrix.os }}" {
		return hosted.MatchString(fmt.Sprint(job["runs-on"]))
	}
	strategy, _ := job["strategy"].(mapping)
	matrix, _ := strategy["matrix"].(mapping)
	list, _ := matrix["os"].([]any)
	more, _ := matrix["include"].([]any)
	for _, x := range more {
		if m, _ := x.(mapping); m["os"] != nil {
			list = append(list, m["os"])
		}
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(os any) bool { return !hosted.MatchString(fmt.Sprint(os)) })
}

// TestOpenWorkflowsAreFound checks that a change of the workflows that opens them is found.
func TestOpenWorkflowsAreFound(t *testing.T) {
	const bench, ci = ".github/workflows/bench.yml", ".github/workflows/ci.yml"
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
		{bench, "- run: go", "- run: echo ${{ github.event.pull_request.title }}\n      - run: go", "want no expression in a command"},
		{bench, "- run: go", "- run: echo \"${{github.head_ref}}\"\n      - run: go", "want no expression in a command"},
		{ci, "- run: sudo", "- env: {T: '${{ github.token }}'}\n        run: env\n      - run: sudo", "want no token"},
		{bench, "- run: go", "- env: {T: '${{ secrets.KEY }}'}\n        run: env\n      - run: go", "want no secrets"},
		{bench, "  compare:\n", "  compare:\n    container: evil\n", "compare: want no container"},
		{bench, "  compare:\n", "  compare:\n    continue-on-error: true\n", "compare: want no continue-on-error"},
		{bench, "- run: go", "- shell: sh -c {0}\n        run: go", "want no shell"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run\n        continue-on-error: true\n", "want no continue-on-error"},
		{ci, "      - run: bash .ci/run\n", "", "want a step that runs bash .ci/run"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run || true\n", "want a step that runs bash .ci/run"},
		{ci, "      - run: bash .ci/run\n", "      - run: bash .ci/run\n        if: false\n", "want a step that runs bash .ci/run"},
		{ci, "  run:\n", "  run:\n    if: false\n", "want a step that runs bash .ci/run"},
	} {
		if text := strings.Replace(repoTree(t).texts[c.file], c.old, c.new, 1); !strings.Contains(repoTree(t).texts[c.file], c.old) {
			t.Errorf("have no %q in %s", c.old, c.file)
		} else if have := strings.Join(openWorkflows(fixture(t, c.file, text)), "\n"); !strings.Contains(have, c.want) {
			t.Errorf("with %q: have %q, want %q", c.new, have, c.want)
		}
	}
}
