// Package kerneltest tests any [kernel.Device] against the numeric contract of
// package kernel.
//
// [Run] takes a device and a reference, usually the CPU without assembly, and tests:
//
//	arena      memory starts at zero, keeps what is written, is usable to its end
//	refusal    Compile rejects programs that no device could run
//	order      frames and instructions run in order
//	boundary   dropout keeps an element whose draw equals the rate
//	allocation a program that has run before allocates nothing
//	bits       every operation, in every form it allows, gives the reference's bits
//	           and changes nothing but its result; a group gives the bits of its
//	           instructions run one by one; a sum over rows continued in several
//	           frames gives the bits of the whole sum
//	meaning    every operation computes its definition in package stepgraph,
//	           in float64, up to the rounding errors that the contract admits
//
// The tables of package kernel and of rows.go give the operands of each operation, their
// extents, and how the operation may use them. From the tables the tests draw layouts
// (gaps between rows, operands whose address depends on the frame, inactive strings,
// results in the place of an operand) and contents: first all pairs of edge values, then
// arbitrary words, then numbers of moderate size. An operation without a row in the
// table is an error, so a new operation cannot be forgotten.
//
// All random choices use fixed seeds. A failure names its trial. To repeat it, use
// -run with the operation's name.
package kerneltest
