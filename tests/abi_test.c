/* lanepool.h for a C99 compiler: sizes, offsets and constants as they were released, and a call of
 * each function. The numbers are literal on purpose: they are the binary interface. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lanepool/lanepool.h"

static int failures = 0;
static unsigned char workspace[1 << 16]; /* of all calls */

static void check(const char* what, long long got, long long expected) {
  if (got == expected) return;
  fprintf(stderr, "%s is %lld, not %lld\n", what, got, expected);
  ++failures;
}

#define SIZE(type, bytes) check("sizeof " #type, (long long)sizeof(type), bytes)
#define AT(type, field, offset) check(#type "." #field, (long long)offsetof(type, field), offset)
#define VALUE(constant, number) check(#constant, (long long)(constant), number)

static void check_params(void) {
  SIZE(lanepool_params, 472);
  AT(lanepool_params, struct_size, 0);
  AT(lanepool_params, op, 4);
  AT(lanepool_params, layout, 8);
  AT(lanepool_params, rank, 12);
  AT(lanepool_params, x_type, 16);
  AT(lanepool_params, y_type, 20);
  AT(lanepool_params, index_type, 24);
  AT(lanepool_params, auto_pad, 28);
  AT(lanepool_params, ceil_mode, 32);
  AT(lanepool_params, valid_ceil, 36);
  AT(lanepool_params, oversize_kernel, 40);
  AT(lanepool_params, divisor, 44);
  AT(lanepool_params, empty_window, 48);
  AT(lanepool_params, nan_rule, 52);
  AT(lanepool_params, rounding, 56);
  AT(lanepool_params, index_mode, 60);
  AT(lanepool_params, storage_order, 64);
  AT(lanepool_params, flags, 68);
  AT(lanepool_params, target_mask, 72);
  AT(lanepool_params, divisor_value, 80);
  AT(lanepool_params, batch, 88);
  AT(lanepool_params, channels, 96);
  AT(lanepool_params, input, 104);
  AT(lanepool_params, kernel, 128);
  AT(lanepool_params, strides, 152);
  AT(lanepool_params, dilations, 176);
  AT(lanepool_params, pads_begin, 200);
  AT(lanepool_params, pads_end, 224);
  AT(lanepool_params, output_size, 248);
  AT(lanepool_params, x_strides, 272);
  AT(lanepool_params, y_strides, 312);
  AT(lanepool_params, index_strides, 352);
  AT(lanepool_params, x_scale, 392);
  AT(lanepool_params, y_scale, 396);
  AT(lanepool_params, x_zero_point, 400);
  AT(lanepool_params, y_zero_point, 404);
  AT(lanepool_params, x_scale_count, 408);
  AT(lanepool_params, y_scale_count, 412);
  AT(lanepool_params, clamp_low, 416);
  AT(lanepool_params, clamp_high, 424);
  AT(lanepool_params, lp_order, 432);
  AT(lanepool_params, reserved, 440);
}

static void check_desc_and_error(void) {
  SIZE(lanepool_desc, 2048);
  AT(lanepool_desc, magic, 0);
  AT(lanepool_desc, abi_version, 4);
  AT(lanepool_desc, x_bytes, 8);
  AT(lanepool_desc, y_bytes, 16);
  AT(lanepool_desc, index_bytes, 24);
  AT(lanepool_desc, workspace_bytes, 32);
  AT(lanepool_desc, work_items, 40);
  AT(lanepool_desc, table_bytes, 48);
  AT(lanepool_desc, output, 56);
  AT(lanepool_desc, pads_begin, 80);
  AT(lanepool_desc, pads_end, 104);
  AT(lanepool_desc, element_count, 128);
  AT(lanepool_desc, has_empty_windows, 136);
  AT(lanepool_desc, rank, 140);
  AT(lanepool_desc, sealed, 144);

  SIZE(lanepool_error, 40);
  AT(lanepool_error, status, 0);
  AT(lanepool_error, field, 4);
  AT(lanepool_error, axis, 8);
  AT(lanepool_error, rule, 12);
  AT(lanepool_error, value, 16);
  AT(lanepool_error, limit, 24);
  AT(lanepool_error, real, 32);
}

