// Definitions for all kernels: the CUDA keywords that clang does not know without CUDA's
// headers, and sums in the order of package kernel. Only FMA fuses a product and a sum,
// because build.sh passes -ffp-contract=off.
#pragma once

#define KERNEL(threads) extern "C" __attribute__((global)) void __attribute__((launch_bounds(threads)))
// KERNELS limits the registers of a thread so that the given number of blocks fits on a
// multiprocessor.
#define KERNELS(threads, blocks) extern "C" __attribute__((global)) void __attribute__((launch_bounds(threads, blocks)))
#define DEVICE static __attribute__((device)) inline __attribute__((always_inline))
#define SHARED __attribute__((shared)) static
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define THREAD_Y __nvvm_read_ptx_sreg_tid_y()
#define THREADS __nvvm_read_ptx_sreg_ntid_x()
#define THREADS_Y __nvvm_read_ptx_sreg_ntid_y()
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BLOCKS_Y __nvvm_read_ptx_sreg_nctaid_y()
#define BLOCK_Z __nvvm_read_ptx_sreg_ctaid_z()
#define BARRIER() __nvvm_bar_sync(0)
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define FMA64(a, b, c) __builtin_fma(a, b, c)
#define UNROLL _Pragma("unroll")
#define LOOP _Pragma("clang loop unroll(disable)")

typedef unsigned int u32;
typedef unsigned long long u64;

// The number of terms of a running sum, of elements of a block of a row, and of partial
// sums of a block.
constexpr int chunk = 256, leaf = 4096, partials = 64;

DEVICE float number(u32 bits) { return __builtin_bit_cast(float, bits); }
DEVICE u32 bitsOf(float x) { return __builtin_bit_cast(u32, x); }

// at returns the address of the element in row r and column c.
DEVICE float *at(float *p, int r, int ld, int c) { return p + ((long)r * ld + c); }
DEVICE const float *at(const float *p, int r, int ld, int c) { return p + ((long)r * ld + c); }

// fold adds the partial sums of 64 threads by halves and returns the sum to all 64
// threads. p is shared memory for 64 numbers.
DEVICE float fold(float *p, int t, float part) {
  p[t] = part;
  BARRIER();
  LOOP for (int half = partials / 2; half > 0; half /= 2) {
    if (t < half) p[t] += p[t + half];
    BARRIER();
  }
  float sum = p[0];
  BARRIER(); // all threads read p before it is written again
  return sum;
}

// blockSum returns the sum of term(lo) ... term(hi-1). 64 threads compute it.
template <typename Term> DEVICE float blockSum(float *p, int t, long lo, long hi, Term term) {
  float part = 0;
  LOOP for (long i = lo + t; i < hi; i += partials) part += term(i);
  return fold(p, t, part);
}

// rowSum returns the sum of term(0) ... term(n-1) along a row. 64 threads compute it, in
// blocks of leaf terms.
template <typename Term> DEVICE float rowSum(float *p, int t, long n, Term term) {
  if (n <= leaf) return blockSum(p, t, 0, n, term);
  float part = 0;
  int b = 0;
  LOOP for (long lo = 0; lo < n; lo += leaf, b = (b + 1) % partials) {
    float sum = blockSum(p, t, lo, lo + leaf < n ? lo + leaf : n, term);
    if (t == b) part += sum;
  }
  return fold(p, t, part);
}

// One thread sums a row of at most 8 elements. It folds 8 partial sums instead of 64. The
// others are +0, and adding them would change nothing, because no sum is -0.
constexpr int shortRow = 8;

template <typename Term> DEVICE float shortSum(int n, Term term) {
  float v[shortRow];
  UNROLL for (int i = 0; i < shortRow; i++) {
    v[i] = 0;
    if (i < n) v[i] += term(i);
  }
  UNROLL for (int half = shortRow / 2; half > 0; half /= 2)
    UNROLL for (int i = 0; i < half; i++) v[i] += v[i + half];
  return v[0];
}
