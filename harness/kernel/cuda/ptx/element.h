// The element functions of harness/numeric, with the same operations in the same order.
#pragma once
#include "device.h"

// power returns 2^n for n from -126 to 127.
DEVICE float power(int n) { return number((u32)(n + 127) << 23); }

// exponential is numeric.Exp. It multiplies by 2^n in two steps. The first step is exact,
// so the result is rounded once, in the second step, even if it is subnormal.
DEVICE float exponential(float x) {
  if (x < -104.0f) x = -104.0f;
  if (x > 89.0f) x = 89.0f;
  float t = FMA(x, 0x1.715476p+0f, 0x1.8p+23f);
  float k = t - 0x1.8p+23f;
  float r = FMA(k, -0x1.62e43p-1f, x);
  r = FMA(k, 0x1.05c61p-29f, r);
  float q = FMA(0x1.6b9c6ep-10f, r, 0x1.12254ap-7f);
  q = FMA(q, r, 0x1.5556f2p-5f);
  q = FMA(q, r, 0x1.5554b4p-3f);
  q = FMA(q, r, 0x1.fffffep-2f);
  float p = FMA(r * r, q, r);
  int n = (int)bitsOf(t) - 0x4b400000, half = n >> 1;
  return (1.0f + p) * power(half) * power(n - half);
}

// logarithm is numeric.Log for x >= 1 or NaN. Here x is a sum of exponentials, and the
// largest of them is 1.
DEVICE float logarithm(float x) {
  if (!(x < __builtin_inff())) return x;
  u32 bits = bitsOf(x), top = (bits - 0x3f2aaaab) & 0xff800000;
  const float e = (float)((int)top >> 23);
  float f = number(bits - top) - 1.0f;
  float q = FMA(-0x1.07beep-3f, f, 0x1.1e72ap-3f);
  q = FMA(q, f, -0x1.f332dp-4f);
  q = FMA(q, f, 0x1.1ed452p-3f);
  q = FMA(q, f, -0x1.559c88p-3f);
  q = FMA(q, f, 0x1.99d05cp-3f);
  q = FMA(q, f, -0x1.fffef8p-3f);
  q = FMA(q, f, 0x1.555506p-2f);
  q = FMA(q, f, -0.5f);
  return FMA(e, 0x1.62e43p-1f, FMA(f * f, q, f));
}
