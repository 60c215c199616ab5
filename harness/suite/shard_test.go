package suite

import (
	"fmt"
	"testing"
)

func TestEveryNameHasOneShard(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 64} {
		count := make([]int, n+1)
		const names = 2000
		for k := range names {
			name := fmt.Sprintf("paper=p/table=1/row=r/seed=%d", k)
			owner := 0
			for i := 1; i <= n; i++ {
				if (Shard{i, n}).Owns(name) {
					if owner != 0 {
						t.Fatalf("%s belongs to shards %d and %d of %d", name, owner, i, n)
					}
					owner = i
				}
			}
			if owner == 0 {
				t.Fatalf("%s belongs to no shard of %d", name, n)
			}
			count[owner]++
		}
		for i := 1; i <= n; i++ {
			if mean := names / n; count[i] < mean/3 || count[i] > 3*mean {
				t.Errorf("shard %d of %d owns %d of %d names", i, n, count[i], names)
			}
		}
	}
}

// TestShardIsFrozen checks that the name foo stays in its shard, because the shard of a
// name must never change. The shard follows from the first 8 bytes of the SHA-256 of foo,
// which are 2c26b46b68ffc68f. The constant is these bytes as a little-endian number,
// modulo the number of shards.
func TestShardIsFrozen(t *testing.T) {
	const first = 0x8fc6ff686bb4262c % 1000
	if !(Shard{first + 1, 1000}).Owns("foo") {
		t.Errorf("shard %d of 1000 does not own foo", first+1)
	}
}
