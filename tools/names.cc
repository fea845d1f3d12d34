#include "names.h"

#include <strings.h>

#include "lanepool/lanepool.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {

const NameTable& Ops() {
  static const NameTable table = {
      {"average", LANEPOOL_OP_AVERAGE}, {"max", LANEPOOL_OP_MAX},
      {"min", LANEPOOL_OP_MIN},         {"sum", LANEPOOL_OP_SUM},
      {"lp", LANEPOOL_OP_LP},           {"max_unpool", LANEPOOL_OP_MAX_UNPOOL}};
  return table;
}

const NameTable& Layouts() {
  static const NameTable table = {{"nchw", LANEPOOL_LAYOUT_NCHW}, {"nhwc", LANEPOOL_LAYOUT_NHWC}};
  return table;
}

const NameTable& Types() {
  static const NameTable table = {{"f32", LANEPOOL_TYPE_FLOAT},   {"f64", LANEPOOL_TYPE_DOUBLE},
                                  {"f16", LANEPOOL_TYPE_FLOAT16}, {"bf16", LANEPOOL_TYPE_BFLOAT16},
                                  {"u8", LANEPOOL_TYPE_UINT8},    {"s8", LANEPOOL_TYPE_INT8},
                                  {"u16", LANEPOOL_TYPE_UINT16},  {"s16", LANEPOOL_TYPE_INT16},
                                  {"s32", LANEPOOL_TYPE_INT32},   {"s64", LANEPOOL_TYPE_INT64}};
  return table;
}

const NameTable& AutoPads() {
  static const NameTable table = {{"notset", LANEPOOL_AUTO_PAD_NOTSET},
                                  {"valid", LANEPOOL_AUTO_PAD_VALID},
                                  {"same_upper", LANEPOOL_AUTO_PAD_SAME_UPPER},
                                  {"same_lower", LANEPOOL_AUTO_PAD_SAME_LOWER}};
  return table;
}

const NameTable& CeilModes() {
  static const NameTable table = {
      {"0", LANEPOOL_CEIL_OFF}, {"1", LANEPOOL_CEIL_ON}, {"keep", LANEPOOL_CEIL_KEEP}};
  return table;
}

const NameTable& ValidCeils() {
  static const NameTable table = {{"ceil", LANEPOOL_VALID_CEIL}, {"floor", LANEPOOL_VALID_FLOOR}};
  return table;
}

const NameTable& OversizeKernels() {
  static const NameTable table = {{"reject", LANEPOOL_OVERSIZE_REJECT},
                                  {"truncate", LANEPOOL_OVERSIZE_TRUNCATE}};
  return table;
}

const NameTable& Divisors() {
  static const NameTable table = {{"exclude", LANEPOOL_DIVISOR_EXCLUDE_PAD},
                                  {"include", LANEPOOL_DIVISOR_INCLUDE_PAD},
                                  {"full", LANEPOOL_DIVISOR_FULL_KERNEL}};
  return table;
}

const NameTable& EmptyWindows() {
  static const NameTable table = {{"zero", LANEPOOL_EMPTY_ZERO},
                                  {"nan", LANEPOOL_EMPTY_NAN},
                                  {"reject", LANEPOOL_EMPTY_REJECT}};
  return table;
}

const NameTable& NanRules() {
  static const NameTable table = {{"propagate", LANEPOOL_NAN_PROPAGATE},
                                  {"ignore", LANEPOOL_NAN_IGNORE}};
  return table;
}

const NameTable& Roundings() {
  static const NameTable table = {{"half_even", LANEPOOL_ROUND_HALF_EVEN},
                                  {"after_zero_point", LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT},
                                  {"half_away", LANEPOOL_ROUND_HALF_AWAY}};
  return table;
}

const NameTable& IndexTypes() {
  static const NameTable table = {{"int32", LANEPOOL_TYPE_INT32}, {"int64", LANEPOOL_TYPE_INT64}};
  return table;
}

const NameTable& IndexModes() {
  static const NameTable table = {{"nchw", LANEPOOL_INDEX_NCHW},
                                  {"nhwc", LANEPOOL_INDEX_NHWC},
                                  {"plane", LANEPOOL_INDEX_PLANE},
                                  {"window", LANEPOOL_INDEX_WINDOW}};
  return table;
}

const NameTable& StorageOrders() {
  static const NameTable table = {{"0", LANEPOOL_STORAGE_ROW_MAJOR},
                                  {"1", LANEPOOL_STORAGE_COLUMN_MAJOR}};
  return table;
}

const NameTable& Dialects() {
  static const NameTable table = {{"onnx", LANEPOOL_DIALECT_ONNX},
                                  {"ort", LANEPOOL_DIALECT_ORT},
                                  {"torch", LANEPOOL_DIALECT_TORCH},
                                  {"tflite", LANEPOOL_DIALECT_TFLITE},
                                  {"onednn", LANEPOOL_DIALECT_ONEDNN}};
  return table;
}

std::string AllNames(const NameTable& table, const char* separator) {
  std::string all;
  for (const NamedCode& entry : table)
    all += (all.empty() ? "" : separator) + std::string(entry.name);
  return all;
}

int32_t CodeOf(const NameTable& table, const std::string& name, const char* option) {
  for (const NamedCode& entry : table) {
    if (strcasecmp(entry.name, name.c_str()) == 0) return entry.code;
  }
  throw BadInput(std::string(option) + " '" + name + "' is not one of " + AllNames(table, ", "));
}

const char* NameOf(const NameTable& table, int32_t code) {
  for (const NamedCode& entry : table) {
    if (entry.code == code) return entry.name;
  }
  return "?";
}

int64_t ElementBytes(int32_t type) {
  switch (type) {
    case LANEPOOL_TYPE_UINT8:
    case LANEPOOL_TYPE_INT8:
      return 1;
    case LANEPOOL_TYPE_UINT16:
    case LANEPOOL_TYPE_INT16:
    case LANEPOOL_TYPE_FLOAT16:
    case LANEPOOL_TYPE_BFLOAT16:
      return 2;
    case LANEPOOL_TYPE_INT64:
    case LANEPOOL_TYPE_DOUBLE:
      return 8;
    default:
      return 4;
  }
}

bool IsQuantized(int32_t type) { return type == LANEPOOL_TYPE_UINT8 || type == LANEPOOL_TYPE_INT8; }

std::vector<uint64_t> TargetsIn(uint64_t mask) {
  std::vector<uint64_t> targets;
  for (uint64_t rest = mask; rest != 0; rest &= rest - 1) targets.push_back(rest & -rest);
  return targets;
}

std::string TargetNames(uint64_t mask) {
  std::string names;
  for (const uint64_t target : TargetsIn(mask)) {
    names += (names.empty() ? "" : " ") + std::string(lanepool_target_name(target));
  }
  return names;
}

uint64_t TargetMaskOf(const std::string& comma_separated, const char* option) {
  const uint64_t compiled = lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  uint64_t mask = 0;
  for (const std::string& name : SplitAtCommas(comma_separated)) {
    uint64_t found = 0;
    for (const uint64_t target : TargetsIn(compiled)) {
      if (strcasecmp(lanepool_target_name(target), name.c_str()) == 0) found = target;
    }
    const std::string subject = std::string(option) + " '" + name + "' is not ";
    if (found == 0) {
      throw BadInput(subject + "compiled into this library, which has " + TargetNames(compiled));
    }
    if ((found & supported) == 0) {
      throw BadInput(subject + "supported by this CPU, which runs " + TargetNames(supported));
    }
    mask |= found;
  }
  return mask;
}

}  // namespace lanepool_tool
