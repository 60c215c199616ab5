// Package golden keeps what experiments came out as, and says when they come
// out otherwise.
//
// Two questions are asked of a run, and never mixed. Exact: are its numbers
// and digests those of the golden file, that is, did the implementation
// change? A difference fails the test, an improvement like any other.
// Reproduced: do our seeds predict what the paper printed? The answer is
// recorded; only a change of the answer fails the test.
//
// # Use
//
// A test runs its experiments, fills in a Run, and calls Check with the golden
// file golden/<suite>/<scale>.txt (paper-scale.txt at scale paper, see Path) and
// verdict.Rules. With -update "reason" (see Flag) Check rewrites the file instead: rows that ran
// replace their predecessors, everything else stays. UpdateFile lists what it
// refuses to do.
//
// A result can be kept and read back instead of run again. A Run of it alone, with
// Here as its origin, gives the text by File and Format; Parse returns the row, the
// trajectory and the Provenance. A Run with that origin in Origins says of the row
// read back, never run, and an update keeps the origin.
//
// # The file
//
// A golden file is benchmark text, so that benchstat reads it as a column
// (verdict.WritePublished makes the one of the paper, Run.File the one of a run):
//
//	go tool benchstat -table suite -row .name,/paper,/table,/section,/row,/task -ignore /seed \
//		paper=paper.txt golden=golden/dyck/ci.txt run=run.txt
//
// Lines that are not benchmark text are ours; they start with a capital letter,
// which benchstat skips (a "key: value" line would become configuration, and
// keys on Unit lines would be shared by all files read together).
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
// Sections come in this order, each sorted: names part by part with numbers as
// numbers, everything else bytewise. From says which Provenance line the rows
// below it come from. Every seed has its row. Values are decimals in shortest
// form, decisions along a trajectory hexadecimal floats (in digest files decimals),
// so both survive
// reading and writing bit for bit. NaN and infinities are refused. Every unit
// has a Unit line and a Tolerance line.
//
// Read takes exactly what Write writes, and nothing that only means the same:
// no comment, no second blank, no 1e2 for 100. So an update never loses what
// somebody put in by hand, and two files differ in text if and only if they
// differ in content.
//
// A trajectory without a point update=end is the prefix of a run. Compared
// with a golden trajectory that goes on, it must agree as far as it goes.
//
// # The scale of the paper
//
// At scale paper the file is golden/<suite>/paper-scale.txt, and trajectories are
// thinned and lie beside it, in golden/<suite>/digests: a file for each table,
// section and figure of a paper, such as resurgence-table2.txt. Of a run they have
//
//   - the digests of the first update, of each power of ten, of each validation
//     that changes the learning rate, of the best, of the validation that found the
//     result, and of the end, each with its state and its decision, if any;
//   - the number of all points and one SHA-256 over the text of all: of each
//     point what its Trajectory line would have behind the name, from update= to the
//     newline, in order (Trajectory.Thin);
//   - the validation curve, an update and a loss of six digits each. The learning
//     rate changes at the updates kept.
//
// A run is compared with the points kept, then with the SHA-256 of all. So a
// divergence is found to within a decade of updates, or between two cuts, and
// located by running again. A prefix is compared with the points kept as far as it
// goes.
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
// The two numbers of a validation are the learning rate after it and its loss. =
// refers to the same digest or state at an earlier update of the run, and - to the
// loss of an update kept. From counts the Provenance lines of paper-scale.txt.
//
// Read reads both and refuses rows without digests and the reverse. Write and
// UpdateFile write the digest files that change, then paper-scale.txt; in between a
// reader finds a From that no Provenance line has.
//
// # Tolerances
//
// A Tolerance is abs=, rel= or any, with the reason it follows from. Zero
// where bits must match, and they must wherever the numeric contract holds;
// any for wall time.
//
// # Verdicts
//
// What a verdict is follows from Rules, those of package verdict. Here verdicts are
// text: a file keeps them, and Compare reports an outcome that changes. Verdicts on
// wall time are recorded but not compared. Compare also derives the verdicts of the
// file from its own rows, so an edited one is found whatever ran.
//
// # Limits
//
// A file is read whole and may have 64 MiB in lines of 4 kB.
package golden
