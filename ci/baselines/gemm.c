// Times the float32 matrix product of another library and prints the result as a line
// of Go benchmark text:
//
//	gemm onednn|openblas|mkl NN|NT|TN M K N SECONDS
//	gemm onednn version
//
// It computes C[M,N] = op(A) op(B), row-major, with the inner extent K. T means that
// the operand is stored transposed. The first call is untimed, and its result is
// compared with sums in float64. Then calls run for the given time. The libraries are
// loaded at run time, so building this requires only a C compiler:
//
//	cc -O2 -o gemm gemm.c -ldl -lm
//
// The libraries read the number of threads from OMP_NUM_THREADS. A oneDNN with TBB does not read it, so with oneDNN the
// process uses as many processors as that: for more than one, the first of those that it may use, which on some machines
// belong to one core. ONEDNN, OPENBLAS and MKL may name the files of the libraries: that of oneDNN, the OpenBLAS of SciPy,
// and PyTorch's libtorch_cpu.so, which contains MKL.
//
// As in our own code, the operands are on huge pages if the kernel grants them.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef int dnnl(char ta, char tb, int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda,
                 const float *b, int64_t ldb, float beta, float *c, int64_t ldc);
typedef void cblas(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda,
                   const float *b, int ldb, float beta, float *c, int ldc);

typedef void fortran(const char *ta, const char *tb, const int *m, const int *n, const int *k, const float *alpha,
                     const float *a, const int *lda, const float *b, const int *ldb, const float *beta, float *c, const int *ldc);

typedef struct {
	int major, minor, patch;
} version;

static dnnl *dnnl_sgemm;
static const version *(*dnnl_version)(void);
static cblas *cblas_sgemm;
static fortran *mkl_sgemm;
static int ta, tb;
static long m, k, n;
static float *a, *b, *c;

static void die(const char *what, const char *have, const char *need) {
	fprintf(stderr, "gemm: %s: %s, want %s\n", what, have, need);
	exit(2);
}

