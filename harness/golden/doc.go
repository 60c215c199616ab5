// Package golden stores the results of experiments in golden files and compares
// later runs with them.
//
// It answers two separate questions about a run. First, are its numbers and digests
// exactly those of the golden file? If so, the implementation is unchanged. Any
// difference fails the test, even an improvement. Second, do the runs predict the
// values that the paper printed? The golden file records the answer, and only a
// change of the answer fails the test.
//
// # Use
//
// A test runs its experiments, fills in a Run, and calls Check with the golden file
// golden/<suite>/<scale>.txt (paper-scale.txt at scale paper, see Path) and
// verdict.Rules. With -update "reason" (see Flag), Check rewrites the file instead:
// the rows of the run replace the golden rows of the same name. All other golden
// rows stay, unless Run.Complete is set. The documentation of UpdateFile lists the
// updates that it refuses.
//
// The result of a run can be stored and read back later, so that the run need not be
// repeated. To store it, make a Run with this result alone, and with the result of the
// function Here as its entry in Run.Origins. Run.File and Format then give the text. To
// read the result back, call Parse, which returns the row, the trajectory and the
// Provenance. Then add the row to a Run and its origin to Run.Origins. Reports then say
// that the row was read back, and an update of the golden file keeps its origin.
//
// # The file
//
// A golden file is benchmark text, so benchstat reads it as a column. Run.File
// gives the text for the column of a run:
//
//	go tool benchstat -table suite -row .name,/paper,/table,/section,/row,/task -ignore /seed \
//		golden=golden/dyck/ci.txt run=run.txt
//
// Below is an example of a golden file. The first two lines, the Unit lines and the
// Benchmark lines are in the benchmark format. benchstat skips all other lines, because they
// start with a capital letter.
//
//	suite: dyck
//	scale: ci
//
//	Provenance 1 commit=0123456789ab machine="linux/amd64 ..." date=2026-01-31 contract=1 reason="first run"
//
//	Unit params better=lower assume=exact
//	Unit test-wcpa-% better=higher
//	Tolerance params abs=0 reason="equal bits"
//	Tolerance test-wcpa-% abs=0 reason="equal bits"
//
//	From 1
//	BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1 5 params 100 test-wcpa-%
//
//	From 1
//	Trajectory paper=resurgence/table=2/row=dyck-m4/seed=1 update=1 sha256=<64 digits>
//	Trajectory paper=resurgence/table=2/row=dyck-m4/seed=1 update=1000 sha256=<64 digits> valid-loss=0x1.8p-03
//	Trajectory paper=resurgence/table=2/row=dyck-m4/seed=1 update=end sha256=<64 digits> state=<64 digits>
//
//	Verdict [resurgence:2:dyck-m4:wcpa_percent:test] matches published=100 half=0.5 n=10 mean=100 sd=0 of=1 low=100 high=100 margin=0.5 width=20
//
//	Claim R07 holds draws=10000 true=10000
//
// The sections have this order, and each section is sorted: names are compared part
// by part, with numbers in numeric order, and everything else bytewise. A From line
// has the number of the Provenance line that applies to the lines below it, up to the
// next From line or the end of the section. Every seed has its own row.
// Values are decimals in shortest form. Numbers along a trajectory, such as
// validation losses, are hexadecimal floats, or decimals in digest files. Both
// forms read back bit for bit. NaN and infinities are refused. Every unit has a
// Unit line and a Tolerance line.
//
// Read accepts exactly the text that Write writes. It refuses other text that would
// mean the same, such as text with comments, doubled blanks, or 1e2 for 100. So an
// update never drops anything that was added by hand, and two files have the same
// content if and only if they have the same text.
//
// A trajectory without a point update=end is a prefix of a run. If the golden
// trajectory is longer, only the points of the prefix are compared.
//
// # The scale of the paper
//
// At scale paper the file is golden/<suite>/paper-scale.txt. Its trajectories are
// thinned and stored in the folder golden/<suite>/digests, in one file for each table,
// section and figure of a paper, such as resurgence-table2.txt. Each run has
//
//   - the digests of the first point, of each power of ten, of each validation that changes
//     the learning rate, of the best parameters, and of the end. The first validation of
//     the parameters that the run returns is kept, too. Each digest has its state and its
//     numbers, if any;
//   - the number of all points, and one SHA-256 over the text of all points. The
//     text of a point is the part of its Trajectory line after the name, from
//     update= to the newline (Trajectory.Thin);
//   - the validation curve: the updates of the validations, and their losses to six
//     digits. The curve needs no learning rates, because the learning rate changes
//     only at points that are kept.
//
// A run is compared first with the kept points, and then with the SHA-256 of all points. A
// difference shows only between which two kept points the divergence begins. To find the
// exact update, compare with a new run of the program that made the golden file. A run that
// is a prefix is compared with the kept points alone.
//
//	suite: recognition
//	scale: paper
//	table: diffstk-table1
//
//	From 61
//	Group paper=diffstk/table=1/row=gru
//	Seed 1
//	1 <64 digits>
//	...
//	7780 <digest> <state> 0.001 0.5683
//	23340 <digest> <state> 0.0001 0.5326
//	best =23340
//	end =23340 =23340
//	points 37 <64 digits>
//	curve every=778 0.5969 0.588 0.5781 ... -
//
// The two numbers of a validation are the learning rate after it and its loss.
// =23340 stands for the digest or state of update 23340 above, and - stands for the
// loss of a point that is kept. From refers to a Provenance line of
// paper-scale.txt.
//
// Read reads paper-scale.txt and the digest files, and refuses rows without digests
// and digests without rows. Write and UpdateFile write the digest files that
// change, then paper-scale.txt. A process that reads the files in between may find
// a From line without its Provenance line.
//
// Before its first change, an update writes all new texts to the journal
// .paper-scale.txt.journal. If it is interrupted, some files are old and some are new.
// Read then returns an error that says so, and the next update, of whatever rows, first
// completes the interrupted one. It refuses to do that if one of the files has
// neither the text from before the update nor that from after it. Remove the journal to give
// up the update; to restore the files with git is not enough.
//
// # Tolerances
//
// A Tolerance is abs=, rel= or any, with the reason for it. For wall time it is any. It is
// zero for all values to which the numeric contract applies, because their bits must match.
//
// # Verdicts
//
// Rules, normally those of package verdict, decide the verdicts. This package
// treats verdicts as text: it stores them, and Compare reports outcomes that
// change. Verdicts on wall time are recorded but not compared. Compare also derives
// the verdicts of the golden file from the file's own rows, so it finds a verdict
// that was edited by hand, even if none of its rows ran.
//
// # Limits
//
// A file is read into memory. It may have up to 64 MiB, and its lines up to 4 KiB.
package golden
