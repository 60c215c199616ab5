// Dropout and noise. Column j of a row uses word j mod 4 of the Philox4x32-10 block
// with counter (j/4, the row's three coordinates). One thread computes the four columns
// of a block.
#include "device.h"

struct words {
  u32 w[4];
};

DEVICE words philox(u32 c0, u32 c1, u32 c2, u32 c3, u32 k0, u32 k1) {
  UNROLL for (int i = 0; i < 10; i++) {
    const u32 high0 = __nvvm_mulhi_ui(0xD2511F53, c0), low0 = 0xD2511F53 * c0;
    const u32 high1 = __nvvm_mulhi_ui(0xCD9E8D57, c2), low1 = 0xCD9E8D57 * c2;
    c0 = high1 ^ c1 ^ k0;
    c2 = high0 ^ c3 ^ k1;
    c1 = low1;
    c3 = low0;
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return {{c0, c1, c2, c3}};
}

// y = word < least ? +0 : x*keep
KERNEL(256) dropout(float *y, const float *x, const int *coord, int rows, int cols, int ldy, int ldx, int ldc, u32 k0, u32 k1, u32 least, float keep) {
  const int j = 4 * (BLOCK * THREADS + THREAD);
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const int *at3 = coord + (long)r * ldc;
    const words word = philox(j / 4, at3[0], at3[1], at3[2], k0, k1);
    UNROLL for (int i = 0; i < 4; i++)
      if (j + i < cols) *at(y, r, ldy, j + i) = word.w[i] < least ? 0.0f : *at(x, r, ldx, j + i) * keep;
  }
}

// log64 is numeric.Log64 for x in (0, 1/2].
DEVICE double log64(double x) {
  u64 bits = __builtin_bit_cast(u64, x), top = (bits - 0x3fe6a09e667f3bcd) >> 52 << 52;
  const double n = (double)(int)((long)top >> 52);
  const double f = __builtin_bit_cast(double, bits - top) - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  double r = 2. / 23;
  r = FMA64(r, z, 2. / 21);
  r = FMA64(r, z, 2. / 19);
  r = FMA64(r, z, 2. / 17);
  r = FMA64(r, z, 2. / 15);
  r = FMA64(r, z, 2. / 13);
  r = FMA64(r, z, 2. / 11);
  r = FMA64(r, z, 2. / 9);
  r = FMA64(r, z, 2. / 7);
  r = FMA64(r, z, 2. / 5);
  r = FMA64(r, z, 2. / 3);
  r = r * z;
  const double h = 0.5 * f * f;
  const double t = FMA64(s, h + r, n * 0x1.473de6af278edp-34);
  return FMA64(n, 0x1.62e42fefp-1, f - (h - t));
}

DEVICE double horner(double r, double c0, double c1, double c2, double c3, double c4, double c5, double c6, double c7) {
  return FMA64(FMA64(FMA64(FMA64(FMA64(FMA64(FMA64(c7, r, c6), r, c5), r, c4), r, c3), r, c2), r, c1), r, c0);
}

// normal is rng.StandardNormal, that is, Wichura's algorithm AS 241 for (word + 1/2)/2^32.
DEVICE float normal(u32 word) {
  const double p = ((double)word + 0.5) * 0x1p-32, q = p - 0.5;
  if ((q < 0 ? -q : q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           horner(r, 3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
                  67265.770927008700853, 33430.575583588128105, 2509.0809287301226727) /
           horner(r, 1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867, 39307.895800092710610,
                  28729.085735721942674, 5226.4952788528545610);
  }
  double r = __builtin_sqrt(-log64(q > 0 ? 1.0 - p : p)), x;
  if (r <= 5) {
    r = r - 1.6;
    x = horner(r, 1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504, 1.27045825245236838258,
               0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4) /
        horner(r, 1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550, 0.148103976427480074590,
               0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9);
  } else {
    r = r - 5;
    x = horner(r, 6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230, 0.0265321895261230930,
               0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7) /
        horner(r, 1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525, 7.86869131145613259100e-4,
               1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15);
  }
  return q < 0 ? -x : x;
}

// y = x + (mean + sd*z); the product and each sum are rounded
KERNEL(128) noise(float *y, const float *x, const int *coord, int rows, int cols, int ldy, int ldx, int ldc, u32 k0, u32 k1, float mean, float sd) {
  const int j = 4 * (BLOCK * THREADS + THREAD);
  if (j >= cols) return;
  for (int r = BLOCK_Y * THREADS_Y + THREAD_Y; r < rows; r += BLOCKS_Y * THREADS_Y) {
    const int *at3 = coord + (long)r * ldc;
    const words word = philox(j / 4, at3[0], at3[1], at3[2], k0, k1);
    UNROLL for (int i = 0; i < 4; i++)
      if (j + i < cols) *at(y, r, ldy, j + i) = *at(x, r, ldx, j + i) + (mean + sd * normal(word.w[i]));
  }
}
