// A stand-in for libcuda in tests. Device memory is host memory, and a kernel adds a
// number to the words from an address on. The stand-in checks what the real library
// requires: a context is current on the calling thread, and asynchronous copies use
// pinned memory. It queues asynchronous copies and launches, and runs them when a call
// waits for them.
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
#ifndef MOST
#define MOST (1 << 20)
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
int cuCtxSetCurrent(void *c) { current = c; return 0; }
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
int cuFuncGetAttribute(int *v, int what, void *f) { CURRENT(); *v = what == 4 ? 63 : 8; return 0; }
int cuMemAlloc_v2(void **p, size_t n) {
	CURRENT();
	if (n > MOST) return 2;
	live++;
	*p = malloc(n);
	return 0;
}
static void drain(void);
int cuMemFree_v2(void *p) { CURRENT(); drain(); live--; free(p); return 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) { CURRENT(); *free = 3 << 20; *total = 64 << 20; return 0; }

// The queue of asynchronous work of all threads, and the pinned memory.
struct work {
	char kind; // c: copy, l: launch
	uint32_t *to;
	const void *from;
	size_t n;
	uint32_t x;
	const char *f; // the kernel
};
static struct work queue[1 << 16];
static size_t queued;
static int lock;
static char *pinned[16];
static size_t pinnedBytes;
static void enter(void) { while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)); }
static void leave(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }
static void flush(void) {
	for (size_t i = 0; i < queued; i++) {
		struct work *w = &queue[i];
		if (w->kind == 'c') memcpy(w->to, w->from, w->n);
		for (size_t j = 0; w->kind == 'l' && j < w->n; j++) w->to[j] += w->x;
	}
	queued = 0;
}
static void drain(void) { enter(); flush(); leave(); }
static int later(struct work w) {
	enter();
	if (queued == sizeof queue / sizeof *queue) flush();
	queue[queued++] = w;
	leave();
	return 0;
}
// cuModuleUnload returns an error if a kernel of the module is still queued.
int cuModuleUnload(char *m) {
	CURRENT();
	int busy = 0;
	enter();
	for (size_t i = 0; i < queued; i++) busy |= queue[i].f >= m && queue[i].f < m + strlen(m);
	leave();
	modules--;
	free(m);
	return busy;
}
static int isPinned(const char *p, size_t n) {
	int found = 0;
	enter();
	for (int i = 0; i < 16; i++) found |= pinned[i] && p >= pinned[i] && p + n <= pinned[i] + pinnedBytes;
	leave();
	return found;
}
int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
	CURRENT();
#ifdef UNPINNED
	return 2;
#endif
	if (flags) return 1;
	*p = malloc(n);
	enter();
	pinnedBytes = n;
	for (int i = 0; i < 16; i++)
		if (!pinned[i]) { pinned[i] = *p; break; }
	leave();
	live++;
	return 0;
}
int cuMemFreeHost(void *p) {
	CURRENT();
	drain();
	enter();
	for (int i = 0; i < 16; i++)
		if (pinned[i] == p) pinned[i] = 0;
	leave();
	live--;
	free(p);
	return 0;
}
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t n, void *stream) {
	CURRENT();
	if (stream || !isPinned(from, n)) return 1;
	return later((struct work){'c', to, from, n});
}
int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t n, void *stream) {
	CURRENT();
	if (stream || !isPinned(to, n)) return 1;
	return later((struct work){'c', to, from, n});
}
int cuStreamSynchronize(void *stream) { CURRENT(); drain(); return stream ? 1 : 0; }
int cuCtxSynchronize(void) { CURRENT(); drain(); return 0; }
int cuMemcpyHtoD_v2(void *to, const void *from, size_t n) { CURRENT(); drain(); memcpy(to, from, n); return 0; }
int cuMemcpyDtoH_v2(void *to, const void *from, size_t n) { CURRENT(); drain(); memcpy(to, from, n); return 0; }
int cuMemsetD32_v2(uint32_t *to, uint32_t x, size_t n) {
	CURRENT();
	drain();
	while (n--) *to++ = x;
	return 0;
}
static int launch(struct work *w, const char *f, const unsigned *size, void **extra) {
	if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] || *(size_t *)extra[3] != 12) return 1;
	if (strncmp(f, "adds", 4)) return 700;
	size_t n = 1;
	for (int i = 0; i < 6; i++) n *= size[i];
	*w = (struct work){'l', *(uint32_t **)extra[1], 0, n, *(uint32_t *)((char *)extra[1] + 8), f};
	return 0;
}
int cuLaunchKernel(const char *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **params, void **extra) {
	CURRENT();
	if (params || shared || stream) return 1;
	struct work w;
	int r = launch(&w, f, (unsigned[]){gx, gy, gz, bx, by, bz}, extra);
	return r ? r : later(w);
}

// A graph is a sequence of launches.
struct graph {
	size_t n;
	struct work w[64];
};
struct node { // CUDA_KERNEL_NODE_PARAMS
	const char *f;
	unsigned size[6], shared;
	void **params, **extra;
};
static int graphs;
int cuGraphCreate(struct graph **g, unsigned flags) { CURRENT(); *g = calloc(1, sizeof **g); graphs++; return flags ? 1 : 0; }
int cuGraphAddKernelNode(struct work **node, struct graph *g, struct work *const *before, size_t n, const struct node *p) {
	CURRENT();
	if (n != (g->n > 0) || (n && *before != &g->w[g->n - 1]) || p->params || p->shared || g->n == 64) return 1;
	*node = &g->w[g->n];
	int r = launch(*node, p->f, p->size, p->extra);
	g->n += !r;
	return r;
}
#ifndef NOGRAPHS
int cuGraphInstantiateWithFlags(struct graph **ready, struct graph *g, unsigned long long flags) {
	CURRENT();
	*ready = malloc(sizeof **ready);
	**ready = *g;
	graphs++;
	return flags ? 1 : 0;
}
#endif
int cuGraphDestroy(struct graph *g) { CURRENT(); graphs--; free(g); return 0; }
int cuGraphExecDestroy(struct graph *g) { CURRENT(); graphs--; free(g); return 0; }
int cuGraphLaunch(struct graph *g, void *stream) {
	CURRENT();
	for (size_t i = 0; i < g->n; i++) later(g->w[i]);
	return stream ? 1 : 0;
}
#ifndef OLD
int cuDevicePrimaryCtxRelease_v2(int d) { return d == 40 && live == 0 && modules == 0 && graphs == 0 ? 0 : 1; }
#endif
