// c[i][j] = sum of a[i][k]*b[k][j] over k, in chunks of 256. The sum of a chunk starts at
// +0 and adds one FMA for each term. The parameter how selects what is done with the sums
// of the chunks, which are added from left to right:
//
//   0  c = first chunk + second chunk + ...
//   1  c = c + (first chunk + second chunk + ...)
//   2  c = c + first chunk + second chunk + ...
//   3  c = (first chunk + second chunk + ...) + bias[j]
//   4  c[z][i][j] = chunk z, where z is the block's z index; matmuljoin adds the chunks
//
// The strides of a are ar along i and ak along k, those of b are bk along k and bc along
// j. One stride of each matrix is 1.
//
// A block computes a tile of BM x BN results. A thread computes TM x TN of them, in groups
// of four (or two) adjacent rows and columns. The loop over k advances by BK terms and is
// double buffered: one half of a buffer in shared memory holds the current terms, and the
// other half receives the next ones. Shared memory also holds the sum of all chunks before
// the current one. The last step along k may have fewer than BK terms. It is not padded,
// because adding zeros would turn a sum of -0 into +0.
#include "device.h"

typedef float float2_ __attribute__((ext_vector_type(2)));
typedef float float4_ __attribute__((ext_vector_type(4)));

// take loads N numbers from shared memory. If N is a multiple of 4, it loads groups of 4
// numbers, and the parameter apart is the distance between the starts of two groups.
// Otherwise it loads one group of 2. Each group is aligned to its size.
template <int N> DEVICE void take(float *x, const float *p, int apart) {
  if constexpr (N % 4 == 0) {
    UNROLL for (int i = 0; i < N; i += 4) {
      const float4_ v = *(const float4_ *)(p + i / 4 * apart);
      x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
    }
  } else {
    const float2_ v = *(const float2_ *)p;
    x[0] = v.x, x[1] = v.y;
  }
}

