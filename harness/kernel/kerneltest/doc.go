// Package kerneltest holds any [kernel.Device] against the numeric contract of
// package kernel.
//
// [Run] takes a device and a reference, usually the processor without
// assembly, and tests:
//
//	arena    memory starts at zero, keeps what is written, finds its bounds
//	refusal  Compile rejects programs that no device could run
//	order    frames and instructions run in order
//	boundary a draw that equals the rate of a dropout site keeps its element
//	allocation a program that has run before allocates nothing
//	bits     every operation, in every form it allows, gives the reference's bits
//	         and touches nothing beside its result
//	again    sums over rows go on in frames that say so, with the bits of the
//	         whole sum
//	meaning  every operation computes what package stepgraph says it means,
//	         in float64, but for the rounding that the contract admits
//
// The table in rows.go says for each operation which operands it has, of which
// extents, and how it may use them. From it the tests draw layouts (gaps
// between rows, slots that move with the frame, strings that are not active,
// results in the place of an operand) and contents: first all pairs of edge
// values, then arbitrary words, then numbers of moderate size. An operation
// without a row in the table is an error, so a new one cannot be forgotten.
//
// Everything is drawn from fixed seeds; a failure names the trial, and -run
// with that name repeats it.
package kerneltest
