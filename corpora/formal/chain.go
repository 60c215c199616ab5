package formal

// Chain is the exact distribution of the sampler's strings, as a Markov chain over states (n
// brackets drawn, d of them open). The types of the brackets need no place in the states: the
// type of an opening bracket is uniform, and that of a closing bracket is the type of its opening
// bracket. The chain is given by three functions:
//
//	up(n,d)    probability that the sampler opens a bracket in state (n,d), where END is redrawn if n < Min
//	live(n,d)  probability that a string that has reached (n,d) is kept
//	seen(n,d)  probability that a drawn string reaches (n,d), whether it is kept or not
//
// A kept string reaches (n,d) with probability seen(n,d)*live(n,d)/live(0,0). In that state it
// continues with an opening bracket with probability up(n,d)*live(n+1,d+1)/live(n,d). No
// predictor can do better than to answer with this probability, which takes into account that
// strings that are too long were discarded.
type Chain struct {
	lang BoundedDyck
	most int       // brackets of the longest string
	live []float64 // (most+1) x (m+1), row-major, n before depth
	seen []float64
}

// Chain computes the chain of the language.
func (d BoundedDyck) Chain() (*Chain, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	most := (d.Max - 1) / 2 * 2
	c := &Chain{lang: d, most: most, live: make([]float64, (most+1)*(d.M+1)), seen: make([]float64, (most+1)*(d.M+1))}
	for n := most; n >= 0; n-- {
		for depth := range d.M + 1 {
			up := c.up(n, depth)
			stay := 1 - up // END at depth 0, else a closing bracket
			if depth > 0 {
				stay = float64(stay * c.at(c.live, n+1, depth-1))
			}
			c.live[c.index(n, depth)] = stay + float64(up*c.at(c.live, n+1, depth+1))
		}
	}
	c.seen[0] = 1
	for n := range most {
		for depth := range d.M + 1 {
			seen, up := c.at(c.seen, n, depth), c.up(n, depth)
			if up > 0 {
				c.seen[c.index(n+1, depth+1)] += float64(seen * up)
			}
			if depth > 0 {
				c.seen[c.index(n+1, depth-1)] += float64(seen * (1 - up))
			}
		}
	}
	return c, nil
}

func (c *Chain) index(n, depth int) int { return n*(c.lang.M+1) + depth }

// at returns the entry of a table for the state (n, depth). It returns zero for states
// outside the table, which no kept string reaches.
func (c *Chain) at(table []float64, n, depth int) float64 {
	if n > c.most || depth > c.lang.M {
		return 0
	}
	return table[c.index(n, depth)]
}

// up returns the probability that the sampler draws an opening bracket in the state (n,
// depth).
func (c *Chain) up(n, depth int) float64 {
	switch {
	case depth == c.lang.M:
		return 0
	case depth == 0 && n < c.lang.Min:
		return 1
	}
	return 0.5
}

// Opens returns the probability that a kept string continues with an opening bracket of
// any type in the state (n, depth). Otherwise the string continues with END at depth 0 and
// with the matching closing bracket at other depths. Opens returns NaN for states that no
// kept string reaches.
func (c *Chain) Opens(n, depth int) float64 {
	return float64(c.up(n, depth)*c.at(c.live, n+1, depth+1)) / c.at(c.live, n, depth)
}

// reached returns the probability that a kept string reaches a state.
func (c *Chain) reached(n, depth int) float64 {
	return float64(c.at(c.seen, n, depth)*c.at(c.live, n, depth)) / c.live[0]
}
