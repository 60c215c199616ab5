package scan

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// SetInts sets a whole-number input. It returns an error if a number is out of range
// for the value that the input indexes, or if a number occurs twice in an input that
// must list each row once.
func (vm *VM) SetInts(name string, x []int32) error {
	in := vm.plan.g.Input(name)
	if in == nil || !in.Int {
		return fmt.Errorf("scan: the graph has no whole-number input %s, want one of %v", name, vm.inputs(true))
	}
	if want := vm.count(in); len(x) != want {
		return fmt.Errorf("scan: input %s has %d values, want %d", name, len(x), want)
	}
	if limit := vm.limit(in); limit > 0 {
		if at := firstOutOfRange(x, uint32(limit)); at >= 0 {
			return fmt.Errorf("scan: input %s: number %d is %d, want 0 to %d", name, at, x[at], limit-1)
		}
	}
	if vm.scattersRows(in) {
		if at := vm.duplicate(x); at >= 0 {
			return fmt.Errorf("scan: input %s: number %d is %d, which occurs before; want each row once", name, at, x[at])
		}
	}
	if name == stepgraph.InputExampleRows {
		vm.isInOrder = vm.inOrder(x)
	}
	at := vm.firstWord(in)
	if host := vm.hostArena(); host != nil && len(x) > 0 && &x[0] == &host.Ints(at, 1)[0] {
		vm.set(in)
		return nil // written in place
	}
	vm.arena.WriteInts(at, x)
	vm.set(in)
	return nil
}

// inputs returns the names of the inputs of whole numbers, or of the others, that can be set.
func (vm *VM) inputs(whole bool) []string {
	var names []string
	for _, in := range vm.plan.g.Inputs {
		if in.Int == whole && in.Name != stepgraph.InputSeed {
			names = append(names, in.Name)
		}
	}
	return names
}

// firstWord returns the index in the arena of the first word of an input, for the current
// batch.
func (vm *VM) firstWord(in *stepgraph.Input) int {
	at := vm.plan.of[in.Node].at.Off
	if in.Domain == stepgraph.Step {
		at += vm.stream.base * in.Width
	}
	return at
}

func (vm *VM) set(in *stepgraph.Input) {
	vm.unset[slices.Index(vm.plan.g.Inputs, in)] = false
}

// missing returns an error that names an input that has not been set for the batch.
func (vm *VM) missing() error {
	for i, unset := range vm.unset {
		if unset {
			return fmt.Errorf("scan: input %s has not been set for this batch", vm.plan.g.Inputs[i].Name)
		}
	}
	return nil
}

// firstOutOfRange returns the position of the first number that is negative or at least
// limit, or -1 if there is none. The fast path compares the bitwise or of all numbers, read
// as unsigned, with limit. No number is larger than the bitwise or. So if the bitwise or is
// below limit, all numbers are.
func firstOutOfRange(x []int32, limit uint32) int {
	var pairs []uint64
	if n := len(x) / 2; n > 0 {
		pairs = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), n)
	}
	var a, b, c, d uint64
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		a, b, c, d = a|pairs[0]|pairs[4], b|pairs[1]|pairs[5], c|pairs[2]|pairs[6], d|pairs[3]|pairs[7]
	}
	for _, v := range pairs {
		a |= v
	}
	if len(x)%2 == 1 {
		a |= uint64(uint32(x[len(x)-1]))
	}
	if a |= b | c | d; uint32(a|a>>32) < limit {
		return -1
	}
	for i, v := range x {
		if uint32(v) >= limit {
			return i
		}
	}
	return -1
}

// scattersRows reports whether a gradient is scattered to the rows that the input lists.
// Each row receives one gradient, so such an input must not list a row twice.
func (vm *VM) scattersRows(in *stepgraph.Input) bool {
	for _, u := range vm.plan.of[in.Node].uses {
		if u.is(stepgraph.ScatterRows) {
			return true
		}
	}
	return false
}

// duplicate returns the position of the first number in x that is equal to an earlier
// one, or -1 if there is none.
func (vm *VM) duplicate(x []int32) int {
	words := (vm.rows + 63) / 64
	if len(vm.picked) < words {
		vm.picked = make([]uint64, (vm.plan.opts.MaxRows+63)/64)
	}
	picked := vm.picked[:words]
	clear(picked)
	for i, row := range x {
		bit := uint64(1) << (row & 63)
		if picked[row>>6]&bit != 0 {
			return i
		}
		picked[row>>6] |= bit
	}
	return -1
}

// Ints returns the memory of a whole-number input, with room for the largest batch. If
// the caller writes numbers to this memory and passes it to SetInts, they are not
// copied. Ints returns nil if there is no such input, if the host cannot write to the
// memory, or if the location of the input changes from batch to batch, as in a stream.
func (vm *VM) Ints(name string) []int32 {
	in, host := vm.plan.g.Input(name), vm.hostArena()
	if in == nil || !in.Int || host == nil || in.Domain == stepgraph.Step && vm.plan.opts.Window > 0 {
		return nil
	}
	rows := 1
	switch in.Domain {
	case stepgraph.Step:
		rows = vm.plan.opts.MaxRows
	case stepgraph.Example:
		rows = vm.plan.opts.MaxExamples
	}
	return host.Ints(vm.plan.of[in.Node].at.Off, rows*in.Width)
}

func (vm *VM) hostArena() kernel.HostArena {
	host, _ := vm.arena.(kernel.HostArena)
	return host
}

// limit returns the exclusive upper bound of the numbers in the input, or 0 if the
// input indexes no value. If it indexes several values, the smallest of them decides.
func (vm *VM) limit(in *stepgraph.Input) int {
	v, limit := vm.plan.of[in.Node], 0
	for _, u := range v.uses {
		n := 0
		switch u.kind() {
		case stepgraph.Gather:
			n = u.in[0].rows
		case stepgraph.CrossEntropy, stepgraph.CrossEntropyGrad:
			n = u.in[0].cols
		case stepgraph.GatherRows, stepgraph.ScatterRows:
			n = vm.rows
		}
		if limit == 0 || n > 0 && n < limit {
			limit = n
		}
	}
	return limit
}

// SetFloats sets a floating-point input, such as a run-time scalar or features.
func (vm *VM) SetFloats(name string, x []float32) error {
	in := vm.plan.g.Input(name)
	if in == nil || in.Int {
		return fmt.Errorf("scan: the graph has no numeric input %s, want one of %v", name, vm.inputs(false))
	}
	if name == stepgraph.InputSeed {
		return fmt.Errorf("scan: input %s is set by Forward, to the gradient of the mean loss; want another input", name)
	}
	if want := vm.count(in); len(x) != want {
		return fmt.Errorf("scan: input %s has %d values, want %d", name, len(x), want)
	}
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("scan: input %s: value %d is %v, want a finite number", name, i, v)
		}
	}
	vm.arena.Write(vm.firstWord(in), x)
	vm.set(in)
	return nil
}

func (vm *VM) count(in *stepgraph.Input) int {
	switch in.Domain {
	case stepgraph.Step:
		return vm.rows * in.Width
	case stepgraph.Example:
		return vm.examples * in.Width
	}
	return in.Width
}
