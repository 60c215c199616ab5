package cpu

// gemmTable is what one instruction set has for products; lanes is 0 where it
// has nothing and gemmGeneric runs.
type gemmTable struct {
	lanes int // float32 in a vector
}

// panel is the width of a packed panel in columns.
func (t *gemmTable) panel() int { return 2 * t.lanes }

// gemmTile is the argument block of a kernel.
type gemmTile struct{}

func (c *gemmContext) blocked(a *gemmArgs) { gemmGeneric(a) }
