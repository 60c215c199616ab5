// Operations on lists in stack-major form. The D rows consist of cells of w rows. There is
// one column for each list of each string. The cell at the head consists of the rows
// head*w to head*w+w-1. Beyond both ends of a list, cells hold the value empty. An
// insertion replaces a cell before the head by the next cell, and the cell at the head by
// v. It does not change the cells after the head.
#include "device.h"

DEVICE float before(const float *s, int d, int w, int lds, int c, float none) { return d >= w ? *at(s, d - w, lds, c) : none; }
DEVICE float after(const float *s, int d, int D, int w, int lds, int c, float none) { return d < D - w ? *at(s, d + w, lds, c) : none; }
DEVICE float inserted(const float *s, const float *v, int d, int w, int head, int lds, int ldv, int c) {
  const int from = head * w;
  if (d < from) return *at(s, d + w, lds, c);
  return d < from + w ? *at(v, d - from, ldv, c) : *at(s, d, lds, c);
}

// t = right*after; t = fma(left, before, t); t = fma(insert, x, t); y = fma(noop, s, t).
// x is the cell after an insertion.
KERNEL(256) list(float *y, const float *s, const float *left, const float *right, const float *insert, const float *noop, const float *v, int D,
                 int cols, int w, int head, int ldy, int lds, int ldv, float empty, int hasNoop) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) {
    float t = right[c] * after(s, d, D, w, lds, c, empty);
    t = FMA(left[c], before(s, d, w, lds, c, empty), t);
    t = FMA(insert[c], inserted(s, v, d, w, head, lds, ldv, c), t);
    if (hasNoop) t = FMA(noop[c], *at(s, d, lds, c), t);
    *at(y, d, ldy, c) = t;
  }
}

// t = right * (dy of the cell before); t = fma(left, dy of the cell after, t);
// t = fma(insert, d, t); ds = fma(noop, dy, t). For cells up to and including the head, d
// is dy of the cell before; for the others it is dy of the cell itself. dy is +0 beyond
// the ends.
KERNEL(256) listgradstate(float *ds, const float *dy, const float *left, const float *right, const float *insert, const float *noop, int D, int cols,
                          int w, int head, int ldd, int ldy, int hasNoop) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  for (int d = BLOCK_Y * THREADS_Y + THREAD_Y; d < D; d += BLOCKS_Y * THREADS_Y) {
    const float here = *at(dy, d, ldy, c), ahead = before(dy, d, w, ldy, c, 0);
    float t = right[c] * ahead;
    t = FMA(left[c], after(dy, d, D, w, ldy, c, 0), t);
    t = FMA(insert[c], d < head * w + w ? ahead : here, t);
    if (hasNoop) t = FMA(noop[c], here, t);
    *at(ds, d, ldd, c) = t;
  }
}

// dleft = sum of dy*before over the rows, dright = sum of dy*after, dinsert = sum of dy*x.
// Each sum has the order of a matrix product. wanted has a bit for each result.
KERNEL(256) listgradactions(float *dleft, float *dright, float *dinsert, const float *dy, const float *s, const float *v, int D, int cols, int w,
                            int head, int ldy, int lds, int ldv, float empty, int wanted) {
  const int c = BLOCK * THREADS + THREAD;
  if (c >= cols) return;
  float sumB = 0, sumA = 0, sumX = 0;
  LOOP for (int from = 0; from < D; from += chunk) {
    const int to = from + chunk < D ? from + chunk : D;
    float b = 0, a = 0, x = 0;
    LOOP for (int d = from; d < to; d++) {
      const float g = *at(dy, d, ldy, c);
      b = FMA(g, before(s, d, w, lds, c, empty), b);
      a = FMA(g, after(s, d, D, w, lds, c, empty), a);
      x = FMA(g, inserted(s, v, d, w, head, lds, ldv, c), x);
    }
    sumB = from ? sumB + b : b;
    sumA = from ? sumA + a : a;
    sumX = from ? sumX + x : x;
  }
  if (wanted & 1) dleft[c] = sumB;
  if (wanted & 2) dright[c] = sumA;
  if (wanted & 4) dinsert[c] = sumX;
}
