package ci

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

var (
	// pinned matches a step that uses an action by the hash of a commit, with its version.
	pinned = regexp.MustCompile(`^\s+(- )?uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	// hosted matches the runner of a job on a machine of GitHub.
	hosted  = regexp.MustCompile(`(?m)^    runs-on: ((ubuntu|macos|windows)-[\w.-]+|\$\{\{ matrix\.os \}\})$`)
	comment = regexp.MustCompile(`(?m)^ *#.*\n`)
	// jobStart matches the first line of a job.
	jobStart = regexp.MustCompile(`(?m)^  ([\w-]+):\n`)
	// write matches a permission to write.
	write = regexp.MustCompile(`:\s*["']?write`)
)

const (
	// writeContents is the one permission to write that a job may have.
	writeContents = "      contents: write"
	// pushed is the condition that lets a job run only for a commit of main.
	pushed = "${{ !cancelled() && github.event_name == 'push' && github.ref == 'refs/heads/main' }}"
	// ours is the condition that keeps pull requests of forks from a job.
	ours = "(github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository)"
)

// openWorkflows lists what is unsafe in the workflows: actions that are not pinned by the
// hash of a commit, credentials that stay in a checkout, permissions to write, and jobs on a
// machine of our own that need no approval or that pull requests of forks reach. A job on a
// machine of GitHub that runs only for commits of main may write to the repository. The rules
// are about lines, so they also refuse another layout.
func openWorkflows(tr *tree) (wrong []string) {
	for _, p := range tr.paths {
		if !strings.HasPrefix(p, ".github/workflows/") {
			continue
		}
		text := tr.texts[p]
		want := func(ok bool, where, what string) {
			if !ok {
				wrong = append(wrong, fmt.Sprintf("%s: %s: want %s", p, where, what))
			}
		}
		for line := range strings.SplitSeq(text, "\n") {
			want(!strings.Contains(line, "uses:") || pinned.MatchString(line), strings.TrimSpace(line), "an action pinned by the 40 digits of a commit, with its version in a comment")
			want(!strings.Contains(line, "pull_request_target") && (!write.MatchString(line) || line == writeContents), strings.TrimSpace(line), "no permission to write")
		}
		want(strings.Contains(text, "\npermissions:\n  contents: read\n\n"), "permissions", "contents: read for all jobs")
		want(strings.Count(text, "persist-credentials: false") == strings.Count(text, "uses: actions/checkout@"), "checkout", "persist-credentials: false for each")
		_, jobs, _ := strings.Cut(comment.ReplaceAllString(text, ""), "\njobs:\n")
		names := jobStart.FindAllStringSubmatch(jobs, -1)
		want(len(names) > 0, "jobs", "some")
		for i, name := range names {
			job := jobStart.Split(jobs, -1)[i+1]
			free := hosted.MatchString(job) && !strings.Contains(job, "self-hosted") && !strings.Contains(job, "GPU_RUNNER")
			closed := strings.Contains(job, "    if: "+pushed+"\n") && strings.Contains(job, "\n    permissions:\n"+writeContents+"\n    steps:\n")
			guarded := strings.Contains(job, "    environment: gpu\n") && strings.Contains(job, "    if: vars.GPU_RUNNER && "+ours+"\n")
			want(!strings.Contains(job, writeContents) || free && closed, name[1],
				"no permission to write but that of contents, on a machine of GitHub, right before the steps, and with the condition "+pushed)
			want(free || guarded, name[1], "environment: gpu and the condition "+ours+" on a machine of our own")
		}
	}
	return wrong
}

// TestOpenWorkflowsAreFound checks that a change of the workflows that opens them is found.
func TestOpenWorkflowsAreFound(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "uses: actions/checkout@v4", "pinned"},
		{"@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "@11bd71901bbe5b1630ceea73d27597364c9af683", "pinned"},
		{"- run: go", "- {uses: a/b@main}\n      - run: go", "pinned"},
		{"          persist-credentials: false\n", "", "checkout: want persist-credentials"},
		{"  pull_request:", "  pull_request_target:", "want no permission"},
		{"  contents: read\n", "  contents: write\n", "permissions: want contents: read"},
		{"permissions:\n  contents: read\n", "permissions: write-all\n", "write-all: want no permission"},
		{"permissions:\n      contents: write\n", "permissions: {contents: 'write'}\n", "want no permission"},
		{"      contents: write\n", "      contents: write\n      packages: write\n", "record: want no permission"},
		{" && github.ref == 'refs/heads/main'", "", "record: want no permission"},
		{"    runs-on: ubuntu-24.04\n    timeout-minutes: 15", "    runs-on: self-hosted", "record: want environment"},
		{"    runs-on: ubuntu-24.04\n    timeout-minutes: 15", "    runs-on: self-hosted", "record: want no permission"},
		{"    environment: gpu\n", "", "compare-gpu: want environment"},
		{" && " + ours, "", "compare-gpu: want environment"},
		{"runs-on: ubuntu-24.04", "strategy: {matrix: {os: [self-hosted]}}\n    runs-on: ${{ matrix.os }}", "compare: want environment"},
		{"\njobs:\n", "\njobs: {h: {runs-on: self-hosted}}\n", "jobs: want some"},
	} {
		if text := strings.Replace(repoTree(t).texts[".github/workflows/bench.yml"], c.old, c.new, 1); !strings.Contains(text, c.new) {
			t.Errorf("have no %q in bench.yml", c.old)
		} else if have := strings.Join(openWorkflows(fixture(t, ".github/workflows/bench.yml", text)), "\n"); !strings.Contains(have, c.want) {
			t.Errorf("with %q: have %q, want %q", c.new, have, c.want)
		}
	}
}
