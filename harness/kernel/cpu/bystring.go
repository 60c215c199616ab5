package cpu

import (
	"cmp"
	"slices"
	"sort"

	"pushdown/harness/kernel"
)

// The loops over the steps of a text compute each string on its own: sums over strings are in other programs. So a thread
// can run such a program for some of the strings, through all frames. The threads then meet once in a Run instead of once in
// each instruction, most of what a thread reads is in its own cache, and instructions that are not split, such as those on
// stacks, run on all threads, too. But each thread reads all weights.
//
// A row is computed in the same way whatever rows are beside it, so the bits are the same. That no word belongs to two
// strings is checked here, in Compile and for the frames of each Run. Other programs run instruction by instruction.

// byString is a program divided between strings.
type byString struct {
	strands []*strand
	areas   []area
	slots   [kernel.NumSlots]bool // those of operands
	work    int                   // for a string in a frame, as workOf counts it
	words   int                   // of the operands of a string
	weights int                   // words of the operands of all strings
	job     func(worker, part int)
	frames  []kernel.Frame // of the current Run
	runs    int
}

// strand is what one thread runs: the program, for the strings [from, to).
type strand struct {
	a        *arena
	code     *code
	from, to int
	frame    kernel.Frame // the one being run
}

const (
	strandLeast  = 1 << 21 // least work in all frames that is worth a thread: 20 to 40 microseconds
	strandRows   = 8       // many strings are divided at multiples of this
	strandUneven = 1.15    // most rows of a thread, divided by its share of all rows
)

// newByString returns c divided between strings, or nil if that is not possible or there is one thread.
func (a *arena) newByString(c *code) (*byString, error) {
	if a.dev.team.n == 1 || len(c.instrs) == 0 {
		return nil, nil
	}
	b := &byString{}
	var operands []operand
	program := slices.Clone(c.instrs)
	for i := range program {
		if !divide(&program[i], &operands) {
			return nil, nil
		}
		b.work += workOf(&program[i])
	}
	b.areas = areasOf(operands)
	for _, o := range operands {
		b.slots[o.arg.Slot] = true
		switch {
		case !o.shared:
			b.words += o.height * o.width
		case !o.table:
			b.weights += o.height * o.width
		}
	}
	for len(a.dev.alone) < a.dev.team.n {
		a.dev.alone = append(a.dev.alone, newDevice(Options{ISA: a.dev.opts.ISA, Threads: 1}))
	}
	for _, dev := range a.dev.alone {
		s := &strand{a: &arena{dev: dev, mem: a.mem}}
		var err error
		if s.code, err = s.a.compile(program); err != nil {
			return nil, err
		}
		for i, p := range s.code.packs {
			p.packed = c.packs[i].packed
		}
		b.strands = append(b.strands, s)
	}
	b.job = func(_, part int) { b.strands[part].run(b.frames) }
	return b, nil
}

// workOf returns roughly how many FMAs take as long as the instruction for one string.
func workOf(in *kernel.Instr) int {
	switch in.Op {
	case kernel.Group:
		n := 0
		for i := range in.Body {
			n += workOf(&in.Body[i])
		}
		return n
	case kernel.MatMul, kernel.Affine:
		return in.W * in.K
	}
	n := 8 * in.W
	if row := &kernel.Ops[in.Op]; row.Element != nil && row.Costly {
		n *= 4
	}
	if in.Form == kernel.StackMajor {
		n *= in.S
	}
	return n
}

// An operand is where a program finds or leaves something for each string, or for all of them.
type operand struct {
	arg           kernel.Arg
	stacks        bool // stack-major, so that the words of a string are in several rows
	shared        bool // for all strings
	table         bool // of which a string needs some rows only
	height, width int  // of a string, or of all
}

