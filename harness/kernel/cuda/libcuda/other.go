//go:build !linux || !(amd64 || arm64) || purego

package libcuda

import (
	"errors"

	"pushdown/harness/kernel/cuda"
)

// Driver is the driver of the first GPU. This build does not support GPUs.
type Driver struct{ cuda.Driver }

// Open returns an error that says that this build does not support GPUs.
func Open() (*Driver, error) {
	return nil, errors.New("have a build without GPU support, need one for Linux on amd64 or arm64 without the tag purego, or PUSHDOWN_DEVICE=cpu")
}
