package kernel

import "fmt"

// Failure is the value that an [Arena] panics with when its device fails in a method
// that returns no error. The device and its arenas cannot be used any more.
type Failure struct {
	Device string // for example cuda/h200
	Doing  string // for example "launching instruction 3 (matmul) in frame 17"
	Err    error  // the device's error
}

// Error returns the device, the operation that failed and the device's error.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s: %v", f.Device, f.Doing, f.Err) }

// Unwrap returns the device's error.
func (f *Failure) Unwrap() error { return f.Err }

// Catch, when deferred, turns a panic with a [Failure] into the error of the function
// that defers it. It passes on any other panic.
//
//	func run() (err error) {
//		defer kernel.Catch(&err)
func Catch(err *error) {
	switch v := recover().(type) {
	case nil:
	case *Failure:
		*err = v
	default:
		panic(v)
	}
}
