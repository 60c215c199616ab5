// y[j] = sum of x[r][j] over r, in chunks of 256 rows. The sum of a chunk starts at +0. If
// again is 1, the chunks are added to the previous contents of y. One thread sums each
// column.
#include "device.h"

KERNEL(256) colsum(float *y, const float *x, int rows, int cols, int ldx, int again) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  float sum = again ? y[j] : 0.0f; // the sum of a chunk is never -0, so adding it to +0 does not change it
  LOOP for (int from = 0; from < rows; from += chunk) {
    const int to = from + chunk < rows ? from + chunk : rows;
    float part = 0;
    for (int r = from; r < to; r++) part += *at(x, r, ldx, j);
    sum += part;
  }
  y[j] = sum;
}
