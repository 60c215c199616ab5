package kernel

// Operand describes one of an operation's Args.
type Operand struct {
	Name     string
	Shape    Shape
	Use      Use
	Holds    Contents
	Packed   bool // its elements are adjacent
	InPlace  bool // the first result may coincide with it
	Optional bool // may be [Absent]
}

// Use says how an operation uses an operand.
type Use uint8

// The uses.
const (
	Reads   Use = iota
	Writes      // writes every element, or some of them if the Shape is Strided0 or Table
	Updates     // reads and writes
	Scratch     // writes; the contents are undefined afterwards
)

// Contents says what kind of values an operand holds.
type Contents uint8

// The contents.
const (
	Numbers     Contents = iota
	Indices              // integers, see [Gather], [ScatterAdd], [CrossEntropy]
	Coordinates          // integers: string, time, update
	NotNegative          // numbers of at least +0
	AdamNumbers          // in the order of the constants from AdamLR to AdamEps
)

// Shape determines the extents of an operand.
type Shape uint8

// The shapes. rows and cols are the extents of the instruction, inner is the inner
// extent of a product, and N is the number of active rows.
const (
	Whole       Shape = iota // [rows, cols]
	PerRow                   // [rows, 1]
	PerCol                   // [1, cols]
	One                      // [1, 1]
	Flat                     // [1, rows*cols]
	Triples                  // [rows, 3]
	Strided0                 // [rows, (cols-1)*I0+1]; every I0-th column is used
	Strided1                 // [rows, (cols-1)*I1+1]; every I1-th column is used
	StringRows               // [N, S*W], the row form of a stack-major value
	Cell                     // [I0, N*S], one cell of every stack
	Left                     // [rows, inner], or transposed if I0 is 1
	Right                    // [inner, W], or transposed if I1 is 1
	PerBlock                 // [rows, I0]
	Blocks                   // [rows, I0*cols]
	Table                    // [K, W]
	Vocabulary               // [M, W]
	SortScratch              // [1, N+M+16]
	Scalars                  // [1, AdamScalars]
)

// Size returns the extents of an operand that has shape s in the given instruction, when
// n rows are active.
func (s Shape) Size(in *Instr, n int) (rows, cols int) {
	f := Frame{N: n}
	m, w := in.Extents(&f)
	turned := func(transposed, rows, cols int) (int, int) {
		if transposed == 1 {
			return cols, rows
		}
		return rows, cols
	}
	switch s {
	case PerRow:
		return m, 1
	case PerCol:
		return 1, w
	case One:
		return 1, 1
	case Flat:
		return 1, m * w
	case Triples:
		return m, 3
	case Strided0:
		return m, (w-1)*in.I[0] + 1
	case Strided1:
		return m, (w-1)*in.I[1] + 1
	case StringRows:
		return n, in.S * in.W
	case Cell:
		return in.I[0], n * in.S
	case Left:
		return turned(in.I[0], m, in.Inner(&f))
	case Right:
		return turned(in.I[1], in.Inner(&f), in.W)
	case PerBlock:
		return m, in.I[0]
	case Blocks:
		return m, w * in.I[0]
	case Table:
		return in.K, in.W
	case Vocabulary:
		return in.M, in.W
	case SortScratch:
		return 1, n + in.M + 16
	case Scalars:
		return 1, AdamScalars
	}
	return m, w
}

// SameShape reports whether the operation is elementwise and has one or two operands
// besides the result, all of them matrices of the instruction's extents.
func (r *Row) SameShape() bool {
	return r.Element != nil && len(r.Args) > 1 && r.Args[len(r.Args)-1].Shape == Whole
}

// Broadcasts reports whether the operation is elementwise and its second operand is
// broadcast over the extents. The operand's Shape says whether it is one number, a
// row or a column.
func (r *Row) Broadcasts() bool { return r.Element != nil && len(r.Args) == 3 && !r.SameShape() }

// CanGroup reports whether a [Group] may contain the operation.
func (r *Row) CanGroup() bool { return r.Element != nil && r.Grouped }
