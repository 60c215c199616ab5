package stepgraph

import (
	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// random holds dropout and noise. The attributes I[0] and I[1] hold the key of a random
// stream. The second input holds three numbers for each row: the index of the string, the
// time step and the number of the update. A random number depends on these three numbers
// and on its column, but not on the position of the row in the batch. The stream consists
// of blocks of four words, one for each [rng.At]. Column j uses word j%4 of the block
// whose Unit is j/4.
var random = map[Kind]rule{
	Dropout: {row: &kernel.Ops[kernel.Dropout], arity: 2, ints: 2, reals: 1, noGrad: 1 << 1, shape: siteShape,
		doc: "x times 1/(1-F0) with probability 1-F0, else 0; the key is I0, I1, the second input holds the coordinates [B, 3]",
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Dropout, I: o.I, F: o.F, Name: o.Name}, g, in[1]), nil}
		},
		do: func(o *Op, in []Mat, out Mat) {
			keep := 1 / (1 - o.F[0])
			for i, x := range in[0].Data {
				if u := rng.Unit(o.draw(in[1], i/out.Cols, i%out.Cols)); float64(u) >= o.F[0] {
					out.Data[i] = x * keep
				}
			}
		}},
	Noise: {row: &kernel.Ops[kernel.Noise], arity: 2, ints: 2, reals: 2, noGrad: 1 << 1, shape: siteShape,
		doc: "x + F0 + F1 times a standard normal; the key is I0, I1, the second input holds the coordinates [B, 3]",
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, nil}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, x := range in[0].Data {
				z := rng.StandardNormal(o.draw(in[1], i/out.Cols, i%out.Cols))
				out.Data[i] = x + (o.F[0] + o.F[1]*float64(z))
			}
		}},
}

// draw returns the random word of row r, column c.
func (o *Op) draw(coord Mat, r, c int) uint32 {
	block := rng.FromKey([2]uint32{uint32(o.I[0]), uint32(o.I[1])}).Block(rng.At{
		Unit: uint32(c / 4), Row: uint32(int32(coord.At(r, 0))), T: uint32(int32(coord.At(r, 1))), Update: uint32(int32(coord.At(r, 2))),
	})
	return block[c%4]
}

func siteShape(o *Op, in []Shape) (Shape, error) {
	return in[0], want(in[1] == Shape{in[0].Rows, 3}, "want coordinates of %v", Shape{in[0].Rows, 3})
}
