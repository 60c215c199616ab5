// c[i][j] = sum of a[i][k]*b[k][j] over k, in chunks of 256, one FMA a term, the
// first onto +0; then by how:
//
//   0  c = the first chunk, then the others added, rising
//   1  c += that
//   2  c += each chunk, rising
//   3  c = that of 0, + bias[j]
//   4  c[z][i][j] = chunk z, that of the block, for matmuljoin
//
// Elements of a lie ar words apart along i and ak along k, those of b bk and bc.
// One of each pair is 1.
//
// A block computes a tile of BM x BN, a thread TM x TN of it, over BK terms at a
// time that lie in shared memory while the next are on their way. The edge of k
// takes fewer terms: zeros would turn a sum of -0 into +0.
#include "device.h"

typedef float float2_ __attribute__((ext_vector_type(2)));
typedef float float4_ __attribute__((ext_vector_type(4)));

// take reads N adjacent numbers of shared memory, whose place is a multiple of
// 4, or of 2 where N is 2.
template <int N> DEVICE void take(float *x, const float *p) {
  if constexpr (N % 4 == 0) {
    UNROLL for (int i = 0; i < N; i += 4) {
      const float4_ v = *(const float4_ *)(p + i);
      x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
    }
  } else {
    const float2_ v = *(const float2_ *)p;
    x[0] = v.x, x[1] = v.y;
  }
}

template <int BM, int BN, int BK, int TM, int TN>
DEVICE void product(float *sa, float *sb, float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak,
                    int bk, int bc, int ldc, int how) {
  constexpr int across = BN / TN, threads = (BM / TM) * across, padA = BM + 4, padB = BN + 4;
  constexpr int loadsA = BM * BK / threads, loadsB = BN * BK / threads;
  const int t = THREAD, tx = t % across, ty = t / across;
  const int m0 = BLOCK * BM, n0 = BLOCK_Y * BN;
  if (how == 4) {
    const long from = (long)BLOCK_Z * chunk;
    a += from * ak;
    b += from * bk;
    c += (long)BLOCK_Z * M * N;
    K = K - from < chunk ? (int)(K - from) : chunk;
    ldc = N;
  }
  float sum[TM][TN], acc[TM][TN], nextA[loadsA], nextB[loadsB];
  UNROLL for (int i = 0; i < TM; i++)
    UNROLL for (int j = 0; j < TN; j++) {
      const int m = m0 + ty * TM + i, n = n0 + tx * TN + j;
      acc[i][j] = 0;
      sum[i][j] = how == 2 && m < M && n < N ? *at(c, m, ldc, n) : 0.0f;
    }
  // Threads that follow each other load along the extent that is adjacent.
  const bool alongA = ak == 1, alongB = bk == 1;
  const int ra = alongA ? t / BK : t % BM, ka = alongA ? t % BK : t / BM, stepRa = alongA ? threads / BK : 0, stepKa = alongA ? 0 : threads / BM;
  const int rb = alongB ? t / BK : t % BN, kb = alongB ? t % BK : t / BN, stepRb = alongB ? threads / BK : 0, stepKb = alongB ? 0 : threads / BN;
  const float *pa = a + ((long)(m0 + ra) * ar + (long)ka * ak), *pb = b + ((long)kb * bk + (long)(n0 + rb) * bc);
  const long ua = (long)stepRa * ar + (long)stepKa * ak, ub = (long)stepRb * bc + (long)stepKb * bk;
  auto fetch = [&](int k0) __attribute__((device)) { // those from k0 on, after which come those from k0+BK on
    const float *p = pa;
    UNROLL for (int u = 0; u < loadsA; u++, p += ua)
      nextA[u] = m0 + ra + u * stepRa < M && k0 + ka + u * stepKa < K ? *p : 0.0f;
    p = pb;
    UNROLL for (int u = 0; u < loadsB; u++, p += ub)
      nextB[u] = n0 + rb + u * stepRb < N && k0 + kb + u * stepKb < K ? *p : 0.0f;
    pa += (long)BK * ak;
    pb += (long)BK * bk;
  };
  auto step = [&](int k) __attribute__((device)) {
    float x[TM], y[TN];
    take<TM>(x, sa + k * padA + ty * TM);
    take<TN>(y, sb + k * padB + tx * TN);
    UNROLL for (int i = 0; i < TM; i++)
      UNROLL for (int j = 0; j < TN; j++) acc[i][j] = FMA(x[i], y[j], acc[i][j]);
  };
  fetch(0);
  LOOP for (int k0 = 0; k0 < K; k0 += BK) {
    UNROLL for (int u = 0; u < loadsA; u++) sa[(ka + u * stepKa) * padA + ra + u * stepRa] = nextA[u];
    UNROLL for (int u = 0; u < loadsB; u++) sb[(kb + u * stepKb) * padB + rb + u * stepRb] = nextB[u];
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

#define TILE(name, BM, BN, BK, TM, TN)                                                                                                          \
  KERNEL2((BM / TM) * (BN / TN))                                                                                                                \
  name(float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak, int bk, int bc, int ldc, int how) {    \
    __attribute__((aligned(16))) SHARED float sa[BK * (BM + 4)], sb[BK * (BN + 4)];                                                             \
    product<BM, BN, BK, TM, TN>(sa, sb, c, a, b, bias, M, N, K, ar, ak, bk, bc, ldc, how);                                                      \
  }

TILE(matmullarge, 128, 64, 8, 8, 4)
TILE(matmulsmall, 16, 16, 16, 2, 2)

// c from the chunks that were computed apart, in part[chunks][M][N], by how.
KERNEL(256) matmuljoin(float *c, const float *part, const float *bias, int M, int N, int chunks, int ldc, int how) {
  const int n = BLOCK * THREADS + THREAD;
  if (n >= N) return;
  for (int m = BLOCK_Y * THREADS_Y + THREAD_Y; m < M; m += BLOCKS_Y * THREADS_Y) {
    float *to = at(c, m, ldc, n);
    const float *from = part + ((long)m * N + n);
    float sum = how == 2 ? *to + from[0] : from[0];
    for (int z = 1; z < chunks; z++) sum += from[(long)z * M * N];
    if (how == 1) sum = *to + sum;
    if (how == 3) sum = sum + bias[n];
    *to = sum;
  }
}