static void *symbol(const char *const *files, const char *name, const char *package) {
	for (; *files; files++) {
		void *library = dlopen(*files, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : NULL;
		if (found)
			return found;
	}
	die(name, dlerror(), package);
	return NULL;
}

// keep_to limits the process to the given number of its processors. If the number is 1, it stays where it is.
static void keep_to(const char *threads) {
	int left = threads ? atoi(threads) : 0;
	cpu_set_t all, some;
	if (left < 1 || sched_getaffinity(0, sizeof all, &all) || left >= CPU_COUNT(&all))
		return;
	CPU_ZERO(&some);
	if (left == 1 && sched_getcpu() >= 0)
		CPU_SET(sched_getcpu(), &some), left--;
	for (int i = 0; i < CPU_SETSIZE && left > 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &some), left--;
	sched_setaffinity(0, sizeof some, &some);
}

static void choose(const char *library) {
	if (!strcmp(library, "onednn")) {
		keep_to(getenv("OMP_NUM_THREADS"));
		const char *own = getenv("ONEDNN"), *files[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so", NULL};
		if (own)
			files[0] = own, files[1] = NULL;
		dnnl_sgemm = (dnnl *)symbol(files, "dnnl_sgemm", "oneDNN (ci/baselines/setup, and set PYTHON; Debian: libdnnl-dev)");
		dnnl_version = (const version *(*)(void))symbol(files, "dnnl_version", "oneDNN");
	} else if (!strcmp(library, "openblas")) {
		const char *scipy = getenv("OPENBLAS"), *files[] = {"libopenblas.so.0", "libopenblas.so", NULL};
		if (scipy)
			files[0] = scipy, files[1] = NULL;
		cblas_sgemm = (cblas *)symbol(files, scipy ? "scipy_cblas_sgemm" : "cblas_sgemm", "OpenBLAS (Debian: libopenblas0-openmp)");
	} else if (!strcmp(library, "mkl")) {
		const char *files[] = {getenv("MKL"), NULL};
		mkl_sgemm = (fortran *)symbol(files, "sgemm_", "MKL (PyTorch of ci/baselines/setup)");
	} else {
		die("library", library, "onednn, openblas or mkl");
	}
}

static void multiply(void) {
	long lda = ta ? m : k, ldb = tb ? k : n;
	if (dnnl_sgemm) {
		if (dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', m, n, k, 1, a, lda, b, ldb, 0, c, n))
			die("dnnl_sgemm", "have an error", "success");
	} else if (mkl_sgemm) { // columns of the transposed product
		const int rows = m, cols = n, inner = k, la = lda, lb = ldb;
		const float one = 1, zero = 0;
		mkl_sgemm(tb ? "T" : "N", ta ? "T" : "N", &cols, &rows, &inner, &one, b, &lb, a, &la, &zero, c, &cols);
	} else {
		enum { rows = 101, plain = 111, transposed = 112 };
		cblas_sgemm(rows, ta ? transposed : plain, tb ? transposed : plain, m, n, k, 1, a, lda, b, ldb, 0, c, n);
	}
}

// matrix returns size pseudo-random numbers, uniformly distributed in [-1, 1).
static float *matrix(size_t size, uint32_t seed) {
	const size_t huge = 2 << 20;
	size_t bytes = (4 * size + huge - 1) / huge * huge;
	float *x = aligned_alloc(huge, bytes);
	if (!x)
		die("memory", "have too little", "enough for the operands");
	madvise(x, bytes, MADV_HUGEPAGE); // may fail
	for (size_t i = 0; i < size; i++) {
		seed = 1664525 * seed + 1013904223;
		x[i] = (int32_t)seed * (1 / 2147483648.0f);
	}
	return x;
}

// check compares up to a thousand of the outputs with sums in float64. The error bound
// holds for any order of summation.
static void check(void) {
	size_t step = (size_t)m * n / 1000 + 1;
	if (step > 1)
		step |= 1;
	for (size_t i = 0; i < (size_t)m * n; i += step) {
		size_t row = i / n, col = i % n;
		double sum = 0, size = 0;
		for (long q = 0; q < k; q++) {
			double p = (double)a[ta ? q * m + row : row * k + q] * b[tb ? col * k + q : q * n + col];
			sum += p;
			size += fabs(p);
		}
		if (!(fabs(c[i] - sum) <= (k + 1) * 0x1p-24 * size)) {
			fprintf(stderr, "gemm: output [%zu,%zu]: have %g, want %g\n", row, col, c[i], sum);
			exit(1);
		}
	}
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
	if (argc == 3 && !strcmp(argv[1], "onednn") && !strcmp(argv[2], "version")) {
		choose(argv[1]);
		const version *v = dnnl_version();
		printf("%d.%d.%d\n", v->major, v->minor, v->patch);
		return 0;
	}
	if (argc != 7)
		die("arguments", "have a number other than six", "onednn|openblas|mkl NN|NT|TN M K N SECONDS");
	const char *trans = argv[2];
	if (strcmp(trans, "NN") && strcmp(trans, "NT") && strcmp(trans, "TN"))
		die("form", trans, "NN, NT or TN");
	ta = trans[0] == 'T', tb = trans[1] == 'T';
	m = atol(argv[3]), k = atol(argv[4]), n = atol(argv[5]);
	double seconds = atof(argv[6]);
	if (m < 1 || k < 1 || n < 1 || !(seconds > 0))
		die("extents and seconds", "have one that is not positive", "numbers above 0");
	choose(argv[1]);
	a = matrix(m * k, 1), b = matrix(k * n, 2), c = matrix(m * n, 3);
	multiply();
	check();
	double begin = now(), passed = 0;
	long calls = 0, more = 1;
	while (passed < seconds) {
		for (long i = 0; i < more; i++)
			multiply();
		calls += more;
		passed = now() - begin;
		more = fmin(9 * calls, calls * (seconds - passed) / passed + 1); // read the clock rarely
	}
	double ns = passed * 1e9 / calls;
	const char *threads = getenv("OMP_NUM_THREADS");
	printf("BenchmarkGEMM/m=%ld/k=%ld/n=%ld/trans=%s/threads=%s %ld %.1f ns/op %.2f GFLOP/s\n", m, k, n, trans,
	       threads ? threads : "all", calls, ns, 2.0 * m * n * k / ns);
}
