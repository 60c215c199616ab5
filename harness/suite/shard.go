package suite

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Shard is a part of all runs: the Index-th of Count, counted from 1.
type Shard struct{ Index, Count int }

// maxShards bounds the number of shards.
const maxShards = 10_000

// parseShard reads i/n.
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

// String returns the shard as PUSHDOWN_SHARD takes it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Owns reports whether the run of this name belongs to the shard: whether the
// first 8 bytes of the name's SHA-256, as a little-endian number modulo Count,
// are Index-1. Exactly one shard of any Count owns a name.
func (s Shard) Owns(name string) bool {
	sum := sha256.Sum256([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])%uint64(s.Count) == uint64(s.Index-1)
}
