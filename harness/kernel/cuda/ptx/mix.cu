// Weighted sums of blocks of columns, with weights for each row.
#include "device.h"

// t = w[r][0]*x[r][j]; for rising a, t = fma(w[r][a], x[r][a*n+j], t); y[r][j] = t
KERNEL(256) mix(float *y, const float *w, const float *x, int rows, int n, int blocks, int ldy, int ldw, int ldx) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= n) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const float *u = at(x, r, ldx, j), *f = at(w, r, ldw, 0);
    float t = f[0] * u[0];
    for (int a = 1; a < blocks; a++) t = FMA(f[a], u[(long)a * n], t);
    *at(y, r, ldy, j) = t;
  }
}

// dx[r][a*n+j] = dy[r][j]*w[r][a]
KERNEL(256) mixgradblocks(float *dx, const float *w, const float *dy, int rows, int n, int blocks, int ldd, int ldw, int ldy) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= n) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const float d = *at(dy, r, ldy, j);
    for (int a = 0; a < blocks; a++) at(dx, r, ldd, j)[(long)a * n] = d * *at(w, r, ldw, a);
  }
}
