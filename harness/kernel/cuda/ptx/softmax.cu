// Softmax, its gradient, the index of the maximum, and cross-entropy. The columns are in
// groups of n: group g of row r starts at column g*n. 64 threads compute a group. The
// kernels whose names end in 8 use one thread for a group and require n <= 8.
#include "element.h"

// largest returns the maximum m of a row to all 64 threads. m starts as the first element,
// and a later x replaces m if x > m, so a NaN counts only if it is the first element.
DEVICE float largest(float *p, int t, const float *x, int n) {
  float m = x[0];
  LOOP for (int i = t; i < n; i += partials)
    if (x[i] > m) m = x[i];
  p[t] = m;
  BARRIER();
  LOOP for (int half = partials / 2; half > 0; half /= 2) {
    if (t < half && p[t + half] > p[t]) p[t] = p[t + half];
    BARRIER();
  }
  m = p[0];
  BARRIER();
  return m;
}

// y = e / sum e, e = exp(x - max); y may be x
KERNEL(64) softmax(float *y, const float *x, int n, int ldy, int ldx) {
  SHARED float p[partials];
  const int r = BLOCK, g = BLOCK_Y, t = THREAD;
  const float *u = at(x, r, ldx, 0) + (long)g * n;
  float *v = at(y, r, ldy, 0) + (long)g * n;
  const float m = largest(p, t, u, n);
  float sum = rowSum(p, t, n, [&](long i) __attribute__((device)) { return v[i] = exponential(u[i] - m); });
  const float inv = 1.0f / sum;
  LOOP for (int i = t; i < n; i += partials) v[i] = v[i] * inv;
}

KERNEL(256) softmax8(float *y, const float *x, int n, int ldy, int ldx, int rows, int groups) {
  const int g = BLOCK * THREADS + THREAD;
  if (g >= groups) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const float *u = at(x, r, ldx, 0) + (long)g * n;
    float *v = at(y, r, ldy, 0) + (long)g * n;
    float m = u[0];
    for (int i = 1; i < n; i++)
      if (u[i] > m) m = u[i];
    const float inv = 1.0f / shortSum(n, [&](int i) __attribute__((device)) { return v[i] = exponential(u[i] - m); });
    for (int i = 0; i < n; i++) v[i] = v[i] * inv;
  }
}

// dx = y * (dy - sum of round(y*dy)); dx may be y or dy
KERNEL(64) softmaxgrad(float *dx, const float *y, const float *dy, int n, int ldd, int ldy, int lddy) {
  SHARED float p[partials];
  const int r = BLOCK, g = BLOCK_Y, t = THREAD;
  const float *u = at(y, r, ldy, 0) + (long)g * n, *d = at(dy, r, lddy, 0) + (long)g * n;
  float *v = at(dx, r, ldd, 0) + (long)g * n;
  const float dot = rowSum(p, t, n, [&](long i) __attribute__((device)) { return u[i] * d[i]; });
  LOOP for (int i = t; i < n; i += partials) v[i] = u[i] * (d[i] - dot);
}

KERNEL(256) softmaxgrad8(float *dx, const float *y, const float *dy, int n, int ldd, int ldy, int lddy, int rows, int groups) {
  const int g = BLOCK * THREADS + THREAD;
  if (g >= groups) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const float *u = at(y, r, ldy, 0) + (long)g * n, *d = at(dy, r, lddy, 0) + (long)g * n;
    float *v = at(dx, r, ldd, 0) + (long)g * n;
    const float dot = shortSum(n, [&](int i) __attribute__((device)) { return u[i] * d[i]; });
    for (int i = 0; i < n; i++) v[i] = u[i] * (d[i] - dot);
  }
}

// y = 1 at the lowest index that holds the maximum of x, 0 elsewhere
KERNEL(64) onehot(float *y, const float *x, int n, int ldy, int ldx) {
  SHARED float p[partials];
  SHARED int q[partials];
  const int r = BLOCK, g = BLOCK_Y, t = THREAD;
  const float *u = at(x, r, ldx, 0) + (long)g * n;
  float *v = at(y, r, ldy, 0) + (long)g * n;
  float m = u[0];
  int best = 0;
  LOOP for (int i = t; i < n; i += partials)
    if (u[i] > m) m = u[i], best = i;
  p[t] = m;
  q[t] = best;
  BARRIER();
  LOOP for (int half = partials / 2; half > 0; half /= 2) {
    if (t < half && (p[t + half] > p[t] || p[t + half] == p[t] && q[t + half] < q[t])) p[t] = p[t + half], q[t] = q[t + half];
    BARRIER();
  }
  best = q[0];
  LOOP for (int i = t; i < n; i += partials) v[i] = i == best ? 1.0f : 0.0f;
}

// loss[r] = log(sum e) - (x[target] - max); dx = (e/sum e, minus 1 at the target) *
// dloss[r]. how selects the loss (1), the gradient (2) or both (3). dx may be x.
KERNEL(64) crossentropy(float *dx, float *loss, const float *x, const int *target, const float *dloss, int n, int ldd, int ldx, int how) {
  SHARED float p[partials];
  const int r = BLOCK, t = THREAD;
  const float *u = at(x, r, ldx, 0);
  float *v = at(dx, r, ldd, 0);
  const int to = target[r];
  const float there = u[to]; // all threads read it before any writes, since dx may be x
  const float m = largest(p, t, u, n), less = there - m;
  float sum;
  if (how == 1)
    sum = rowSum(p, t, n, [&](long i) __attribute__((device)) { return exponential(u[i] - m); });
  else
    sum = rowSum(p, t, n, [&](long i) __attribute__((device)) { return v[i] = exponential(u[i] - m); });
  if (how != 2 && t == 0) loss[r] = logarithm(sum) - less;
  if (how == 1) return;
  const float inv = 1.0f / sum, g = dloss[r];
  LOOP for (int i = t; i < n; i += partials) {
    float e = v[i] * inv;
    if (i == to) e = e - 1.0f;
    v[i] = e * g;
  }
}
