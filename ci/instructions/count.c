// A plugin of QEMU that counts the instructions of a Go benchmark. It prints the number of
// instructions executed so far at each call of testing.(*B).loopSlowPath, by which a loop over
// b.Loop begins and, with -benchtime 1x, ends. The difference of two numbers is that of one
// iteration, with all threads. ci/instructions/run builds and uses it.
//
// Debian packages no header of QEMU's plugin interface, so the part in use is declared here, that of
// version 1. QEMU 7.2 has it; versions that want a later interface refuse the plugin.

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t id;
struct tb;
struct insn;

size_t qemu_plugin_tb_n_insns(const struct tb *);
uint64_t qemu_plugin_tb_vaddr(const struct tb *);
struct insn *qemu_plugin_tb_get_insn(const struct tb *, size_t);
const char *qemu_plugin_insn_symbol(const struct insn *);
void qemu_plugin_register_vcpu_tb_trans_cb(id, void (*)(id, struct tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct tb *, int op, void *, uint64_t);
void qemu_plugin_register_vcpu_tb_exec_cb(struct tb *, void (*)(unsigned cpu, void *), int flags, void *);

int qemu_plugin_version = 1;

enum { add = 0, noRegisters = 0 };

static uint64_t count; // threads may lose a few additions to each other
static uint64_t entry; // of loopSlowPath

static void print(unsigned cpu, void *unused) { fprintf(stderr, "instructions %" PRIu64 "\n", count); }

static void translated(id self, struct tb *block)
{
	const char *name = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(block, 0));
	if (name && !strcmp(name, "testing.(*B).loopSlowPath")) {
		if (!entry)
			entry = qemu_plugin_tb_vaddr(block);
		if (qemu_plugin_tb_vaddr(block) == entry)
			qemu_plugin_register_vcpu_tb_exec_cb(block, print, noRegisters, NULL);
	}
	qemu_plugin_register_vcpu_tb_exec_inline(block, add, &count, qemu_plugin_tb_n_insns(block));
}

int qemu_plugin_install(id self, const void *info, int argc, char **argv)
{
	qemu_plugin_register_vcpu_tb_trans_cb(self, translated);
	return 0;
}
