package golden

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Name is the name of a run as tests, benchmarks and golden files write it:
// key=value parts between slashes, the last of them seed=<number>.
//
//	paper=resurgence/table=2/row=dyck-m4/seed=1
//	test=trajectory/cell=dyck-rnn/seed=1
//
// A name that starts with paper= has table=, section= or figure= as its second
// part, row= as its third and may have task= as its fourth. A Name without the
// seed is a group: runs that differ only in their random numbers.
type Name string

// A Part is one key=value of a Name.
type Part struct{ Key, Value string }

// ParseName checks s and returns it as a Name.
func ParseName(s string) (Name, error) {
	return Name(s), Name(s).check(true)
}

// ParseGroup checks s as a name without a seed and returns it.
func ParseGroup(s string) (Name, error) {
	return Name(s), Name(s).check(false)
}

// Parts returns the parts in order.
func (n Name) Parts() []Part {
	var parts []Part
	for _, text := range strings.Split(string(n), "/") {
		key, value, _ := strings.Cut(text, "=")
		parts = append(parts, Part{key, value})
	}
	return parts
}

// Group returns the name without the seed.
func (n Name) Group() Name {
	group, _, _ := strings.Cut(string(n), "/seed=")
	return Name(group)
}

// Seed returns the number of the seed, or -1 for a group.
func (n Name) Seed() int {
	_, text, ok := strings.Cut(string(n), "/seed=")
	seed, err := strconv.Atoi(text)
	if !ok || err != nil {
		return -1
	}
	return seed
}

// WithSeed returns the name of the run of group n with the given seed.
func (n Name) WithSeed(seed int) Name {
	return n + "/seed=" + Name(strconv.Itoa(seed))
}

// paperScale is the scale of the paper's own experiments.
const paperScale = "paper"

// File returns the name of the golden file with the run or the group n at a scale. At scale paper,
// each table, section and figure of a paper has a file of its own, such as resurgence-table2.txt; at other
// scales there is one file, such as ci.txt.
func (n Name) File(scale string) string {
	parts := n.Parts()
	if scale == paperScale && len(parts) > 1 {
		return parts[0].Value + "-" + parts[1].Key + parts[1].Value + ".txt"
	}
	return scale + ".txt"
}

// maxName is the greatest length of a name in bytes. It keeps names usable as file
// names.
const maxName = 240

// check returns an error if n is not valid. If seeded is true, n must end with a seed.
// Otherwise n must be the name of a group, which has no seed.
func (n Name) check(seeded bool) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("name %q: "+format, append([]any{abbreviate(string(n))}, args...)...)
	}
	if len(n) > maxName {
		return fail("have %d bytes, want at most %d", len(n), maxName)
	}
	parts := n.Parts()
	for i, p := range parts {
		if !lowerWord(p.Key) || !valueWord(p.Value) {
			return fail("part %d: have %q, want key=value of letters, digits, '.', '_', '+', '-'", i+1, abbreviate(p.Key+"="+p.Value))
		}
		if slices.ContainsFunc(parts[:i], func(q Part) bool { return q.Key == p.Key }) {
			return fail("part %d: have %s= again, want it once", i+1, p.Key)
		}
	}
	last := len(parts) - 1
	if have := parts[last].Key == "seed"; have != seeded {
		if seeded {
			return fail("have no last part seed=<number>, want one")
		}
		return fail("have a seed, want the group without it")
	}
	if seeded {
		text := parts[last].Value
		if seed, err := strconv.Atoi(text); err != nil || seed < 0 || strconv.Itoa(seed) != text {
			return fail("seed: have %q, want a number such as 1", abbreviate(text))
		}
		parts = parts[:last]
	}
	if len(parts) == 0 {
		return fail("have a seed alone, want what ran")
	}
	return checkPaper(parts, fail)
}

// checkPaper checks a name without its seed. If the name begins with paper=, the keys that follow
// must be valid and in order. Otherwise the name must not have the key paper.
func checkPaper(parts []Part, fail func(string, ...any) error) error {
	if parts[0].Key != "paper" {
		if slices.ContainsFunc(parts, func(p Part) bool { return p.Key == "paper" }) {
			return fail("have paper= in the middle, want it first")
		}
		return nil
	}
	keys := make([]string, len(parts))
	for i, p := range parts {
		keys[i] = p.Key
	}
	where := len(keys) > 1 && slices.Contains([]string{"table", "section", "figure"}, keys[1])
	row := len(keys) > 2 && keys[2] == "row"
	task := len(keys) == 3 || len(keys) == 4 && keys[3] == "task"
	if !where || !row || !task {
		return fail("parts: have %s, want paper, then table, section or figure, then row, then task or nothing", strings.Join(keys, ", "))
	}
	return nil
}

// CompareNames compares names part by part, first by key and then by value. Whole
// numbers are compared as numbers, so that seed=2 comes before seed=10.
func CompareNames(a, b Name) int {
	p, q := a.Parts(), b.Parts()
	for i := range min(len(p), len(q)) {
		if c := cmp.Compare(p[i].Key, q[i].Key); c != 0 {
			return c
		}
		x, errX := strconv.ParseUint(p[i].Value, 10, 64)
		y, errY := strconv.ParseUint(q[i].Value, 10, 64)
		if errX == nil && errY == nil && x != y {
			return cmp.Compare(x, y)
		}
		if numeric := errX == nil; numeric != (errY == nil) {
			if numeric {
				return -1 // numbers before words, so that the order is total
			}
			return 1
		}
		if c := cmp.Compare(p[i].Value, q[i].Value); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(a, b))
}

// lowerWord reports whether s is a key: a lower-case letter, then lower-case
// letters, digits and '-'.
func lowerWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || i > 0 && ('0' <= c && c <= '9' || c == '-')) {
			return false
		}
	}
	return s != ""
}

// valueWord reports whether s can be a value inside a benchmark name.
func valueWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("._+-", c) >= 0) {
			return false
		}
	}
	return s != ""
}

// abbreviate shortens a string for an error message.
func abbreviate(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
