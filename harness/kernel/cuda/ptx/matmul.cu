// c[i][j] = sum of a[i][k]*b[k][j] over k, in chunks of 256, one FMA a term, the
// first onto +0; then by how:
//
//   0  c = the first chunk, then the others added, rising
//   1  c += that
//   2  c += each chunk, rising
//   3  c = that of 0, + bias[j]
//
// Elements of a lie ar words apart along i and ak along k, those of b bk and bc.
// One of each pair is 1.
//
// A block computes a tile of BM x BN, a thread TM x TN of it, over BK terms at a
// time that lie in shared memory while the next are on their way. The edge of k
// takes fewer terms: zeros would turn a sum of -0 into +0.
#include "device.h"

template <int BM, int BN, int BK, int TM, int TN>
DEVICE void product(float *sa, float *sb, float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak,
                    int bk, int bc, int ldc, int how) {
  constexpr int across = BN / TN, threads = (BM / TM) * across, padA = BM + 4, padB = BN + 4;
  constexpr int loadsA = BM * BK / threads, loadsB = BN * BK / threads;
  const int t = THREAD, tx = t % across, ty = t / across;
  const int m0 = BLOCK * BM, n0 = BLOCK_Y * BN;
  float sum[TM][TN], acc[TM][TN], nextA[loadsA], nextB[loadsB];
  UNROLL for (int i = 0; i < TM; i++)
    UNROLL for (int j = 0; j < TN; j++) {
      const int m = m0 + ty * TM + i, n = n0 + tx * TN + j;
      acc[i][j] = 0;
      sum[i][j] = how == 2 && m < M && n < N ? *at(c, m, ldc, n) : 0.0f;
    }
  // Threads that follow each other load along the extent that is adjacent.
  const bool alongA = ak == 1, alongB = bk == 1;
  int ra[loadsA], ka[loadsA], rb[loadsB], kb[loadsB];
  UNROLL for (int u = 0; u < loadsA; u++) {
    const int e = t + threads * u;
    ra[u] = alongA ? e / BK : e % BM;
    ka[u] = alongA ? e % BK : e / BM;
  }
  UNROLL for (int u = 0; u < loadsB; u++) {
    const int e = t + threads * u;
    rb[u] = alongB ? e / BK : e % BN;
    kb[u] = alongB ? e % BK : e / BN;
  }
  auto fetch = [&](int k0) __attribute__((device)) {
    UNROLL for (int u = 0; u < loadsA; u++)
      nextA[u] = m0 + ra[u] < M && k0 + ka[u] < K ? a[(long)(m0 + ra[u]) * ar + (long)(k0 + ka[u]) * ak] : 0.0f;
    UNROLL for (int u = 0; u < loadsB; u++)
      nextB[u] = n0 + rb[u] < N && k0 + kb[u] < K ? b[(long)(k0 + kb[u]) * bk + (long)(n0 + rb[u]) * bc] : 0.0f;
  };
  auto step = [&](int k) __attribute__((device)) {
    float x[TM], y[TN];
    UNROLL for (int i = 0; i < TM; i++) x[i] = sa[k * padA + ty * TM + i];
    UNROLL for (int j = 0; j < TN; j++) y[j] = sb[k * padB + tx * TN + j];
    UNROLL for (int i = 0; i < TM; i++)
      UNROLL for (int j = 0; j < TN; j++) acc[i][j] = FMA(x[i], y[j], acc[i][j]);
  };
  fetch(0);
  LOOP for (int k0 = 0; k0 < K; k0 += BK) {
    UNROLL for (int u = 0; u < loadsA; u++) sa[ka[u] * padA + ra[u]] = nextA[u];
    UNROLL for (int u = 0; u < loadsB; u++) sb[kb[u] * padB + rb[u]] = nextB[u];
    BARRIER();
    if (k0 + BK <= K) {
      if (k0 + BK < K) fetch(k0 + BK);
      UNROLL for (int k = 0; k < BK; k++) step(k);
    } else {
      LOOP for (int k = 0; k < K - k0; k++) step(k);
    }
    if ((k0 + BK) % chunk == 0 || k0 + BK >= K) {
      const bool first = how != 2 && k0 < chunk;
      UNROLL for (int i = 0; i < TM; i++)
        UNROLL for (int j = 0; j < TN; j++) {
          sum[i][j] = first ? acc[i][j] : sum[i][j] + acc[i][j];
          acc[i][j] = 0;
        }
    }
    BARRIER();
  }
  UNROLL for (int i = 0; i < TM; i++)
    UNROLL for (int j = 0; j < TN; j++) {
      const int m = m0 + ty * TM + i, n = n0 + tx * TN + j;
      if (m < M && n < N) {
        float *p = at(c, m, ldc, n);
        if (how == 1) sum[i][j] = *p + sum[i][j];
        if (how == 3) sum[i][j] = sum[i][j] + bias[n];
        *p = sum[i][j];
      }
    }
}

KERNEL(256) matmul128(float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak, int bk, int bc, int ldc,
                      int how) {
  __attribute__((aligned(16))) SHARED float sa[8 * 132], sb[8 * 132];
  product<128, 128, 8, 8, 8>(sa, sb, c, a, b, bias, M, N, K, ar, ak, bk, bc, ldc, how);
}

KERNEL(64) matmul16(float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak, int bk, int bc, int ldc,
                    int how) {
  __attribute__((aligned(16))) SHARED float sa[16 * 20], sb[16 * 20];
  product<16, 16, 16, 2, 2>(sa, sb, c, a, b, bias, M, N, K, ar, ak, bk, bc, ldc, how);
}