// divide changes an instruction so that it skips the first strings of a frame, and appends its operands to the list. It
// reports whether the instruction computes each string on its own.
func divide(in *kernel.Instr, list *[]operand) bool {
	if in.Form == kernel.Fixed || in.Reduce {
		return false
	}
	if in.Op == kernel.Group {
		in.Body = slices.Clone(in.Body)
		for i := range in.Body {
			if !divide(&in.Body[i], list) {
				return false
			}
		}
		return true
	}
	in.Args = slices.Clone(in.Args)
	for i := range in.Args {
		if arg := &in.Args[i]; arg.Slot != kernel.Absent && arg.Slot != kernel.Local {
			o, ok := divideArg(in, arg, &kernel.Ops[in.Op].Args[i])
			if !ok {
				return false
			}
			*list = append(*list, o)
		}
	}
	return true
}

// divideArg sets the field Each of an operand of in, unless the operand is for all strings. It reports whether it is one of
// these two.
func divideArg(in *kernel.Instr, arg *kernel.Arg, is *kernel.Operand) (o operand, ok bool) {
	o.height, o.width = is.Shape.Size(in, 1)
	fixed := arg.Slot == kernel.FixedSlot
	perString := true
	switch is.Shape {
	case kernel.Whole, kernel.Triples, kernel.Strided0, kernel.Strided1, kernel.PerRow, kernel.PerBlock, kernel.Blocks:
	case kernel.StringRows, kernel.Cell:
	case kernel.Left:
		if in.I[0] == 1 {
			return o, false
		}
	case kernel.PerCol:
		perString = in.Form == kernel.StackMajor
	case kernel.One, kernel.Right, kernel.Table:
		perString, o.table = false, is.Shape == kernel.Table
	default:
		return o, false
	}
	o.shared = !perString
	o.stacks = in.Form == kernel.StackMajor && is.Shape != kernel.StringRows
	switch {
	case o.shared:
		o.stacks = false
		ok = fixed && is.Use == kernel.Reads && arg.Row == 0 && o.height > 0 && (arg.LD > 0 || o.height == 1)
	case o.stacks:
		arg.Each = in.S
		ok = in.S > 0 && arg.Row >= 0 && (is.Packed || arg.LD > 0 || arg.S == in.S) && (!fixed || arg.Row == 0)
		if is.Packed {
			arg.Each, o.height = in.S, 1
		}
	case fixed:
		arg.Each = arg.LD
		if is.Packed {
			arg.Each = 1
		}
		ok = arg.Row == 0 && arg.Each >= o.width
	default:
		arg.Each = arg.Row
		ok = arg.Row >= o.width && (is.Packed || arg.LD == arg.Row)
	}
	o.arg = *arg
	return o, ok
}

// An area is memory in which a word belongs to one string, or to all.
type area struct {
	operand
	steps slotGroup
	from  int
}

// slotGroup is a set of slots with the same blocks.
type slotGroup uint8

const (
	noSteps slotGroup = iota
	current
	states
	carries
	numGroups
)

var groupOfSlot = [kernel.NumSlots]slotGroup{kernel.Current: current, kernel.StateIn: states, kernel.StateOut: states, kernel.CarryIn: carries, kernel.CarryOut: carries}

// areasOf joins operands that are parts of the same strings, and returns the areas in the order of their first words.
func areasOf(list []operand) []area {
	var areas []area
	for _, o := range list {
		n := area{o, groupOfSlot[o.arg.Slot], o.arg.Off}
		switch {
		case !o.stacks:
			n.from += o.arg.Skip * o.arg.LD
			areas = append(areas, n)
		case n.steps == noSteps || o.arg.Row == o.arg.Each: // each row has memory of its own
			n.stacks, n.width = false, o.arg.Each
			n.from += o.arg.Skip * o.arg.LD
			for range o.height {
				areas = append(areas, n)
				n.from += o.arg.LD
			}
		default:
			n.height += o.arg.Skip
			areas = append(areas, n)
		}
	}
	slices.SortStableFunc(areas, func(a, b area) int { return cmp.Compare(a.from, b.from) })
	joined := areas[:0]
	for _, n := range areas {
		if k := len(joined); k == 0 || !joined[k-1].join(&n) {
			joined = append(joined, n)
		}
	}
	return joined
}

