// y[i] = sum over c from 0 to 15 of the result of n steps x = fma(x, a, b) from x = c.
// One thread computes each i. The 16 chains are independent, so the kernel runs at the
// peak of the FMA units.
extern "C" __attribute__((global)) void __attribute__((launch_bounds(256))) peak(float *y, float a, float b, int n) {
  const int at = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
  float x[16];
  _Pragma("unroll") for (int c = 0; c < 16; c++) x[c] = c;
  _Pragma("unroll 8") for (int i = 0; i < n; i++)
    _Pragma("unroll") for (int c = 0; c < 16; c++) x[c] = __builtin_fmaf(x[c], a, b);
  float sum = 0;
  _Pragma("unroll") for (int c = 0; c < 16; c++) sum += x[c];
  y[at] = sum;
}
