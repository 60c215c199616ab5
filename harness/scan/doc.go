// Package scan plans the step graph of package stepgraph and scans it over
// time, forward and backward, on a [kernel.Device].
//
// # Passes
//
// [Compile] is a list of passes over the nodes of the graph:
//
//	live      drop what neither loss, outputs, states nor gradients need
//	phases    decide when each value is computed (below)
//	tabulate  look up what depends on a symbol alone in tables
//	subtract  make sums with what is negated differences
//	pull      move elementwise values that follow a loop into it, if less is kept then
//	merge     products of one input by several weights become one product
//	combine   add products to sums, and biases to products, on the way
//	fuse      make runs of elementwise values one instruction
//	schedule  put the values in order
//	store     decide where each value lies
//	check     refuse places that are written while others still read them
//	lower     write the instructions of each phase
//	recompute find the instructions that make states, if they may run again
//
// # Phases
//
// The phases run in this order, each over the frame named with it:
//
//	update     once: what depends on parameters alone
//	pre        all rows: what does not depend on the carried state (hoisted)
//	loop       each step, rising: what the next state needs
//	post       all rows: what depends on the state but no later step needs
//	clear      all rows: zeros where a row may not be predicted from
//	head       all examples: read-out and loss, and their gradients
//	backpre    all rows: gradients that do not depend on the carried gradient
//	backloop   each step, falling: what the gradient of the earlier step needs
//	backpost   all rows: the rest
//	backreduce all rows: the sums over rows that are parameter gradients
//	backstatic once: gradients of what depends on parameters alone
//
// A plain RNN, h = tanh(x W_x + b + h' W_h) with the state h' of the step before,
// comes out like this. x W_x + b does not depend on h' and is hoisted: it is one
// product over all rows in pre, or, where symbols are few, one over the symbols
// in update whose rows pre looks up. What depends on h' stays in the loop: its
// product by W_h, the sum and tanh. Backward, the gradient of tanh and its
// product by W_h stay in the loop, since the earlier step waits for them; the
// gradients of W_x, W_h and b are sums over all rows in backreduce. Whole programs
// are in models/testdata/plan.
//
// Where nothing is summed over rows, the phases over all rows go through them
// in blocks, so that what one instruction writes is still in the cache when the
// next one reads it.
//
// Hoisting gives a product more rows, merging gives it more columns, a table
// fewer rows; none touches a sum, so the bits are those of the plain order.
//
// What is elementwise is cheap to compute and dear to store. A group of it is one
// instruction ([kernel.Group]), and its inner values have no place in memory.
// Of what must be stored, a value takes the place of an operand that is read for
// the last time: gates lie where their pre-activations lay. Parts that are put
// side by side are computed where the whole lies. The columns of a narrow value that
// a stack reads as weights lie at equal distances, so that one instruction takes
// them apart, and one puts their gradients together. What is added to a part of a
// state, or of the gradient that is handed back, is added where that lies. The head
// goes through the examples in blocks of whole chunks, and logits become their own
// gradient, so the logits of a large vocabulary are never all there.
//
// # Rows
//
// Strings of unequal length are packed, see package kernel. A state lies in
// one block for each step plus one for the start; values that outlive their
// step lie in blocks of the same rows; everything else in a buffer of one
// step. Stacks are held stack-major and are touched in the loops alone.
//
// The states of a large batch do not fit the caches. Where only the loops look at
// them, and making them takes no product, it is faster to make them twice than
// to write and read them all: the batch is cut into segments of steps. The forward
// loop keeps the states that segments start from. The backward loop, coming to a
// segment, makes the states of its steps again, by the same instructions from
// the same numbers, and they are near. Without gradients no states are kept, and
// of stacks of zeros only what has filled up since the batch began is computed.
//
// # Streams
//
// A network that learns while it reads has one string without end, and a gradient
// that goes back over the last steps ([Options.Window]). The memory holds some
// windows of steps in a row. A batch goes through the forward phases alone, from
// where the one before it ended; the backward phases go through the window that
// ends with it, where everything still lies as it was computed. So nothing is
// addressed modulo, and a sum over rows has the order of a batch of these steps.
// When the memory is full, the present window moves to its start.
//
// What backward phases write must not lie where forward ones wrote, since the next
// window reads it again: values leave their places to values of their own kind.
//
// The gradient by stacks or lists reaches a cell further with each step back from
// the end of the window. Where everything done to it leaves zeros as they are, the
// instructions have a [kernel.NonzeroRange], and only what the last window left behind is
// cleared.
//
// A VM allocates while it is compiled, in its first runs, and when a batch is
// larger than any before, not in between.
package scan
