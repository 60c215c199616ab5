package papers

import "testing"

// TestShapesHaveEveryCell checks the shapes, which say how a page of results lays out the
// tables. Each table in which something is measured must have a shape with exactly one
// column for each number. No row may have two numbers in the same column.
func TestShapesHaveEveryCell(t *testing.T) {
	type table struct{ paper, number string }
	shapes := make(map[table]Shape)
	for _, s := range Shapes() {
		if _, twice := shapes[table{s.Paper, s.Table}]; twice || s.Title == "" || len(s.Labels) == 0 {
			t.Errorf("shape of table %s of %s: have it twice, or without title or labels", s.Table, s.Paper)
		}
		shapes[table{s.Paper, s.Table}] = s
	}
	measured := make(map[table]bool)
	for _, c := range Published().Numbers {
		if c.Quantity.Unit != "" {
			measured[table{c.Paper, c.Table}] = true
		}
	}
	used := make(map[string]bool)
	rows := make(map[string]string) // the number in each row and column
	for _, c := range Published().Numbers {
		at := table{c.Paper, c.Table}
		if !measured[at] {
			continue
		}
		found := 0
		for _, col := range shapes[at].Columns {
			for _, of := range col.Candidates {
				if of != c.Metric+":"+c.Stat {
					continue
				}
				found++
				used[c.Paper+c.Table+of] = true
				place := c.Paper + c.Table + c.Row + col.Head
				if other, twice := rows[place]; twice {
					t.Errorf("column %s has both %s and %s, want one a row", col.Head, other, c.Key)
				}
				rows[place] = c.Key.String()
			}
		}
		if found != 1 {
			t.Errorf("%v: have %d columns in the shape of its table, want 1", c.Key, found)
		}
	}
	for at, s := range shapes {
		for _, col := range s.Columns {
			for _, of := range col.Candidates {
				if !used[at.paper+at.number+of] {
					t.Errorf("table %s of %s: column %s has %s, want a cell that is printed", at.number, at.paper, col.Head, of)
				}
			}
		}
	}
}
