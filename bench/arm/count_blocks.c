/* A plugin for qemu 7.2 (version 1 of the interface): counts how often each block of instructions
 * runs.
 *
 *   cc -shared -fPIC -O2 -o count_blocks.so count_blocks.c
 *   qemu-aarch64 -plugin ./count_blocks.so,out=FILE PROGRAM
 *
 * FILE gets one line per translated block: its address, how often it ran, and its instructions as
 * words of eight hexadecimal digits. A block ends with a branch, so it runs to its end but for a
 * trap; the sum of runs times instructions is the number of instructions executed. One thread. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of the interface that is used. qemu resolves the functions when it loads the plugin. */
typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
typedef void (*translated_function)(qemu_plugin_id_t, struct qemu_plugin_tb*);
typedef void (*executed_function)(unsigned int cpu, void* data);
typedef void (*exit_function)(qemu_plugin_id_t, void* data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated_function);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb*, executed_function,
                                          enum qemu_plugin_cb_flags, void* data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, exit_function, void* data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb*);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

enum { kWordBytes = 4, kMaxPath = 4096 };

struct block {
  struct block* next;
  uint64_t address, runs;
  size_t count;
  uint32_t words[];
};

static struct block* blocks;
static char out[kMaxPath];

static void fail(const char* what) {
  (void)fprintf(stderr, "count_blocks: %s\n", what);
  exit(1);
}

static void on_executed(unsigned int cpu, void* data) {
  (void)cpu;
  ++((struct block*)data)->runs;
}

static void on_translated(qemu_plugin_id_t id, struct qemu_plugin_tb* tb) {
  (void)id;
  const size_t count = qemu_plugin_tb_n_insns(tb);
  struct block* b = calloc(1, sizeof *b + count * sizeof b->words[0]);
  if (b == NULL) fail("no memory");
  b->address = qemu_plugin_tb_vaddr(tb);
  b->count = count;
  for (size_t i = 0; i < count; ++i) {
    const struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(tb, i);
    if (qemu_plugin_insn_size(insn) != kWordBytes) fail("an instruction is not of 4 bytes");
    memcpy(&b->words[i], qemu_plugin_insn_data(insn), kWordBytes);
  }
  b->next = blocks;
  blocks = b;
  qemu_plugin_register_vcpu_tb_exec_cb(tb, on_executed, QEMU_PLUGIN_CB_NO_REGS, b);
}

static void on_exit_of_program(qemu_plugin_id_t id, void* data) {
  (void)id, (void)data;
  FILE* file = fopen(out, "w");
  if (file == NULL) fail("out= cannot be written");
  for (const struct block* b = blocks; b != NULL; b = b->next) {
    if (b->runs == 0) continue;
    (void)fprintf(file, "%" PRIx64 " %" PRIu64 " ", b->address, b->runs);
    for (size_t i = 0; i < b->count; ++i) (void)fprintf(file, "%08" PRIx32, b->words[i]);
    (void)fputc('\n', file);
  }
  if (fclose(file) != 0) fail("out= cannot be written");
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                                 char** argv) {
  (void)info;
  if (argc != 1 || strncmp(argv[0], "out=", 4) != 0 || strlen(argv[0]) >= sizeof out) {
    (void)fprintf(stderr, "count_blocks: the only argument is out=FILE\n");
    return 1;
  }
  memcpy(out, argv[0] + 4, strlen(argv[0]) - 3);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
  qemu_plugin_register_atexit_cb(id, on_exit_of_program, NULL);
  return 0;
}
