// Package metric computes the figures that the papers report of a trained model:
// long-distance and worst-case prediction accuracy of closing brackets, mean
// cross-entropy with its derived perplexity and bits per character, accuracies,
// the lengths up to which a pattern is predicted, and the share of strings that a
// network recognises ([Recognition]). Each is an accumulator over a split: add the
// rows batch by batch, then read. None allocates per row.
//
//	ldpa := metric.NewLDPA(metric.Paper, longest)
//	ldpa.AddBatch(distances, probTrue, probAll)   // or Add, AddRow
//	worst, err := ldpa.Worst(1)                   // the WCPA: worst.Percent()
//	ldpa.Counts()                                 // the LDPA of each distance, with its cases
//
// # LDPA and WCPA
//
// At each closing bracket of a split, the model's probability of the right type
// among all types of closing brackets is p = probTrue/probAll, and d is the
// number of positions back to the opening bracket. LDPA(d) is the share of the
// closing brackets at distance d with p >= 0.8. WCPA is the lowest LDPA(d) over
// the distances that occur; no number of cases is too small for it in the paper,
// so that single rare distances decide, and the count stands beside every share.
// Worst takes a least number of cases for those who want one. A bracket whose
// quotient is no number is a fault of the model: Worst is an error then.
//
// The public code of the metric's authors differs in three ways: the comparison
// is strict (PublicCode); it looks at every position with an open bracket,
// whether or not a closing one follows; and it counts distances from the last
// token read, 0, 2, 4 ... (formal.Pending lists these positions). The package
// follows the paper.
//
// # Lengths
//
// A length n counts as right if every scored string of it is, and a string if
// every symbol of it is predicted that follows from those before ([Lengths]).
// stack-rnn reports the lengths of 1 to 60 that are right, in per cent: all its
// figures are multiples of a sixtieth. Its program tests 2 to 59 and prints, for
// each, the share of the strings; both can be read from the same counts.
//
// # Exactness
//
// The comparison never divides. A threshold is a fraction of two small integers,
// and p >= 4/5 is decided as 5*probTrue >= 4*probAll in float64, where both
// products of float32 probabilities are exact: the outcome is that of real
// numbers, without a rounding that another machine or order might do otherwise.
// Counts are integers, and WCPA compares fractions by cross-multiplication; so
// these figures do not depend on the order of the rows.
//
// Cross-entropy does: it is the float64 sum of the float32 row losses in the
// order of the rows. Perplexity comes from numeric.Exp64, and assertions belong
// on the mean in nats.
//
// # Recognition
//
// [diffstk] calls a string classified correctly without saying how often the
// network is asked, and its numbers fit none of its sentences: on a balanced set a
// coin gets 50, and even a perfect judge of prefixes misses the strings that go
// wrong late, whose mean looks valid. Recognition counts four readings at once, and
// a stricter form of the last; its comment states them.
//
// # Principal angles
//
// [PrincipalCosines] compares the matrices of two cells, or of any two maps, by the
// angles between the spaces of their columns, in float64.
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
