// Sums along a row, in blocks of 4096 elements. The sum of a block consists of 64 partial
// sums, which are folded by halves.
#include "device.h"

// y[r*ldy+b] = sum of round(x[r][b*n+i]*z[r][i]) over i. 64 threads compute each sum.
KERNEL(64) rowdot(float *y, const float *x, const float *z, int n, int ldy, int ldx, int ldz) {
  SHARED float p[partials];
  const int r = BLOCK, b = BLOCK_Y, t = THREAD;
  const float *u = at(x, r, ldx, 0) + (long)b * n, *v = at(z, r, ldz, 0);
  float sum = rowSum(p, t, n, [&](long i) __attribute__((device)) { return u[i] * v[i]; });
  if (t == 0) *at(y, r, ldy, b) = sum;
}

// rowdot8 computes the same for n <= 8. There are rows*parts sums, and one thread computes
// each of them.
KERNEL(256) rowdot8(float *y, const float *x, const float *z, int n, int ldy, int ldx, int ldz, int rows, int parts) {
  const int b = BLOCK * THREADS + THREAD;
  if (b >= parts) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const float *u = at(x, r, ldx, 0) + (long)b * n, *v = at(z, r, ldz, 0);
    *at(y, r, ldy, b) = shortSum(n, [&](int i) __attribute__((device)) { return u[i] * v[i]; });
  }
}

// y[b] = sum of the squares of x[4096*b] ... x[4096*b+4095]. The last block ends before
// x[n].
KERNEL(64) sumsquares(float *y, const float *x, long n) {
  SHARED float p[partials];
  const long lo = (long)BLOCK * leaf, hi = lo + leaf < n ? lo + leaf : n;
  const int t = THREAD;
  float sum = blockSum(p, t, lo, hi, [&](long i) __attribute__((device)) { return x[i] * x[i]; });
  if (t == 0) y[BLOCK] = sum;
}

// y[b] = sum of x[4096*b] ... x[4096*b+4095]. The last block ends before x[n]. The host
// launches this kernel on its own results until one sum is left.
KERNEL(64) sumblocks(float *y, const float *x, long n) {
  SHARED float p[partials];
  const long lo = (long)BLOCK * leaf, hi = lo + leaf < n ? lo + leaf : n;
  const int t = THREAD;
  float sum = blockSum(p, t, lo, hi, [&](long i) __attribute__((device)) { return x[i]; });
  if (t == 0) y[BLOCK] = sum;
}
