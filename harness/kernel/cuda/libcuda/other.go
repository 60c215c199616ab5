//go:build !linux || !(amd64 || arm64)

package libcuda

import (
	"errors"

	"pushdown/harness/kernel/cuda"
)

// Driver is the first GPU of the machine, which no machine of this kind has.
type Driver struct{ cuda.Driver }

// Open tells that there is none.
func Open() (*Driver, error) {
	return nil, errors.New("cuda: GPUs are driven on Linux alone, on amd64 and arm64: need PUSHDOWN_DEVICE=cpu")
}
