package dyck

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestAskedForMissingRowsFails checks that the tests fail, and name near rows, if -run asks for
// a row that the suite does not have, but not if the rows are those of another suite. The test
// runs its own binary in another process.
func TestAskedForMissingRowsFails(t *testing.T) {
	for _, c := range []struct {
		pattern string
		status  int
		want    string
	}{
		{"WCPA/paper/table/row=dyck-m5$", 1, "want one such as paper=resurgence/table=2/row=dyck-m4,"},
		{"row=dyck-m4$", 1, "-run './paper=resurgence/table=2/row=dyck-m4$'"},
		{"WCPA/paper/table/row=dyck-m4$/seed=10", 1, "it selects paper=resurgence/table=2/row=dyck-m4/seed=10 at scale paper: PUSHDOWN_SCALE=paper"},
		{"WCPA/paper/table/row=dyck-m4$/seed=1$", 0, ""},
		{"Table7/paper/table/row=none$", 0, ""},
	} {
		cmd := exec.Command(os.Args[0], "-test.short", "-test.run", c.pattern)
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "PUSHDOWN_") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		cmd.Env = append(cmd.Env, "PUSHDOWN_SHARD=1/10000") // the shard of no run
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.status || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "pushdown: ") != (c.status != 0) {
			t.Errorf("%s: have %v and\n%s\nwant status %d and %q", c.pattern, err, out, c.status, c.want)
		}
	}
}
