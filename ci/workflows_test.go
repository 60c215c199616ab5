package ci

import (
	"fmt"
	"io/fs"
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
	jobStart = regexp.MustCompile(`(?m)^  [\w-]+:$`)
)

// write matches a permission to write.
var write = regexp.MustCompile(`:\s*["']?write`)

// writeContents is the one permission to write that a job may have.
const writeContents = "      contents: write"

// pushed is the condition that lets a job run only for a commit of main.
const pushed = "${{ !cancelled() && github.event_name == 'push' && github.ref == 'refs/heads/main' }}"

// ours is the condition that keeps pull requests of forks from a job.
const ours = "(github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository)"

// openWorkflows lists what is unsafe in the workflows: actions that are not pinned by the
// hash of a commit, credentials that stay in a checkout, permissions to write, and jobs on a
// machine of our own that need no approval or that pull requests of forks reach. A job on a
// machine of GitHub that runs only for commits of main may write to the repository. The rules
// are about lines, so they also refuse another layout.
func openWorkflows(tr *tree) []string {
	var wrong []string
	for _, p := range tr.paths {
		if !strings.HasPrefix(p, ".github/workflows/") {
			continue
		}
		b, err := fs.ReadFile(tr.fsys, p)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		text := string(b)
		for i, line := range strings.Split(text, "\n") {
			add := func(what string) {
				wrong = append(wrong, fmt.Sprintf("%s:%d: have %q, %s", p, i+1, strings.TrimSpace(line), what))
			}
			switch {
			case strings.Contains(line, "uses:") && !pinned.MatchString(line):
				add("want an action pinned by the 40 digits of a commit, with its version in a comment")
			case strings.Contains(line, "pull_request_target"), write.MatchString(line) && line != writeContents:
				add("want no permission to write")
			}
		}
		if !strings.Contains(text, "\npermissions:\n  contents: read\n\n") {
			wrong = append(wrong, p+": have no permissions, want contents: read for all jobs")
		}
		if have, want := strings.Count(text, "persist-credentials: false"), strings.Count(text, "uses: actions/checkout@"); have != want {
			wrong = append(wrong, fmt.Sprintf("%s: have %d times persist-credentials: false, want it for each of %d checkouts", p, have, want))
		}
		_, jobs, _ := strings.Cut(comment.ReplaceAllString(text, ""), "\njobs:\n")
		starts := jobStart.FindAllStringIndex(jobs, -1)
		if len(starts) == 0 {
			wrong = append(wrong, p+": have no job, want some")
		}
		for i, at := range starts {
			end := len(jobs)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			name, job := strings.Trim(jobs[at[0]:at[1]], " :"), jobs[at[0]:end]
			free := hosted.MatchString(job) && !strings.Contains(job, "self-hosted") && !strings.Contains(job, "GPU_RUNNER")
			if strings.Contains(job, writeContents) && !(free && strings.Contains(job, "\n    if: "+pushed+"\n") && strings.Contains(job, "\n    permissions:\n"+writeContents+"\n    steps:\n")) {
				wrong = append(wrong, fmt.Sprintf("%s: job %s: has a permission to write, want only contents, on a machine of GitHub, right before the steps, and the condition %s", p, name, pushed))
			}
			if !free && !(strings.Contains(job, "\n    environment: gpu\n") && strings.Contains(job, "\n    if: vars.GPU_RUNNER && "+ours+"\n")) {
				wrong = append(wrong, fmt.Sprintf("%s: job %s: runs on a machine of our own, want environment: gpu and the condition %s", p, name, ours))
			}
		}
	}
	return wrong
}

func TestWorkflowsAreClosed(t *testing.T) {
	wrong := openWorkflows(repoTree(t))
	reportAll(t, wrong)
	if _, err := fs.Stat(repoTree(t).fsys, ".github/workflows/ci.yml"); err != nil {
		t.Error(err)
	}
}