static void check_statuses(void) {
  VALUE(LANEPOOL_OK, 0);
  VALUE(LANEPOOL_NULL, 1);
  VALUE(LANEPOOL_STRUCT_SIZE, 2);
  VALUE(LANEPOOL_OP, 3);
  VALUE(LANEPOOL_TYPE, 4);
  VALUE(LANEPOOL_LAYOUT, 5);
  VALUE(LANEPOOL_RANK, 6);
  VALUE(LANEPOOL_DIM, 7);
  VALUE(LANEPOOL_KERNEL, 8);
  VALUE(LANEPOOL_STRIDE, 9);
  VALUE(LANEPOOL_DILATION, 10);
  VALUE(LANEPOOL_PAD, 11);
  VALUE(LANEPOOL_AUTO_PAD, 12);
  VALUE(LANEPOOL_POLICY, 13);
  VALUE(LANEPOOL_OVERFLOW, 14);
  VALUE(LANEPOOL_EMPTY_OUTPUT, 15);
  VALUE(LANEPOOL_EMPTY_WINDOW, 16);
  VALUE(LANEPOOL_VIEW, 17);
  VALUE(LANEPOOL_SCALE, 18);
  VALUE(LANEPOOL_ZERO_POINT, 19);
  VALUE(LANEPOOL_FLAG, 20);
  VALUE(LANEPOOL_TARGET, 21);
  VALUE(LANEPOOL_UNSUPPORTED, 22);
  VALUE(LANEPOOL_DESC, 23);
  VALUE(LANEPOOL_X_SIZE, 24);
  VALUE(LANEPOOL_Y_SIZE, 25);
  VALUE(LANEPOOL_INDEX_SIZE, 26);
  VALUE(LANEPOOL_WORKSPACE, 27);
  VALUE(LANEPOOL_ALIGNMENT, 28);
  VALUE(LANEPOOL_OVERLAP, 29);
  VALUE(LANEPOOL_RANGE, 30);
  VALUE(LANEPOOL_TABLE, 31);
  VALUE(LANEPOOL_INDEX, 32);
}

static void check_codes(void) {
  VALUE(LANEPOOL_OP_AVERAGE, 1);
  VALUE(LANEPOOL_OP_MAX, 2);
  VALUE(LANEPOOL_OP_MIN, 3);
  VALUE(LANEPOOL_OP_SUM, 4);
  VALUE(LANEPOOL_OP_LP, 5);
  VALUE(LANEPOOL_OP_MAX_UNPOOL, 6);
  VALUE(LANEPOOL_LAYOUT_NCHW, 1);
  VALUE(LANEPOOL_LAYOUT_NHWC, 2);
  VALUE(LANEPOOL_TYPE_NONE, 0);
  VALUE(LANEPOOL_TYPE_FLOAT, 1);
  VALUE(LANEPOOL_TYPE_UINT8, 2);
  VALUE(LANEPOOL_TYPE_INT8, 3);
  VALUE(LANEPOOL_TYPE_UINT16, 4);
  VALUE(LANEPOOL_TYPE_INT16, 5);
  VALUE(LANEPOOL_TYPE_INT32, 6);
  VALUE(LANEPOOL_TYPE_INT64, 7);
  VALUE(LANEPOOL_TYPE_FLOAT16, 10);
  VALUE(LANEPOOL_TYPE_DOUBLE, 11);
  VALUE(LANEPOOL_TYPE_BFLOAT16, 16);
  VALUE(LANEPOOL_AUTO_PAD_NOTSET, 0);
  VALUE(LANEPOOL_AUTO_PAD_VALID, 1);
  VALUE(LANEPOOL_AUTO_PAD_SAME_UPPER, 2);
  VALUE(LANEPOOL_AUTO_PAD_SAME_LOWER, 3);
}