// join makes n part of a, which starts at the same word or before it, and reports whether it is.
func (a *area) join(n *area) bool {
	if a.shared != n.shared || a.stacks != n.stacks || a.steps != n.steps || a.arg.Row != n.arg.Row {
		return false
	}
	switch {
	case a.shared:
		return a.from == n.from && a.arg.LD == n.arg.LD && a.height == n.height && a.width == n.width // else both are read
	case a.arg.Each != n.arg.Each:
		return false
	case a.stacks:
		if a.from != n.from || a.arg.LD != n.arg.LD {
			return false
		}
		a.height = max(a.height, n.height)
		return true
	}
	if n.from+n.width-a.from > a.arg.Each {
		return false
	}
	a.width = max(a.width, n.from+n.width-a.from)
	return true
}

// blocks is where the blocks of a slotGroup are in the frames of a Run, in rows.
type blocks struct {
	seen             bool
	first, last, end int // least and greatest start, and greatest end
	fewest, most     int // strings of a block
	apart            int // the greatest common divisor of all distances between starts; 0: all are the same
	order            int // 1 or -1 if each block is behind or before the previous one, else 0; 2 if all starts are the same

	now, strings int  // the previous start, and the greatest number of strings there
	changes      bool // a block had another number of strings than the previous one with the same start
	narrow       bool // a block has room for fewer strings than are active
}

// add adds the block of a frame with the given numbers of active strings and of strings that the block has room for.
func (b *blocks) add(start, active, room int) {
	b.narrow = b.narrow || room < active
	strings := max(active, room)
	if !b.seen {
		*b = blocks{seen: true, first: start, last: start, end: start + strings, fewest: strings, most: strings, order: 2, now: start, strings: strings, narrow: b.narrow}
		return
	}
	switch {
	case start == b.now:
		b.changes = b.changes || strings != b.strings
		strings = max(strings, b.strings)
	case start >= b.now+b.strings && b.order > 0:
		b.order = 1
	case start+strings <= b.now && (b.order == 2 || b.order == -1):
		b.order = -1
	default:
		b.order = 0
	}
	b.apart = gcd(b.apart, start-b.now)
	b.now, b.strings = start, strings
	b.first, b.last, b.end = min(b.first, start), max(b.last, start), max(b.end, start+strings)
	b.fewest, b.most = min(b.fewest, strings), max(b.most, strings)
}

// disjoint reports whether two blocks either start at the same row or have no row in common.
func (b *blocks) disjoint() bool { return b.order != 0 || b.apart >= b.most }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// divides reports whether no word belongs to two strings in the given frames.
func (b *byString) divides(frames []kernel.Frame) bool {
	var at [numGroups]blocks
	most := 0
	back := frames[0].Start[kernel.StateIn] > frames[len(frames)-1].Start[kernel.StateIn]
	for i := range frames {
		f := &frames[i]
		most = max(most, f.N)
		for slot := range kernel.NumSlots {
			if back { // then each block is before the previous one if StateOut comes before StateIn
				slot = kernel.NumSlots - 1 - slot
			}
			if steps := groupOfSlot[slot]; b.slots[slot] && steps != noSteps {
				at[steps].add(f.Start[slot], f.N, f.Strings[slot])
			}
		}
	}
	end, read := 0, 0 // ends of the areas of strings, and of those for all strings
	for i := range b.areas {
		a := &b.areas[i]
		steps := &at[a.steps]
		from, to := a.extent(steps, most)
		if from < end || !a.shared && (from < read || !a.divides(steps, most)) {
			return false
		}
		if a.shared {
			read = max(read, to)
		} else {
			end = to
		}
	}
	return true
}