func TestOpenWorkflowsAreFound(t *testing.T) {
	hash := strings.Repeat("0a", 20)
	head := "on: push\n\npermissions:\n  contents: read\n\njobs:\n"
	gpu := "  gpu:\n    if: vars.GPU_RUNNER && " + ours + "\n    environment: gpu\n    runs-on: ${{ vars.GPU_RUNNER }}\n"
	step := "      - uses: actions/checkout@" + hash + " # v4.2.2\n        with:\n          persist-credentials: false\n"
	record := "  record:\n    if: " + pushed + "\n    runs-on: ubuntu-24.04\n    permissions:\n      contents: write\n    steps:\n" + step
	tr := fixture(t,
		".github/workflows/a.yml", head+"  a:\n    runs-on: ubuntu-24.04\n    steps:\n"+step+gpu,
		".github/workflows/b.yml", head+"  b:\n    runs-on: ${{ matrix.os }}\n    steps:\n      - uses: a/b@v4\n      - uses: a/b@"+hash+"\n      - {uses: a/b@main}\n      - uses: actions/checkout@"+hash+" # v4.2.2\n",
		".github/workflows/c.yml", "on: pull_request_target\n\npermissions:\n  contents: write\n\njobs:\n  c:\n    runs-on: windows-2025\n",
		".github/workflows/d.yml", head+strings.Replace(gpu, "    environment: gpu\n", "", 1),
		".github/workflows/e.yml", head+strings.Replace(gpu, " && "+ours, "", 1),
		".github/workflows/f.yml", head+"  f:\n    runs-on: [self-hosted, gpu]\n  g:\n    strategy:\n      matrix:\n        os: [self-hosted]\n    runs-on: ${{ matrix.os }}\n",
		".github/workflows/h.yml", "permissions:\n  contents: read\n\njobs: {h: {runs-on: self-hosted}}\n",
		".github/workflows/i.yml", head+record,
		".github/workflows/j.yml", head+strings.Replace(record, " && github.ref == 'refs/heads/main'", "", 1),
		".github/workflows/k.yml", head+strings.Replace(record, "ubuntu-24.04", "self-hosted", 1),
		".github/workflows/l.yml", head+strings.Replace(record, "contents: write\n", "contents: write\n      packages: write\n", 1),
		".github/workflows/m.yml", head+strings.Replace(record, "    permissions:\n      contents: write\n", "    permissions: {contents: 'write'}\n", 1),
		".github/workflows/n.yml", strings.Replace(head, "  contents: read\n", "  contents: read\n\npermissions: write-all\n", 1)+record,
		"other.yml", "uses: a/b@v4\n",
	)
	wantViolations(t, openWorkflows(tr),
		`.github/workflows/b.yml:10: have "- uses: a/b@v4"`,
		`.github/workflows/b.yml:11: have "- uses: a/b@`,
		`.github/workflows/b.yml:12: have "- {uses: a/b@main}"`,
		".github/workflows/b.yml: have 0 times persist-credentials: false",
		`.github/workflows/c.yml:1: have "on: pull_request_target"`,
		`.github/workflows/c.yml:4: have "contents: write"`,
		".github/workflows/c.yml: have no permissions",
		".github/workflows/d.yml: job gpu",
		".github/workflows/e.yml: job gpu",
		".github/workflows/f.yml: job f",
		".github/workflows/f.yml: job g",
		".github/workflows/h.yml: have no permissions",
		".github/workflows/h.yml: have no job",
		".github/workflows/j.yml: job record: has a permission to write",
		".github/workflows/k.yml: job record: has a permission to write",
		".github/workflows/k.yml: job record: runs on a machine of our own",
		`.github/workflows/l.yml:12: have "packages: write"`,
		".github/workflows/l.yml: job record: has a permission to write",
		`.github/workflows/m.yml:10: have "permissions: {contents: 'write'}"`,
		`.github/workflows/n.yml:6: have "permissions: write-all"`,
	)
}
