/* What a run leaves in y depends on nothing but desc and x, and all of y is written: random jobs on
 * every instruction set run twice, with other bytes in y and workspace. Plain C without a
 * framework, so that MemorySanitizer sees all of it: in such a build y and workspace are poisoned
 * instead, and a branch or a result that depends on them is an error. LANEPOOL_CASES makes more
 * jobs. */
#include <lanepool/lanepool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define LANEPOOL_MSAN 1
#endif
#endif

static uint64_t state = 20261121;

/* In [0, n). */
static int64_t Below(int64_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)n);
}

static int32_t OneOf(const int32_t* values, size_t count) { return values[Below((int64_t)count)]; }

static lanepool_params MakeParams(uint64_t target) {
  static const int32_t kTypes[] = {
      LANEPOOL_TYPE_FLOAT,    LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_FLOAT16,
      LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_UINT8,  LANEPOOL_TYPE_INT8,
      LANEPOOL_TYPE_UINT16,   LANEPOOL_TYPE_INT16,  LANEPOOL_TYPE_INT32};
  static const int32_t kOps[] = {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MIN,
                                 LANEPOOL_OP_SUM, LANEPOOL_OP_LP};
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.target_mask = target;
  p.op = OneOf(kOps, sizeof kOps / sizeof *kOps);
  p.layout = Below(2) != 0 ? LANEPOOL_LAYOUT_NCHW : LANEPOOL_LAYOUT_NHWC;
  p.rank = 1 + (int32_t)Below(3);
  p.x_type = p.y_type = OneOf(kTypes, sizeof kTypes / sizeof *kTypes);
  p.batch = 1 + Below(2);
  p.channels = 1 + Below(Below(3) == 0 ? 90 : 9);
  p.ceil_mode = (int32_t)Below(3);
  p.divisor = (int32_t)Below(3);
  p.nan_rule = (int32_t)(Below(4) == 0);
  if (p.op == LANEPOOL_OP_MAX && Below(3) == 0) p.index_type = LANEPOOL_TYPE_INT64;
  const int byte = p.x_type == LANEPOOL_TYPE_UINT8 || p.x_type == LANEPOOL_TYPE_INT8;
  if (byte && Below(2) != 0) {
    p.x_scale = 0.02f * (float)(1 + Below(9));
    p.x_zero_point = (int32_t)Below(100);
    if (p.op == LANEPOOL_OP_AVERAGE && Below(3) == 0) p.y_type = LANEPOOL_TYPE_FLOAT;
  }
  for (int i = 0; i < p.rank; ++i) {
    const int64_t most = p.rank == 3 ? 9 : p.rank == 2 ? 30 : 200;
    p.input[i] = 1 + Below(most);
    p.kernel[i] = 1 + Below(Below(4) == 0 ? 13 : 4);
    p.strides[i] = 1 + Below(3);
    p.dilations[i] = Below(4) == 0 ? 2 : 1;
    p.pads_begin[i] = Below(p.kernel[i]);
    p.pads_end[i] = Below(p.kernel[i]);
  }
  return p;
}

static void* Allocate(int64_t bytes, int fill) {
  void* const buffer = malloc(bytes == 0 ? 1 : (size_t)bytes);
  if (buffer == NULL) exit(2);
  memset(buffer, fill, (size_t)bytes);
#ifdef LANEPOOL_MSAN
  __msan_poison(buffer, (size_t)bytes);
#endif
  return buffer;
}

/* Whether both runs leave the same, and all of it is known. */
static int Same(const void* a, const void* b, int64_t bytes) {
#ifdef LANEPOOL_MSAN
  __msan_check_mem_is_initialized(a, (size_t)bytes);
  __msan_check_mem_is_initialized(b, (size_t)bytes);
#endif
  return memcmp(a, b, (size_t)bytes) == 0;
}

/* 0: refused by the plan, 1: as promised, -1: not. */
static int Check(uint64_t target) {
  const lanepool_params params = MakeParams(target);
  lanepool_desc desc;
  if (lanepool_plan(&params, &desc, NULL) != LANEPOOL_OK) return 0;
  unsigned char* const x = malloc((size_t)desc.x_bytes);
  if (x == NULL) exit(2);
  for (int64_t i = 0; i < desc.x_bytes; ++i) x[i] = (unsigned char)Below(256);
  void* y[2];
  void* index[2];
  int good = 1;
  for (int i = 0; i < 2; ++i) {
    const int fill = i == 0 ? 0x00 : 0xFF;
    y[i] = Allocate(desc.y_bytes, fill);
    index[i] = Allocate(desc.index_bytes, fill);
    void* const workspace = Allocate(desc.workspace_bytes, fill ^ 0x5A);
    void* const indices = desc.index_bytes == 0 ? NULL : index[i];
    good = lanepool_run(&desc, x, (size_t)desc.x_bytes, y[i], (size_t)desc.y_bytes, indices,
                        (size_t)desc.index_bytes, workspace,
                        (size_t)desc.workspace_bytes) == LANEPOOL_OK &&
           good;
    free(workspace);
  }
  good = good && Same(y[0], y[1], desc.y_bytes) && Same(index[0], index[1], desc.index_bytes);
  if (!good) {
    char text[400];
    lanepool_explain(&desc, text, sizeof text);
    fprintf(stderr, "not all of y follows from x: %s\n", text);
  }
  for (int i = 0; i < 2; ++i) {
    free(y[i]);
    free(index[i]);
  }
  free(x);
  return good ? 1 : -1;
}

int main(void) {
  const char* const cases = getenv("LANEPOOL_CASES");
  const long count = cases != NULL ? atol(cases) : 4000;
  const uint64_t targets = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  int failed = 0;
  for (uint64_t bit = 1; bit != 0; bit <<= 1) {
    if ((targets & bit) == 0) continue;
    long run = 0;
    while (run < count) {
      const int result = Check(bit);
      if (result != 0) ++run;
      if (result < 0) failed = 1;
    }
    printf("%s: %ld jobs\n", lanepool_target_name(bit), run);
  }
  return failed;
}
