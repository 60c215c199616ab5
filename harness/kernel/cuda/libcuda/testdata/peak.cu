// y[i] = the sum of 16 chains x = fma(x, a, b), n long, that of chain c starting
// from c: what the units for FMA can do at most. A thread for each i.
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
