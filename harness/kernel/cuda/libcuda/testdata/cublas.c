// A stand-in for libcublas in tests. It multiplies column-major matrices in the memory
// of the stand-in for libcuda, which is host memory.
#include <stddef.h>

static int context;
int cublasCreate_v2(void **h) { *h = &context; return 0; }
int cublasDestroy_v2(void *h) { return h == &context ? 0 : 1; }
int cublasSetMathMode(void *h, int mode) {
	static int was;
	if (h != &context || mode != 0 && mode != 3 || mode == was) return 7;
	was = mode;
	return 0;
}
int cublasSgemm_v2(void *h, int ta, int tb, int m, int n, int k, const float *alpha, const float *a, int lda, const float *b, int ldb,
                   const float *beta, float *c, int ldc) {
	if (h != &context || *alpha != 1 || *beta != 0 || lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m) return 7;
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			float s = 0;
			for (int l = 0; l < k; l++) s += a[ta ? (size_t)i * lda + l : (size_t)l * lda + i] * b[tb ? (size_t)l * ldb + j : (size_t)j * ldb + l];
			c[(size_t)j * ldc + i] = s;
		}
	return 0;
}
