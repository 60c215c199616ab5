package papers

import (
	"slices"
	"strings"
)

// A Reading is one of several ways to read what a paper leaves open, each of which a careful reader could
// choose. A number that has readings is judged under each of them; see package verdict.
type Reading struct {
	Label   string   // a few words
	Choices []Choice // one for each point that the number leaves open
	// Groups has the names of the rows that stand for the reading, as in Number.Group. The first that has runs
	// counts. The last may be a row that stands for it until others have been run.
	Groups []string
}

// A Choice is what a reading takes of a point that a paper leaves open. Readings of different numbers go
// together if they choose the same wherever both choose.
type Choice struct{ Point, Option string }

// Readings returns the readings of a number, the most plausible first. It returns nil if there is one, which
// is the row that Number.Group names. There are five points for which a paper offers several. Readings of the first two were
// fixed before the runs that they judge, those of the others after first runs of each:
//
//   - diffstk, tables 1 to 4 and 6 to 8, stacks. The paper takes the training settings of Joulin and Mikolov, whose table 2 has ten stacks, and
//     searches settings by validation loss (section 5.1), so the number of stacks is searched, too. But equations 4 to 7
//     and figure 1 show one. Rows of tables 6 to 8 have the settings that the search has chosen for table 1, because the
//     columns of a table must have the same.
//   - diffstk, table 4, palindromes. The paper does not say which. They may have a marker in the middle and the same
//     letters in both halves, as the word palindrome suggests; or, as in two sources that the paper cites for
//     its task, letters of their own in the second half, with a marker or without one. See formal.Palindrome.
//   - resurgence, words. The paper does not say how word embeddings start. Normal(0, 1) is a default of
//     today's frameworks, and uniform(-0.1, 0.1) is common in programs for this text.
//   - resurgence, words, dropout. "To the hidden state before passing it through the softmax" can mean that the state which is passed on
//     is the one with dropout, or that it is not.
//   - resurgence, characters. The paper does not say whether the first character of a sentence and the line end are
//     predicted. A program that passes s[:-1] to a network and compares with s[1:] predicts neither. On words the second is not tried: line ends are among the
//     82,430 words of the test text as everyone counts them.
//
// Equation 1 of diffstk is no reading yet, because only three networks have been run with it, on D2.
func (c Number) Readings() (list []Reading) {
	q := c.Quantity
	switch {
	case c.Paper == "resurgence" && c.Table == "2" && c.Metric == "ce_nats":
		for _, d := range []struct{ option, task string }{{"dropout before the softmax", ""}, {"dropout of the state passed on", "carried-dropout"}} {
			for _, e := range []struct{ option, task string }{{"embeddings normal(0, 1)", ""}, {"embeddings uniform(-0.1, 0.1)", "small-embedding"}} {
				r := Reading{e.option, []Choice{{"embeddings", e.option}, {"dropout", d.option}}, []string{c.Group()}}
				if d.task != "" {
					r.Label += " and " + d.option
				}
				if task := strings.Trim(e.task+"-"+d.task, "-"); task != "" {
					r.Groups[0] += "/task=" + task
				}
				list = append(list, r)
			}
		}
		return list
	case c.Paper == "resurgence" && c.Metric == "bpc":
		return []Reading{
			{"with first characters and line ends", []Choice{{"ends", "with first characters and line ends"}}, []string{c.Group()}},
			{"without them", []Choice{{"ends", "without first characters and line ends"}}, []string{c.Group() + "/task=without-ends"}},
		}
	case c.Paper != "diffstk" || c.Table == "5" || q.Unit == "":
		return nil
	}
	// row returns the name of the row with settings of a search.
	row := func(task string) string {
		if strings.Contains(c.Group(), "/task=") { // with noise alone, say
			return c.Group() + "-" + task
		}
		return c.Group() + "/task=" + task
	}
	type language struct{ label, task, before string }
	languages := []language{{"searched", "", c.Group()}}
	if c.Table == "4" {
		languages = []language{{"P1", "", c.Group()}, {"P2", "mapped-", ""}, {"P3", "mapped-unmarked-", ""}}
	}
	for _, l := range languages {
		searched := row(l.task + "searched")
		reading := func(label, stacks string, groups ...string) {
			if l.before != "" {
				groups = append(groups, l.before)
			}
			r := Reading{Label: l.label + label, Groups: groups}
			if stacks != "" {
				r.Choices = append(r.Choices, Choice{"stacks", stacks})
			}
			if c.Table == "4" {
				r.Choices = append(r.Choices, Choice{"palindromes", l.label})
			}
			list = append(list, r)
		}
		if slices.Contains(severalStacks, c.Row) {
			reading("", "searched", row(l.task+"searched-stacks10"), searched)
			reading(" with one stack", "one stack", searched)
		} else {
			reading("", "", searched)
		}
	}
	return list
}

// severalStacks has the networks of the paper diffstk that may have several stacks.
var severalStacks = []string{"stack-rnn", "diffstk-rnn", "diffstk-lstm", "diffstk-mrnn", "diffstk-mlstm", "diffstk-mirnn"}
