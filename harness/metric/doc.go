// Package metric computes the metrics that the papers report for a trained model:
// long-distance and worst-case prediction accuracy of closing brackets, mean
// cross-entropy and the perplexity and bits per character derived from it, accuracies,
// the lengths up to which a pattern is predicted, and the share of strings that a
// network classifies correctly ([Recognition]). Each of these is an accumulator over a
// split: add its rows, then read the result. None allocates per row.
//
//	ldpa := metric.NewLDPA(metric.Paper, longest)
//	ldpa.AddRow(distance, closes, want)           // for each closing bracket
//	worst, err := ldpa.Worst(1)                   // the WCPA: worst.Percent()
//	ldpa.Counts()                                 // the LDPA of each distance, with its cases
//
// # LDPA and WCPA
//
// At each closing bracket of a split, p = probTrue/probAll is the probability that the
// model gives to the right type among all types of closing brackets, and d is the
// number of positions back to the opening bracket. LDPA(d) is the share of the closing
// brackets at distance d with p >= 0.8. WCPA is the lowest LDPA(d) over the distances
// that occur. The paper sets no minimum number of cases, so a single rare distance can
// decide WCPA; Counts therefore reports the number of cases with every share, and
// Worst accepts a minimum. If p is not a number at some bracket, the model is broken
// and Worst returns an error.
//
// The public code of the metric's authors differs from the paper in three ways. Its
// comparison is strict (PublicCode). It evaluates every position with an open
// bracket, whether or not a closing one follows. And it counts distances from the
// last token read: 0, 2, 4 ... (formal.Pending lists these positions). This package
// follows the paper.
//
// # Lengths
//
// A string is right if every symbol that its prefix determines is predicted correctly.
// A length n is right if every scored string of length n is right ([Lengths]).
// The paper stack-rnn reports the percentage of the lengths 1 to 60 that are right,
// so all its figures are multiples of 1/60. The paper's program tests the lengths 2
// to 59 and prints, for each length, the share of the strings that are right. The
// counts of [Lengths] give both figures.
//
// # Exactness
//
// The comparison never divides. p >= 4/5 is evaluated as 5*probTrue >= 4*probAll in float64. Sums of probabilities are
// rounded in float64, from the first to the last; the products add no rounding. Counts are
// integers, and WCPA compares fractions by cross-multiplication, so these figures do
// not depend on the order of the rows.
//
// Cross-entropy does depend on the order: it is the float64 sum of the float32 row
// losses in row order. Perplexity comes from numeric.Exp64; tests should assert on the
// mean in nats.
//
// # Recognition
//
// The paper [diffstk] does not say at which steps a network must be right for a string
// to count as classified correctly. The numbers that it prints fit none of the rules
// that it describes. On a balanced set, chance gives 50 per cent. If the estimates of
// all steps are averaged, even a perfect judge of prefixes misclassifies the strings
// that go wrong late, because most of their prefixes are viable. Recognition counts by
// four readings of the phrase, and by a stricter form of the last reading; see its
// documentation.
//
// # Principal angles
//
// [PrincipalCosines] compares the matrices of two cells, or of any two linear maps, by
// the angles between their column spaces, in float64.
//
// # References
//
// A. Mali, A. Ororbia, D. Kifer, C. L. Giles, "Recognizing long grammatical
// sequences using recurrent networks augmented with an external differentiable
// stack", 2020 [diffstk]. M. Suzgun, S. Gehrmann, Y. Belinkov, S. Shieber,
// "Memory-augmented recurrent neural networks can learn generalized Dyck
// languages", 2019, and its public code [marnns].
//
// J. Hewitt, M. Hahn, S. Ganguli, P. Liang, C. Manning, "RNNs can generate
// bounded hierarchical languages with optimal memory", EMNLP 2020.
package metric
