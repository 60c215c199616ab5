// Package golden stores the results of experiments in golden files and compares
// later runs with them.
//
// A golden file has facts alone: the values and digests of runs, and where they come from. A run
// must repeat them exactly; any difference fails the test, even an improvement. What follows from
// the facts for the numbers and claims of a paper is not stored: package verdict derives it.
//
// # Use
//
// A test runs its experiments, fills in a Run, and calls Check with the path of the golden file.
// With -update "reason" (see Flag), in a program built with -buildvcs=true, Check rewrites the file instead:
// the rows of the run replace the golden rows of the same name. All other golden
// rows stay, unless Run.Complete is set. The documentation of UpdateFile lists the
// updates that it refuses. A row that was read back from a stored result brings its Origin
// with it, which an update keeps.
//
// The results of a suite are in the folder golden/<suite>: those at scale ci in ci.txt, and those
// at scale paper in a file for each table, section and figure of a paper, such as
// resurgence-table2.txt ([Name.File]). Run.Files divides a run among these files, and ReadScale reads them
// all. Each file is written atomically, and no file refers to another. So an interrupted update leaves
// the old or the new text of each file, and the same update completes it.
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
// Benchmark lines are in the benchmark format, and benchstat skips all other lines.
//
//	suite: dyck
//	scale: paper
//
//	Unit params better=lower assume=exact
//	Unit test-wcpa-% better=higher
//	Unit train-min better=lower clock=true
//
//	From commit=0123456789ab machine="linux/amd64 ..." date=2026-01-31 contract=1 reason="first run"
//	BenchmarkTrain/paper=resurgence/table=2/row=dyck-m4/seed=1 1 5 params 100 test-wcpa-% 0.5 train-min
//	1 <digest>
//	1000 <digest> <state> lr=0.001 valid-loss=0.5683
//	best <digest>
//	end <digest> <state>
//	points 37 <digest>
//	curve every=500 0.5969 0.5683 0.5781
//
// Runs are sorted: names are compared part by part, with numbers in numeric order. Every seed has
// its own row. Below a row are the digests of its run: after an update, or of the best parameters
// or at the end. Each line has the SHA-256 of the parameters, then that of the optimizer, schedule and counters
// if the run was saved there, then numbers such as losses. A run without values has a line "Run <name>" in
// place of its row.
//
// A From line says where the lines below it come from, up to the next From line. The digests of a run have
// one of their own if its values were measured again later.
//
// Values are decimals in shortest form, which read back bit for bit. NaN and infinities are
// refused. A unit with clock=true is wall time and is not compared. Every unit has a Unit line.
//
// Read accepts exactly the text that Format returns. It refuses other text that would
// mean the same, such as text with comments, doubled blanks, or 1e2 for 100. So an
// update never drops anything that was added by hand, and two files have the same
// content if and only if they have the same text.
//
// A trajectory without a point end is a prefix of a run. If the golden
// trajectory is longer, only the points of the prefix are compared.
//
// # Thinned trajectories
//
// At scale paper, a file does not have all digests of a run (Trajectory.Thin). It has
//
//   - the digests of the first point, of each power of ten, of each validation that changes
//     the learning rate, of the best parameters, and of the end. The first validation of
//     the parameters that the run returns is kept, too;
//   - the number of all points, and one SHA-256 over the text of all points (Point.text);
//   - the validation curve: the updates of the validations, and their losses to six
//     digits. The curve needs no learning rates, because the learning rate changes
//     only at points that are kept.
//
// A run is compared first with the kept points, and then with the SHA-256 of all points. A
// difference shows only between which two kept points the divergence begins. To find the
// exact update, compare with a new run of the program that made the golden file. A run that
// is a prefix is compared with the kept points alone.
//
// # Limits
//
// A file is read into memory. It may have up to 64 MiB, and its lines up to 4 KiB.
package golden