// divides reports whether no word of the area belongs to two strings.
func (a *area) divides(b *blocks, most int) bool {
	switch {
	case a.steps == noSteps:
		return true // join has checked it
	case !b.disjoint():
		return false
	case !a.stacks:
		return true
	case a.arg.LD > 0:
		size := (a.height-1)*a.arg.LD + most*a.arg.Each
		return a.arg.LD >= most*a.arg.Each && (b.apart == 0 || a.arg.Row*b.apart >= size)
	}
	// The distance of the rows of a block is that of the strings it has room for.
	return a.arg.Row >= a.height*a.arg.Each && !b.narrow && (b.fewest == b.most || b.order != 0 && !b.changes)
}

// extent returns the words of an area, given its blocks.
func (a *area) extent(b *blocks, most int) (from, to int) {
	switch row := a.arg.Row; {
	case a.shared:
		return a.from, a.from + (a.height-1)*a.arg.LD + a.width
	case a.steps == noSteps:
		return a.from, a.from + (most-1)*a.arg.Each + a.width
	case !a.stacks:
		return a.from + row*b.first, a.from + row*(b.end-1) + a.width
	case a.arg.LD > 0:
		return a.from + row*b.first, a.from + row*b.last + (a.height-1)*a.arg.LD + most*a.arg.Each
	default:
		return a.from + row*b.first, a.from + row*b.end
	}
}

// exec runs c, which b is made of, and reports whether it has. If it has not, dividing the strings does not pay, or the
// threads would use the same words.
func (b *byString) exec(a *arena, c *code, frames []kernel.Frame) bool {
	if len(frames) < 2 {
		return false
	}
	total, most := 0, 0
	for i := range frames {
		total, most = total+frames[i].N, max(most, frames[i].N)
	}
	n := min(len(b.strands), most)
	if !a.dev.opts.Eager {
		n = min(n, int(float64(total)*float64(b.work)/strandLeast))
		if float64(b.weights)*float64(len(frames)) > float64(b.words)*float64(total) {
			return false // a thread would read more weights than it would find other words in its cache
		}
	}
	if n < 2 || !b.balance(frames, n, total, most) && !a.dev.opts.Eager || !b.divides(frames) {
		return false
	}
	for _, p := range c.packs {
		p.fill(a, frames, n)
	}
	b.frames = frames
	a.dev.team.do(n, b.job)
	b.frames = nil
	b.runs++
	return true
}

// Divided returns the number of Runs of a program in which threads divided the strings.
func (c *code) Divided() int {
	if c.byString == nil {
		return 0
	}
	return c.byString.runs
}

// balance divides the strings between n threads so that each has about as many rows in all frames, and reports whether no
// thread has much more than its share.
func (b *byString) balance(frames []kernel.Frame, n, total, most int) bool {
	unit := 1
	if most >= 2*strandRows*n {
		unit = strandRows
	}
	even, at, before := true, 0, 0 // before is the number of rows of the strings before at
	for k, s := range b.strands[:n] {
		s.from = at
		units := sort.Search((most-at+unit-1)/unit, func(units int) bool {
			return k < n-1 && float64(rowsBelow(frames, at+units*unit)) >= float64(total)*float64(k+1)/float64(n)
		})
		at = min(at+units*unit, most)
		s.to = at
		rows := rowsBelow(frames, at)
		even = even && float64(rows-before) <= strandUneven*float64(total)/float64(n)
		before = rows
	}
	return even
}

// rowsBelow returns the number of rows in all frames that belong to the first strings.
func rowsBelow(frames []kernel.Frame, strings int) (rows int) {
	for i := range frames {
		rows += min(frames[i].N, strings)
	}
	return rows
}

// run runs the program for the strings of s.
func (s *strand) run(frames []kernel.Frame) {
	f := &s.frame
	for i := range frames {
		*f = frames[i]
		f.N = min(f.N, s.to) - s.from
		if f.N <= 0 {
			continue
		}
		f.Tail = min(max(f.Tail-s.from, 0), f.N)
		f.First = s.from
		for j, r := range s.code.runs {
			r(s.a, &s.code.instrs[j], f)
		}
	}
}