template <int BM, int BN, int BK, int TM, int TN>
DEVICE void product(float *sa, float *sb, float *sums, float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar,
                    int ak, int bk, int bc, int ldc, int how) {
  constexpr int across = BN / TN, threads = (BM / TM) * across, padA = BM + 4, padB = BN + 4;
  constexpr int loadsA = BM * BK / threads, loadsB = BN * BK / threads;
  constexpr int groupA = TM < 4 ? TM : 4, groupB = TN < 4 ? TN : 4, apartA = BM / TM * groupA, apartB = BN / TN * groupB;
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
  auto row = [&](int i) __attribute__((device)) { return m0 + i / groupA * apartA + ty * groupA + i % groupA; };
  auto col = [&](int j) __attribute__((device)) { return n0 + j / groupB * apartB + tx * groupB + j % groupB; };
  sums += t; // the sums of this thread start here; the next one is `threads` words on
  float acc[TM][TN], nextA[loadsA], nextB[loadsB];
  UNROLL for (int i = 0; i < TM; i++)
    UNROLL for (int j = 0; j < TN; j++) {
      acc[i][j] = 0;
      if (how == 2) sums[(i * TN + j) * threads] = row(i) < M && col(j) < N ? *at(c, row(i), ldc, col(j)) : 0.0f;
    }
  // Consecutive threads load along the dimension of stride 1, so that loads coalesce.
  const bool alongA = ak == 1, alongB = bk == 1;
  const int ra = alongA ? t / BK : t % BM, ka = alongA ? t % BK : t / BM, stepRa = alongA ? threads / BK : 0, stepKa = alongA ? 0 : threads / BM;
  const int rb = alongB ? t / BK : t % BN, kb = alongB ? t % BK : t / BN, stepRb = alongB ? threads / BK : 0, stepKb = alongB ? 0 : threads / BN;
  const float *pa = a + ((long)(m0 + ra) * ar + (long)ka * ak), *pb = b + ((long)kb * bk + (long)(n0 + rb) * bc);
  const long ua = (long)stepRa * ar + (long)stepKa * ak, ub = (long)stepRb * bc + (long)stepKb * bk;
  const bool inside = m0 + BM <= M && n0 + BN <= N;
  auto fetch = [&](int k0) __attribute__((device)) { // loads the terms k0 ... k0+BK-1; the next call must pass k0+BK
    const float *p = pa, *q = pb;
    if (inside && k0 + BK <= K) {
      UNROLL for (int u = 0; u < loadsA; u++, p += ua) nextA[u] = *p;
      UNROLL for (int u = 0; u < loadsB; u++, q += ub) nextB[u] = *q;
    } else {
      UNROLL for (int u = 0; u < loadsA; u++, p += ua)
        nextA[u] = m0 + ra + u * stepRa < M && k0 + ka + u * stepKa < K ? *p : 0.0f;
      UNROLL for (int u = 0; u < loadsB; u++, q += ub)
        nextB[u] = n0 + rb + u * stepRb < N && k0 + kb + u * stepKb < K ? *q : 0.0f;
    }
    pa += (long)BK * ak;
    pb += (long)BK * bk;
  };
  float *const toA = sa + (ka * padA + ra), *const toB = sb + (kb * padB + rb);
  const int betweenA = stepKa * padA + stepRa, betweenB = stepKb * padB + stepRb;
  auto put = [&](int half) __attribute__((device)) {
    float *p = toA + half * (BK * padA), *q = toB + half * (BK * padB);
    UNROLL for (int u = 0; u < loadsA; u++, p += betweenA) *p = nextA[u];
    UNROLL for (int u = 0; u < loadsB; u++, q += betweenB) *q = nextB[u];
  };
  auto step = [&](const float *p, const float *q) __attribute__((device)) {
    float x[TM], y[TN];
    take<TM>(x, p, apartA);
    take<TN>(y, q, apartB);
    UNROLL for (int i = 0; i < TM; i++)
      UNROLL for (int j = 0; j < TN; j++) acc[i][j] = FMA(x[i], y[j], acc[i][j]);
  };
  fetch(0);
  put(0);
  BARRIER();
  int half = 0;
  LOOP for (int k0 = 0; k0 < K; k0 += BK, half ^= 1) {
    const bool more = k0 + BK < K;
    if (more) fetch(k0 + BK);
    const float *p = sa + half * (BK * padA) + ty * groupA, *q = sb + half * (BK * padB) + tx * groupB;
    if (k0 + BK <= K) {
      UNROLL for (int k = 0; k < BK; k++) step(p + k * padA, q + k * padB);
    } else {
      LOOP for (int k = 0; k < K - k0; k++) step(p + k * padA, q + k * padB);
    }
    if (!more) break;
    if ((k0 + BK) % chunk == 0) {
      const bool first = how != 2 && k0 < chunk;
      UNROLL for (int i = 0; i < TM; i++)
        UNROLL for (int j = 0; j < TN; j++) {
          float *sum = sums + (i * TN + j) * threads;
          *sum = first ? acc[i][j] : *sum + acc[i][j];
          acc[i][j] = 0;
        }
    }
    put(half ^ 1);
    BARRIER();
  }
  const bool only = how != 2 && K <= chunk;
  UNROLL for (int i = 0; i < TM; i++)
    UNROLL for (int j = 0; j < TN; j++) {
      const int m = row(i), n = col(j);
      if (m < M && n < N) {
        float *p = at(c, m, ldc, n), sum = only ? acc[i][j] : sums[(i * TN + j) * threads] + acc[i][j];
        if (how == 1) sum = *p + sum;
        if (how == 3) sum = sum + bias[n];
        *p = sum;
      }
    }
}

#define TILE(name, blocks, BM, BN, BK, TM, TN)                                                                                                  \
  KERNELS((BM / TM) * (BN / TN), blocks)                                                                                                        \
  name(float *c, const float *a, const float *b, const float *bias, int M, int N, int K, int ar, int ak, int bk, int bc, int ldc, int how) {    \
    __attribute__((aligned(16))) SHARED float sa[2 * BK * (BM + 4)], sb[2 * BK * (BN + 4)];                                                     \
    SHARED float sums[BM * BN];                                                                                                                 \
    product<BM, BN, BK, TM, TN>(sa, sb, sums, c, a, b, bias, M, N, K, ar, ak, bk, bc, ldc, how);                                                \
  }

TILE(matmullarge, 3, 128, 64, 8, 8, 8)
TILE(matmulsmall, 2, 16, 16, 16, 2, 2)

// matmuljoin adds the chunks that products with how = 4 have stored in
// part[chunks][M][N]. Here how selects 0, 1, 2 or 3 of the list above.
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