static void check_policies(void) {
  VALUE(LANEPOOL_CEIL_OFF, 0);
  VALUE(LANEPOOL_CEIL_ON, 1);
  VALUE(LANEPOOL_CEIL_KEEP, 2);
  VALUE(LANEPOOL_VALID_CEIL, 0);
  VALUE(LANEPOOL_VALID_FLOOR, 1);
  VALUE(LANEPOOL_OVERSIZE_REJECT, 0);
  VALUE(LANEPOOL_OVERSIZE_TRUNCATE, 1);
  VALUE(LANEPOOL_DIVISOR_EXCLUDE_PAD, 0);
  VALUE(LANEPOOL_DIVISOR_INCLUDE_PAD, 1);
  VALUE(LANEPOOL_DIVISOR_FULL_KERNEL, 2);
  VALUE(LANEPOOL_DIVISOR_CONSTANT, 3);
  VALUE(LANEPOOL_EMPTY_ZERO, 0);
  VALUE(LANEPOOL_EMPTY_NAN, 1);
  VALUE(LANEPOOL_EMPTY_REJECT, 2);
  VALUE(LANEPOOL_NAN_PROPAGATE, 0);
  VALUE(LANEPOOL_NAN_IGNORE, 1);
  VALUE(LANEPOOL_ROUND_HALF_EVEN, 0);
  VALUE(LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT, 1);
  VALUE(LANEPOOL_ROUND_HALF_AWAY, 2);
  VALUE(LANEPOOL_INDEX_NCHW, 0);
  VALUE(LANEPOOL_INDEX_NHWC, 1);
  VALUE(LANEPOOL_INDEX_PLANE, 2);
  VALUE(LANEPOOL_INDEX_WINDOW, 3);
  VALUE(LANEPOOL_STORAGE_ROW_MAJOR, 0);
  VALUE(LANEPOOL_STORAGE_COLUMN_MAJOR, 1);
  VALUE(LANEPOOL_FLAG_GLOBAL, 1);
  VALUE(LANEPOOL_FLAG_STRICT_ORDER, 2);
  VALUE(LANEPOOL_FLAG_ACCUMULATE_F64, 4);
  VALUE(LANEPOOL_FLAG_CLAMP, 8);
  VALUE(LANEPOOL_FLAG_ADAPTIVE, 16);
}

static void check_arguments(void) {
  VALUE(LANEPOOL_DIALECT_ONNX, 0);
  VALUE(LANEPOOL_DIALECT_ORT, 1);
  VALUE(LANEPOOL_DIALECT_TORCH, 2);
  VALUE(LANEPOOL_DIALECT_TFLITE, 3);
  VALUE(LANEPOOL_DIALECT_ONEDNN, 4);
  VALUE(LANEPOOL_GET_X_BYTES, 0);
  VALUE(LANEPOOL_GET_Y_BYTES, 1);
  VALUE(LANEPOOL_GET_INDEX_BYTES, 2);
  VALUE(LANEPOOL_GET_WORKSPACE_BYTES, 3);
  VALUE(LANEPOOL_GET_WORK_ITEMS, 4);
  VALUE(LANEPOOL_GET_ELEMENT_COUNT, 5);
  VALUE(LANEPOOL_GET_HAS_EMPTY_WINDOWS, 6);
  VALUE(LANEPOOL_GET_RANK, 7);
  VALUE(LANEPOOL_GET_TABLE_BYTES, 8);
  VALUE(LANEPOOL_GET_OUTPUT, 16);
  VALUE(LANEPOOL_GET_PADS_BEGIN, 20);
  VALUE(LANEPOOL_GET_PADS_END, 24);
  VALUE(LANEPOOL_TARGETS_COMPILED, 0);
  VALUE(LANEPOOL_TARGETS_SUPPORTED, 1);
  VALUE(LANEPOOL_TARGETS_BEST, 2);
  VALUE(LANEPOOL_MACHINE_L1D_BYTES, 0);
  VALUE(LANEPOOL_MACHINE_L2_BYTES, 1);
  VALUE(LANEPOOL_MACHINE_L3_BYTES, 2);
  VALUE(LANEPOOL_MACHINE_CORES, 3);
  VALUE(LANEPOOL_MACHINE_DETECTED, 4);
  VALUE(LANEPOOL_ABI_VERSION, 1);
}

