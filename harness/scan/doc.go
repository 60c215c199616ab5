// Package scan compiles the step graph of package stepgraph and runs it over time,
// forward and backward, on a [kernel.Device].
//
// # Passes
//
// [Compile] runs these passes over the nodes of the graph:
//
//	live       drop values that the loss, outputs, states and gradients do not need
//	phases     decide in which phase each value is computed (below)
//	hoistnoise draw noise for all rows before the loop
//	tabulate   replace values that depend on a symbol alone by table lookups
//	subtract   replace the sum with a negated value by a difference
//	intoloops  move into a loop large lookups from before it, and elementwise values from after it if fewer values are stored then
//	merge      merge products of one input by several weights into one product
//	combine    compute a product and the addition that follows it in one instruction
//	fuse       fuse elementwise values into one instruction
//	schedule   order the values
//	headblocks choose the number of examples in a block of the head
//	store      decide where each value is stored
//	check      check that no value is overwritten before its last read
//	lower      write the instructions of each phase
//	recompute  find the instructions that can compute the states a second time
//	inorder    without the copies of rows, write the head for batches whose rows all have predictions, in order
//	ranges     without gradients, find the rows of stacks that can be nonzero
//
// # Phases
//
// The phases run in this order. The second column says what a phase runs over: it runs once,
// over all rows, step by step, or over all examples.
//
//	update     once: values that depend on parameters alone
//	pre        all rows: values that do not depend on the carried state (hoisted)
//	loop       each step, ascending: values that the next state needs
//	post       all rows: values that depend on the state but that no later step needs
//	clear      all rows: zeros for gradients of rows that may have no prediction
//	head       all examples: read-out and loss, and their gradients
//	backpre    all rows: gradients that do not depend on the carried gradient
//	backloop   each step, descending: values that the gradient of the previous step needs
//	backpost   all rows: the other gradients
//	backreduce all rows: the sums over rows that are parameter gradients
//	backstatic once: gradients of values that depend on parameters alone
//
// Take a plain RNN, h = tanh(x W_x + b + h' W_h), where h' is the state of the previous step.
// The part x W_x + b does not depend on h' and is hoisted: phase pre computes it with one
// product over all rows. If there are few symbols, phase update instead multiplies the
// embeddings of all symbols by W_x once, and pre looks up the rows of the result. If these are
// large and only the loop reads them, it looks them up itself, step by step. The values that
// depend on h' stay in the loop: the product by W_h, the sum and tanh. In the backward pass,
// the gradient before tanh and the product of this gradient by W_h stay in the loop, because
// the previous step needs them. The gradients of W_x, W_h and b are sums over all rows in
// backreduce. Complete programs are in models/testdata/plan.
//
// A phase over all rows runs block by block unless it sums over rows. The results of
// one instruction are then still in the cache when the next one reads them.
//
// Hoisting gives a product more rows, merging gives it more columns, and a table of the
// results for all symbols gives it fewer rows. None of the three changes the order of a sum,
// so no bit of a result changes.
//
// # Memory
//
// Elementwise values are cheap to compute and expensive to store. A fused group is one
// instruction ([kernel.Group]), and values inside it need no memory. A value that must be
// stored takes the place of an operand that nothing reads later: gates overwrite their
// pre-activations. A large value may also take the place of another one of the same width
// that is no operand but has been read for the last time: the gradients of the gates overwrite
// the gates. Operands of a concatenation are computed directly in the memory of the
// result. If stacks read the columns of a narrow value as weights, each column is stored
// separately, and the columns are at equal distances. One instruction then splits the value
// into columns, and another one joins the gradients of the columns. An addition to a part of
// a state, or to a part of the gradient passed to the previous step, is done in place. The
// head processes the examples in blocks, whose sizes are multiples of [kernel.Chunk], and
// overwrites logits with their gradient. So the logits of a large vocabulary are never all in
// memory.
//
// # Rows
//
// Strings of unequal length are packed; see package kernel. A state has one block
// per step plus one for the initial state. A value that is read after its step, or
// outside the phase that computes it, also has one block per step. All other values
// have a buffer for one step. Stacks are stack-major and are used only in the loops.
//
// The states of a large batch do not fit into the caches. If only the loops read the
// states, and computing them needs no matrix product, it is faster to compute them
// twice than to write and read them all. The batch is then divided into segments of
// steps. The forward loop keeps the initial states of the segments. Before the
// backward loop enters a segment, the same instructions compute the states of its
// steps again from the same numbers. The states are then in the cache. Without
// gradients no states are kept. A stack that starts with zeros is then computed only
// in the cells that can have been filled since the batch began.
//
// # Streams
//
// A network that learns while it reads has a string without an end, or several such
// strings side by side, the columns of a long text. Its gradient goes back over a window:
// the last steps, as many as [Options.Window] says. The memory has room for several
// windows. The forward phases run over the steps of the batch only, and start where the
// previous batch ended. The backward phases run over the whole window that ends with the
// batch; the values of its steps are still stored as they were computed. The rows of a
// window are adjacent in memory, so sums over rows have the same order as in a batch of
// these steps. When the memory is full, the current window is copied to the start of the
// memory.
//
// Backward phases must not overwrite values of forward phases, because the next
// window reads them again. So a value takes the place of another only if both are
// forward values or both are gradients.
//
// The gradient of stacks or lists can be nonzero in one more cell with each step back
// from the end of the window. If every operation on this gradient keeps zeros zero,
// the instructions have a [kernel.NonzeroRange]. Then only the cells that the gradient
// can reach in a window are cleared.
//
// A VM allocates memory when it is compiled, in its first runs, and when a batch is
// larger than any before. Other runs allocate nothing.
package scan
