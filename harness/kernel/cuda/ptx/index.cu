// Gather and scatter of rows.
#include "device.h"

// y[r] = table[ids[r]]
KERNEL(256) gather(float *y, const float *table, const int *ids, int rows, int cols, int ldy, int ldt) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) *at(y, r, ldy, j) = *at(table, ids[r], ldt, j);
}

// y[ids[r]] = x[r]; the ids are distinct
KERNEL(256) scatterrows(float *y, const float *x, const int *ids, int rows, int cols, int ldy, int ldx) {
  const int j = BLOCK * THREADS + THREAD;
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) *at(y, ids[r], ldy, j) = *at(x, r, ldx, j);
}

// addRows returns the sum of x[r][j] over the rows r >= from with ids[r] == id. It sums in
// chunks; row r belongs to chunk r/256. It skips chunks without such rows. Their sums
// would be +0, and adding +0 does not change a sum that started at +0.
DEVICE float addRows(const float *x, const int *ids, int id, int from, int rows, int ldx, int j) {
  float sum = 0, part = 0;
  int last = -1;
  LOOP for (int r = from; r < rows; r++) {
    if (ids[r] != id) continue;
    if (r / chunk != last) {
      sum += part;
      part = 0;
      last = r / chunk;
    }
    part += *at(x, r, ldx, j);
  }
  return sum + part;
}

// table[w] = sum of x[r] over the rows r with ids[r] == w. Each block searches all rows
// for one w. This kernel is for small tables.
KERNEL(128) scatteradd(float *table, const float *x, const int *ids, int rows, int cols, int ldt, int ldx) {
  const int w = BLOCK, j = BLOCK_Y * THREADS + THREAD;
  if (j < cols) *at(table, w, ldt, j) = addRows(x, ids, w, 0, rows, ldx, j);
}

// scatterfirst computes the same for large tables. The table must hold +0 before the
// launch. There is one block for each row of x. A block does nothing unless its row is the
// first one with that id.
KERNEL(128) scatterfirst(float *table, const float *x, const int *ids, int rows, int cols, int ldt, int ldx) {
  SHARED int seen[128];
  const int r = BLOCK, t = THREAD, threads = THREADS, id = ids[r];
  int found = 0;
  LOOP for (int i = t; i < r; i += threads) found |= ids[i] == id;
  seen[t] = found;
  BARRIER();
  LOOP for (int half = 64; half > 0; half /= 2) {
    if (t < half && t + half < threads) seen[t] |= seen[t + half];
    BARRIER();
  }
  if (seen[0]) return;
  LOOP for (int j = t; j < cols; j += threads) *at(table, id, ldt, j) = addRows(x, ids, id, r, rows, ldx, j);
}