/* Max of 2 over 1 5 2 4, stride 1. */
static void check_calls(void) {
  const float x[4] = {1, 5, 2, 4};
  const float expected[3] = {5, 5, 4};
  float y[3] = {0, 0, 0};
  char text[200];
  lanepool_params p, back;
  lanepool_desc d;
  lanepool_error e;

  check("params_init", lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX), LANEPOOL_OK);
  p.op = LANEPOOL_OP_MAX;
  p.layout = LANEPOOL_LAYOUT_NCHW;
  p.rank = 1;
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  p.input[0] = 4;
  check("plan without a kernel", lanepool_plan(&p, &d, &e), LANEPOOL_KERNEL);
  check("error.axis", e.axis, 0);
  check("error_format", lanepool_error_format(&e, text, sizeof text) > 0, 1);
  p.kernel[0] = 2;
  check("plan", lanepool_plan(&p, &d, &e), LANEPOOL_OK);
  check("output", d.output[0], 3);
  check("desc_get", lanepool_desc_get(&d, LANEPOOL_GET_OUTPUT), 3);
  check("desc_check", lanepool_desc_check(&d, sizeof d, &e), LANEPOOL_OK);
  check("desc_params", lanepool_desc_params(&d, &back, sizeof back), LANEPOOL_OK);
  check("params come back", memcmp(&back, &p, sizeof p), 0);
  check("desc_get workspace", lanepool_desc_get(&d, LANEPOOL_GET_WORKSPACE_BYTES),
        d.workspace_bytes);
  check("workspace", d.workspace_bytes >= 0 && d.workspace_bytes <= (int64_t)sizeof workspace, 1);
  check("run", lanepool_run(&d, x, sizeof x, y, sizeof y, NULL, 0, workspace, sizeof workspace),
        LANEPOOL_OK);
  check("result", memcmp(y, expected, sizeof y), 0);
  memset(y, 0, sizeof y);
  check("run_range",
        lanepool_run_range(&d, x, sizeof x, y, sizeof y, NULL, 0, workspace, sizeof workspace, 0,
                           d.work_items),
        LANEPOOL_OK);
  check("result of the range", memcmp(y, expected, sizeof y), 0);
  check("explain", lanepool_explain(&d, text, sizeof text) == (int)strlen(text), 1);
}

/* Average of 2 over 1 2 | 3 6 in u8, two channels of which the second has half the x_scale. */
static void check_table_calls(void) {
  const uint8_t x[4] = {1, 2, 3, 6};
  const float x_scales[2] = {1, 0.5f};
  const uint8_t expected[2] = {2, 2};
  uint8_t y[2] = {0, 0};
  uint64_t table[4096];
  lanepool_params p;
  lanepool_desc d;
  lanepool_error e;

  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = LANEPOOL_OP_AVERAGE;
  p.layout = LANEPOOL_LAYOUT_NHWC;
  p.rank = 1;
  p.x_type = p.y_type = LANEPOOL_TYPE_UINT8;
  p.channels = p.x_scale_count = 2;
  p.input[0] = p.kernel[0] = 2;
  check("plan with arrays", lanepool_plan(&p, &d, &e), LANEPOOL_OK);
  check("desc_get table", lanepool_desc_get(&d, LANEPOOL_GET_TABLE_BYTES), d.table_bytes);
  check("table_bytes", d.table_bytes > 0 && d.table_bytes <= (int64_t)sizeof table, 1);
  check("run without table",
        lanepool_run(&d, x, sizeof x, y, sizeof y, NULL, 0, workspace, sizeof workspace),
        LANEPOOL_TABLE);
  check("table_init", lanepool_table_init(&d, x_scales, NULL, NULL, NULL, table, sizeof table, &e),
        LANEPOOL_OK);
  check("run_table",
        lanepool_run_table(&d, table, sizeof table, x, sizeof x, y, sizeof y, NULL, 0, workspace,
                           sizeof workspace, 0, d.work_items),
        LANEPOOL_OK);
  check("result of the table", memcmp(y, expected, sizeof y), 0);
}

