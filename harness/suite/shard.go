package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// A Shard is one of the Count parts into which all runs are divided. Index is its
// number, from 1 to Count.
type Shard struct{ Index, Count int }

// maxShards is the largest number of shards.
const maxShards = 10_000

// parseShard parses i/n.
func parseShard(value string) (Shard, error) {
	if value == "" {
		return Shard{1, 1}, nil
	}
	left, right, _ := strings.Cut(value, "/")
	i, ok := decimal(left)
	n, ok2 := decimal(right)
	if !ok || !ok2 || i < 1 || i > n || n > maxShards {
		return Shard{}, fmt.Errorf("PUSHDOWN_SHARD: have %q, want i/n with 1 <= i <= n <= %d", value, maxShards)
	}
	return Shard{i, n}, nil
}

// String returns the shard in the form of PUSHDOWN_SHARD.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Owns reports whether the run with the given name belongs to the shard. The first 8 bytes
// of the SHA-256 of the name are read as a little-endian number. The run belongs to the
// shard if this number modulo Count is Index-1. For any Count, exactly one shard owns a
// name.
func (s Shard) Owns(name string) bool {
	sum := sha256.Sum256([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])%uint64(s.Count) == uint64(s.Index-1)
}
