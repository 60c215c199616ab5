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
// strings is checked here, in Compile and for the frames of each Run. Other programs run instruction by instruction, and so do
// those for which dividing the strings would not pay: see the method exec.

// byString is a program divided between strings.
type byString struct {
	strands []*strand
	areas   []area
	slots   [kernel.NumSlots]bool // those of operands
	blocks  [numSlotGroups]blocks // of the current Run
	job     func(worker, part int)
	frames  []kernel.Frame // of the current Run
	runs    int            // Runs in which the strings were divided

	// What a thread has to do and to read for a string in a frame, and what all threads read: work as workOf counts it, and
	// words of operands.
	work, words, weights int
}

// strand is what one thread runs: the program, for the strings [from, to).
type strand struct {
	a        *arena
	code     *code
	from, to int
	frame    kernel.Frame // the one being run; a local variable would be allocated in each Run
}

const (
	strandLeast  = 1 << 21 // least work in all frames that is worth a thread: 20 to 40 microseconds
	strandRows   = 8       // many strings are divided at multiples of this
	strandUneven = 1.15    // a thread may have so many times its even share of the rows
)

// newByString returns c divided between strings, or nil if that is not possible or there is one thread.
func (a *arena) newByString(c *code) *byString {
	if a.dev.team.n == 1 || len(c.instrs) == 0 {
		return nil
	}
	b := &byString{}
	var operands []operand
	program := slices.Clone(c.instrs)
	for i := range program {
		if !divide(&program[i], &operands) {
			return nil
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
		s.code, _ = s.a.compile(program) // it has compiled before
		for i, p := range s.code.packs {
			p.packed = c.packs[i].packed
		}
		b.strands = append(b.strands, s)
	}
	b.job = func(_, part int) { b.strands[part].run(b.frames) }
	return b
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

// divide changes the operands of an instruction so that they skip the first strings of a frame that has a First, and appends
// them to the list. It reports whether the instruction computes each string on its own.
func divide(in *kernel.Instr, list *[]operand) bool {
	if in.Form == kernel.Fixed {
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

// divideArg returns the operand arg of in, and sets its field Each unless it is for all strings. It reports whether either all
// words of the operand are for all strings, or each is for one.
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
	case arg.Skip > 0 && arg.LD == 0 && (fixed || is.Packed): // rows of a length that depends on the frame
		return o, false
	case o.shared:
		o.stacks = false
		ok = fixed && is.Use == kernel.Reads && arg.Row == 0 && o.height > 0 && (arg.LD > 0 || o.height == 1)
	case o.stacks:
		arg.Each = in.S
		if is.Packed {
			o.height = 1
		}
		ok = in.S > 0 && arg.Row >= 0 && (!fixed || arg.Row == 0) && (arg.LD > 0 || o.height == 1 && arg.Skip == 0 || !fixed && arg.S == in.S)
	default:
		arg.Each = arg.LD
		if is.Packed {
			arg.Each = 1
		}
		ok = arg.Each >= o.width && (fixed && arg.Row == 0 || !fixed && arg.Row == arg.Each)
	}
	o.arg = *arg
	return o, ok
}

// An area is memory in which each word belongs to one string, or to all. In the blocks of a slot group, it is a part of each
// block.
type area struct {
	operand
	group slotGroup
	from  int // first word, if the block starts at row 0
}

// slotGroup is a set of slots with the same blocks.
type slotGroup uint8

const (
	fixedGroup slotGroup = iota // no blocks
	currentGroup
	stateGroup
	carryGroup
	numSlotGroups
)

var groupOfSlot = [kernel.NumSlots]slotGroup{kernel.Current: currentGroup, kernel.StateIn: stateGroup, kernel.StateOut: stateGroup, kernel.CarryIn: carryGroup, kernel.CarryOut: carryGroup}

// areasOf joins operands that are parts of the same strings, and returns the areas in the order of their first words.
func areasOf(list []operand) []area {
	var areas []area
	for _, o := range list {
		n := area{o, groupOfSlot[o.arg.Slot], o.arg.Off}
		oneRow := o.height == 1 && o.arg.Skip == 0
		switch {
		case !o.stacks:
			n.from += o.arg.Skip * o.arg.LD
			areas = append(areas, n)
		case n.group == fixedGroup || o.arg.Row == o.arg.Each && (o.arg.LD > 0 || oneRow): // each row has memory of its own
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
	if a.shared || n.shared || a.stacks != n.stacks || a.group != n.group || a.arg.Row != n.arg.Row || a.arg.Each != n.arg.Each {
		return false
	}
	if a.stacks {
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

// blocks are the blocks of a slot group in the frames of a Run, in rows.
type blocks struct {
	list []block

	first, last, end int  // least and greatest start, and greatest end
	apart            int  // least distance between two starts; 0 if all are the same
	disjoint         bool // two blocks either start at the same row or have no row in common
	sameRoom         bool // blocks that start at the same row have room for the same number of strings, and for all that are active
}

type block struct {
	start, strings int // strings that are active, or if it is more, that it has room for
	room           int
}

// sum sets all fields from the list.
func (b *blocks) sum() {
	slices.SortFunc(b.list, func(x, y block) int { return cmp.Compare(x.start, y.start) })
	*b = blocks{list: b.list, disjoint: true, sameRoom: true}
	for i, now := range b.list {
		b.sameRoom = b.sameRoom && now.room == now.strings
		switch {
		case i == 0:
			b.first = now.start
		case now.start == b.last:
			b.sameRoom = b.sameRoom && now.room == b.list[i-1].room
		default:
			b.disjoint = b.disjoint && now.start >= b.end
			if b.apart == 0 || now.start-b.last < b.apart {
				b.apart = now.start - b.last
			}
		}
		b.last, b.end = now.start, max(b.end, now.start+now.strings)
	}
}

// divides reports whether no word belongs to two strings in the given frames.
func (b *byString) divides(frames []kernel.Frame) bool {
	for i := range b.blocks {
		b.blocks[i].list = b.blocks[i].list[:0]
	}
	most := 0
	for i := range frames {
		f := &frames[i]
		most = max(most, f.N)
		for slot, used := range b.slots {
			if g := groupOfSlot[slot]; used && g != fixedGroup {
				to := &b.blocks[g]
				to.list = append(to.list, block{f.Start[slot], max(f.N, f.Strings[slot]), f.Strings[slot]})
			}
		}
	}
	for i := range b.blocks {
		b.blocks[i].sum()
	}
	end, read := 0, 0 // ends of the areas of strings, and of those for all strings
	for i := range b.areas {
		a := &b.areas[i]
		blocks := &b.blocks[a.group]
		from, to := a.extent(blocks, most)
		if from < end || !a.shared && (from < read || !a.divides(blocks, most)) {
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
	case a.group == fixedGroup:
		return true // Each is at least the width
	case !a.stacks:
		return b.disjoint
	case a.arg.LD > 0:
		size := (a.height-1)*a.arg.LD + most*a.arg.Each
		return a.arg.LD >= most*a.arg.Each && (b.apart == 0 || a.arg.Row*b.apart >= size)
	}
	// The distance of the rows of a block is the number of strings that it has room for.
	return b.disjoint && b.sameRoom && a.arg.Row >= a.height*a.arg.Each
}

// extent returns the words of an area, given its blocks.
func (a *area) extent(b *blocks, most int) (from, to int) {
	switch row := a.arg.Row; {
	case a.shared:
		return a.from, a.from + (a.height-1)*a.arg.LD + a.width
	case a.group == fixedGroup:
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
