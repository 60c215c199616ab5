package verdict

import (
	"strings"

	"pushdown/harness/golden"
)

// FirstEpoch is the task of runs that stop after the first epoch of the runs of a row. If that
// row has a task of its own, theirs is that task, a hyphen and FirstEpoch. A page shows their
// numbers as long as the row has no run that went to its end. They decide only whether the count
// of parameters matches, because training does not change it. A task that
// begins with FirstEpoch and a hyphen is a variant that stops after its first epoch. No other row
// may have such a name, because a page would take it for a finished one.
const FirstEpoch = "first-epoch"

// FirstEpochOf returns the group of the runs that stop after the first epoch of a group.
func FirstEpochOf(group golden.Name) golden.Name {
	if strings.Contains(string(group), "/task=") {
		return group + "-" + FirstEpoch
	}
	return group + "/task=" + FirstEpoch
}

// WholeOf returns the group whose first epoch the group g has, and true. If g is no such group,
// WholeOf returns g and false.
func WholeOf(g golden.Name) (whole golden.Name, first bool) {
	for _, suffix := range []string{"/task=" + FirstEpoch, "-" + FirstEpoch} {
		if s, ok := strings.CutSuffix(string(g), suffix); ok {
			return golden.Name(s), true
		}
	}
	return g, false
}
