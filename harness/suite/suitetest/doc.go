// Package suitetest holds a suite against what every suite must show.
//
//	func TestSuite(t *testing.T) { suitetest.Run(t, &Suite, shrunken) }
//
// [Run] has these subtests:
//
//	Trajectory   small runs of every cell under every protocol keep the numeric contract
//	Interpreter  the first updates of the same, by the GPU's kernels on an interpreter
//	Prefix       the first updates of every row at paper scale
//	Golden       the golden files have every row, and no other
//	Verdicts     the verdicts follow from the golden rows
//	Trained      kept parameters measure as their golden rows say
//	Traces       kept traces are of the golden rows and agree with them
//	Figures      the figures are drawn of the kept traces as they stand there
//	Names        no two rows have one name
//	Hashes       the hash of an experiment does not depend on the names of its fields
//	Kill         runs that are killed end in the bits of runs that are not
//
// With -update Trajectory, Prefix, Verdicts, Figures and Hashes rewrite what they
// compare with.
package suitetest
