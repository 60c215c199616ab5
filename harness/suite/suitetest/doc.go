// Package suitetest has the tests that every suite must pass.
//
//	func TestSuite(t *testing.T) { suitetest.Run(t, &Suite, shrunken) }
//
// [Run] has these subtests:
//
//	Trajectory   small runs of every cell under every protocol keep the numeric contract
//	Interpreter  the GPU's kernels, interpreted on the CPU, give the same first updates
//	Seed         runs use their seeds
//	Prefix       the first updates of every row at paper scale are unchanged (one update, and more
//	             for a row of each kind and with the long checks), and the schedule gives
//	             the course of every golden run
//	Golden       the golden files have every row of the suite and no others, without contradictions
//	Trained      kept parameters give the values of their golden rows
//	Traces       kept traces belong to golden rows and agree with them
//	Figures      the figures in the repository are those of the kept traces
//	Readings     each table with a value that differs has a text on what was tried
//	Names        all tables have their tests, all rows different names
//	Settings     seeds and settings of every row at paper scale are unchanged
//	Hashes       the hashes of experiments are unchanged
//	Kill         runs that are killed and resumed end in the same bits as others
//
// With -update, the tests Trajectory, Prefix, Figures, Settings and Hashes rewrite
// the files that they compare with.
package suitetest
