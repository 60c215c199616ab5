//go:build race

package cuda_test

// raced tells that the race detector watches, which makes the interpreter slow.
const raced = true
