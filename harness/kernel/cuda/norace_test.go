//go:build !race

package cuda_test

// raceEnabled reports whether the race detector is on, which makes the interpreter
// slow.
const raceEnabled = false
