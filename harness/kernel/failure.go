package kernel

import "fmt"

// Failure is what an [Arena] panics with when its device fails in a method that
// returns no error. The device is of no more use, and neither is what it holds.
type Failure struct {
	Device string // cuda/h200
	Doing  string // launching instruction 3 (matmul) in frame 17
	Err    error  // what the device says
}

// Error tells what failed, and where.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s: %v", f.Device, f.Doing, f.Err) }

// Unwrap returns the device's error.
func (f *Failure) Unwrap() error { return f.Err }

// Catch, deferred, makes the failure of a device the error of the function that
// defers it. Any other panic goes on.
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
