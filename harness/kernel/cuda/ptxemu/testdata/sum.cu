// y[r] = the sum of row r: 64 partial sums, folded by halves. The tests of ptxemu use
// its PTX as compiled by clang.
extern "C" __attribute__((global)) void __attribute__((launch_bounds(64))) sum(const float *x, float *y, int n) {
  __attribute__((shared)) static float p[64];
  const int t = __nvvm_read_ptx_sreg_tid_x(), r = __nvvm_read_ptx_sreg_ctaid_x();
  float s = 0;
  for (int i = t; i < n; i += 64) s += x[(long)r * n + i];
  p[t] = s;
  __nvvm_bar_sync(0);
  for (int half = 32; half; half /= 2) {
    if (t < half) p[t] += p[t + half];
    __nvvm_bar_sync(0);
  }
  if (t == 0) y[r] = p[0];
}
