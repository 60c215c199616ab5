//go:build !linux || !(amd64 || arm64) || purego

package libcuda

import (
	"errors"

	"pushdown/harness/kernel/cuda"
)

// Driver is the first GPU of the machine, which no build of this kind looks for.
type Driver struct{ cuda.Driver }

// Open tells that there is none.
func Open() (*Driver, error) {
	return nil, errors.New("GPUs are driven on Linux alone, on amd64 and arm64, without the build tag purego: need PUSHDOWN_DEVICE=cpu")
}
