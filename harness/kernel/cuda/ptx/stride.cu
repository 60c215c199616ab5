// Strided copies and sums, and clearing.
#include "device.h"

// y[r][j*sy] = x[r][j*sx]
KERNEL(256) copystride(float *y, const float *x, int rows, int cols, int ldy, int ldx, int sy, int sx) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) at(y, r, ldy, 0)[(long)j * sy] = at(x, r, ldx, 0)[(long)j * sx];
}

// y[r][j*sy] += x[r][j*sx]
KERNEL(256) addstride(float *y, const float *x, int rows, int cols, int ldy, int ldx, int sy, int sx) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    float *p = at(y, r, ldy, 0) + (long)j * sy;
    *p = *p + at(x, r, ldx, 0)[(long)j * sx];
  }
}

// y[r][j] = +0
KERNEL(256) clear(float *y, int rows, int cols, int ldy) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) *at(y, r, ldy, j) = 0;
}
