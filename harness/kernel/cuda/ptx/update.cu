// Optimizer updates of n parameters.
#include "device.h"

// w -= lr*dw
KERNEL(256) sgd(float *w, const float *dw, const float *lr, long n) {
  const long i = (long)BLOCK * THREADS + THREAD;
  if (i < n) w[i] = w[i] - lr[0] * dw[i];
}

// m = fma(b1, m, (1-b1)*g); v = fma(b2, v, ((1-b2)*g)*g); w -= (lr*m) / (sqrt(v*c) + eps)
KERNEL(256) adam(float *w, float *m, float *v, const float *dw, const float *h, long n) {
  const long i = (long)BLOCK * THREADS + THREAD;
  if (i >= n) return;
  const float lr = h[0], c = h[1], b1 = h[2], less1 = h[3], b2 = h[4], less2 = h[5], eps = h[6], g = dw[i];
  const float first = FMA(b1, m[i], less1 * g), second = FMA(b2, v[i], less2 * g * g);
  m[i] = first;
  v[i] = second;
  w[i] = w[i] - lr * first / (__builtin_sqrtf(second * c) + eps);
}
