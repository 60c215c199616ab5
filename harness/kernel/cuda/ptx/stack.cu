// Operations on stacks in stack-major form. The D rows consist of cells of w rows, the top
// cell first. There is one column for each stack of each string.
#include "device.h"

// y[d][b*S+s] = x[b][s*D+d]
KERNEL(256) todepth(float *y, const float *x, int D, int S, int strings, int ldy, int ldx) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= strings * S) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) *at(y, d, ldy, c) = *at(x, c / S, ldx, c % S * D + d);
}

// y[b][s*D+d] = x[d][b*S+s]
KERNEL(256) fromdepth(float *y, const float *x, int D, int S, int strings, int ldy, int ldx) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= strings * S) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) *at(y, c / S, ldy, c % S * D + d) = *at(x, d, ldx, c);
}

// y[c] = sum of a[d][c]*b[d][c] over d, in chunks of 256, one FMA for each term
KERNEL(256) depthdot(float *y, const float *a, const float *b, int D, int cols, int lda, int ldb) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  float sum = 0;
  LOOP for (int from = 0; from < D; from += chunk) {
    const int to = from + chunk < D ? from + chunk : D;
    float part = 0;
    for (int d = from; d < to; d++) part = FMA(*at(a, d, lda, c), *at(b, d, ldb, c), part);
    sum = from ? sum + part : part;
  }
  y[c] = sum;
}

// t = pop*down; t = fma(push, up, t); y = fma(noop, s, t). down is the cell below, or
// empty for the last cell; up is the cell above, or v for the top cell.
KERNEL(256) stack(float *y, const float *s, const float *push, const float *pop, const float *noop, const float *v, int D, int cols, int w, int ldy,
                  int lds, int ldv, float empty, int hasNoop) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) {
    const float down = d < D - w ? *at(s, d + w, lds, c) : empty;
    const float up = d < w ? *at(v, d, ldv, c) : *at(s, d - w, lds, c);
    float t = pop[c] * down;
    t = FMA(push[c], up, t);
    if (hasNoop) t = FMA(noop[c], *at(s, d, lds, c), t);
    *at(y, d, ldy, c) = t;
  }
}

// t = pop * (dy of the cell above), or +0 for the top cell; t = fma(push, dy of the cell
// below, t), except for the last cell; ds = fma(noop, dy, t)
KERNEL(256) stackgradstate(float *ds, const float *dy, const float *push, const float *pop, const float *noop, int D, int cols, int w, int ldd,
                           int ldy, int hasNoop) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) {
    float t = 0;
    if (d >= w) t = pop[c] * *at(dy, d - w, ldy, c);
    if (d + w < D) t = FMA(push[c], *at(dy, d + w, ldy, c), t);
    if (hasNoop) t = FMA(noop[c], *at(dy, d, ldy, c), t);
    *at(ds, d, ldd, c) = t;
  }
}

// dpush = sum of dy*up over the rows, dpop = sum of dy*down, dnoop = sum of dy*s. Each sum
// has the order of a matrix product. wanted has a bit for each result.
KERNEL(256) stackgradactions(float *dpush, float *dpop, float *dnoop, const float *dy, const float *s, const float *v, int D, int cols, int w,
                             int ldy, int lds, int ldv, float empty, int wanted) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  float up = 0, down = 0, here = 0;
  LOOP for (int from = 0; from < D; from += chunk) {
    const int to = from + chunk < D ? from + chunk : D;
    float u = 0, l = 0, h = 0;
    for (int d = from; d < to; d++) {
      const float g = *at(dy, d, ldy, c);
      u = FMA(g, d < w ? *at(v, d, ldv, c) : *at(s, d - w, lds, c), u);
      l = FMA(g, d < D - w ? *at(s, d + w, lds, c) : empty, l);
      h = FMA(g, *at(s, d, lds, c), h);
    }
    up = from ? up + u : u;
    down = from ? down + l : l;
    here = from ? here + h : h;
  }
  if (wanted & 1) dpush[c] = up;
  if (wanted & 2) dpop[c] = down;
  if (wanted & 4) dnoop[c] = here;
}

// dv = push * (dy of the top cell)
KERNEL(256) stackgradcell(float *dv, const float *dy, const float *push, int w, int cols, int ldd, int ldy) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < w; d += BLOCKS_Y * THREADS_Y) *at(dv, d, ldd, c) = push[c] * *at(dy, d, ldy, c);
}
