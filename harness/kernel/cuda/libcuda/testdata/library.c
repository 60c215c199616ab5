// A stand-in for libcuda in tests: memory of the device is that of the host, and a
// kernel adds a number to the words from an address on. It checks what the real
// library relies on: that a context is current on the calling thread.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION 12040
#endif
#ifndef COUNT
#define COUNT 1
#endif
#ifndef MAJOR
#define MAJOR 9
#endif
#ifndef INIT
#define INIT 0
#endif

static int context;
static __thread void *current;
static int released, live, modules;

#define CURRENT() \
	do \
		if (current != &context) return 201; \
	while (0)

int cuInit(unsigned flags) { return INIT; }
int cuDriverGetVersion(int *v) { *v = VERSION; return 0; }
int cuGetErrorName(int r, const char **s) {
	switch (r) {
	case 2: *s = "CUDA_ERROR_OUT_OF_MEMORY"; return 0;
	case 100: *s = "CUDA_ERROR_NO_DEVICE"; return 0;
	case 201: *s = "CUDA_ERROR_INVALID_CONTEXT"; return 0;
	case 700: *s = "CUDA_ERROR_ILLEGAL_ADDRESS"; return 0;
	case 218: *s = "CUDA_ERROR_INVALID_PTX"; return 0;
	}
	return 1;
}
int cuGetErrorString(int r, const char **s) {
	if (r == 700) return 1;
	*s = "words of the driver";
	return 0;
}
int cuDeviceGetCount(int *n) { *n = COUNT; return 0; }
int cuDeviceGet(int *d, int i) { *d = 40 + i; return 0; }
int cuDeviceGetName(char *name, int len, int d) {
	if (d != 40 || len < 32) return 1;
	strcpy(name, "NVIDIA Made Up 100");
	return 0;
}
int cuDeviceGetAttribute(int *v, int what, int d) {
	*v = what == 75 ? MAJOR : 1;
	return d == 40 ? 0 : 101;
}
int cuDevicePrimaryCtxRetain(void **c, int d) { *c = &context; return d == 40 ? 0 : 101; }
#ifndef OLD
int cuDevicePrimaryCtxRelease_v2(int d) { return d == 40 && live == 0 && modules == 0 ? 0 : 1; }
#endif
int cuCtxSetCurrent(void *c) { current = c; return 0; }
int cuCtxSynchronize(void) { CURRENT(); return 0; }
int cuModuleLoadDataEx(void **m, const char *text, unsigned n, const int *keys, void **values) {
	CURRENT();
	if (n != 2 || keys[0] != 5 || keys[1] != 6) return 1;
	if (strstr(text, "mistake")) {
		strncpy(values[0], "ptxas: a mistake in line 1", (size_t)values[1]);
		return 218;
	}
	modules++;
	*m = strdup(text);
	return 0;
}
int cuModuleGetFunction(const char **f, const char *m, const char *name) {
	CURRENT();
	const char *at = strstr(m, name);
	if (!at) return 500;
	*f = at;
	return 0;
}
int cuModuleUnload(void *m) { CURRENT(); modules--; free(m); return 0; }
int cuFuncGetAttribute(int *v, int what, void *f) { CURRENT(); *v = what == 4 ? 63 : 8; return 0; }
int cuMemAlloc_v2(void **p, size_t n) {
	CURRENT();
	if (n > 1 << 20) return 2;
	live++;
	*p = malloc(n);
	return 0;
}
int cuMemFree_v2(void *p) { CURRENT(); live--; free(p); return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { CURRENT(); *free = 3 << 20; *total = 64 << 20; return 0; }
int cuMemcpyHtoD_v2(void *to, const void *from, size_t n) { CURRENT(); memcpy(to, from, n); return 0; }
int cuMemcpyDtoH_v2(void *to, const void *from, size_t n) { CURRENT(); memcpy(to, from, n); return 0; }
int cuMemsetD32_v2(uint32_t *to, uint32_t x, size_t n) {
	CURRENT();
	while (n--) *to++ = x;
	return 0;
}
int cuLaunchKernel(const char *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **params, void **extra) {
	CURRENT();
	if (params || extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] || *(size_t *)extra[3] != 12 || shared || stream) return 1;
	if (strncmp(f, "adds", 4)) return 700;
	uint32_t *p = *(uint32_t **)extra[1], x = *(uint32_t *)((char *)extra[1] + 8);
	for (unsigned i = 0; i < gx * gy * gz * bx * by * bz; i++) p[i] += x;
	return 0;
}