/* Max of 2 over 1 5 | 2 4 with indices, and back: a wrong index writes nothing. */
static void check_index_calls(void) {
  const float x[4] = {1, 5, 2, 4};
  const float unpooled[4] = {0, 5, 0, 4};
  const int64_t expected[2] = {1, 3};
  int64_t index[2] = {-7, -7};
  float y[2] = {0, 0}, back[4] = {9, 9, 9, 9};
  lanepool_params p;
  lanepool_desc d;
  lanepool_error e;

  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = LANEPOOL_OP_MAX;
  p.layout = LANEPOOL_LAYOUT_NCHW;
  p.rank = 1;
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  p.index_type = LANEPOOL_TYPE_INT64;
  p.input[0] = 4;
  p.kernel[0] = p.strides[0] = 2;
  check("plan with indices", lanepool_plan(&p, &d, &e), LANEPOOL_OK);
  check("index_bytes", d.index_bytes, (long long)sizeof index);
  check("run without index",
        lanepool_run(&d, x, sizeof x, y, sizeof y, NULL, 0, workspace, sizeof workspace),
        LANEPOOL_NULL);
  check(
      "run with indices",
      lanepool_run(&d, x, sizeof x, y, sizeof y, index, sizeof index, workspace, sizeof workspace),
      LANEPOOL_OK);
  check("indices", memcmp(index, expected, sizeof index), 0);
  p.op = LANEPOOL_OP_MAX_UNPOOL;
  p.input[0] = 2;
  check("plan to unpool", lanepool_plan(&p, &d, &e), LANEPOOL_OK);
  check("inferred output", d.output[0], 4);
  check("unpool",
        lanepool_run(&d, y, sizeof y, back, sizeof back, index, sizeof index, workspace,
                     sizeof workspace),
        LANEPOOL_OK);
  check("unpooled", memcmp(back, unpooled, sizeof back), 0);
  index[0] = 4;
  back[0] = 9;
  check("unpool with a wrong index",
        lanepool_run(&d, y, sizeof y, back, sizeof back, index, sizeof index, workspace,
                     sizeof workspace),
        LANEPOOL_INDEX);
  check("nothing is written", back[0] == 9, 1);
}

static void check_queries(void) {
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  check("params_size", (long long)lanepool_params_size(), 472);
  check("desc_size", (long long)lanepool_desc_size(), 2048);
  check("abi_version", lanepool_abi_version(), 1);
  check("version", strcmp(lanepool_version(), "0.1.0"), 0);
  check("status_name", strcmp(lanepool_status_name(LANEPOOL_KERNEL), "KERNEL"), 0);
  check("last status_name", strcmp(lanepool_status_name(LANEPOOL_INDEX), "INDEX"), 0);
  check("target_name", strcmp(lanepool_target_name(best), "?") != 0, 1);
  check("machine", lanepool_machine(LANEPOOL_MACHINE_CORES) >= 1, 1);
}

int main(void) {
  check_params();
  check_desc_and_error();
  check_statuses();
  check_codes();
  check_policies();
  check_arguments();
  check_calls();
  check_table_calls();
  check_index_calls();
  check_queries();
  if (failures == 0) puts("the binary interface is as released");
  return failures == 0 ? 0 : 1;
}
