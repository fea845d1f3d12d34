#include "desc.h"

#include <string.h>

#include "error.h"
#include "planner.h"
#include "quantization.h"
#include "strategy.h"
#include "text.h"
#include "types.h"

namespace lanepool {
namespace {

// The smallest struct_size of any version. Once there are larger ones, ReadParams meets structs
// shorter than its own, of which it must copy no more than there is.
constexpr uint32_t kFirstParamsSize = 472;
static_assert(sizeof(lanepool_params) == kFirstParamsSize, "");
// Callers of newer headers may have larger structs, but no one has them this large.
constexpr uint32_t kMostParamsSize = 4096;

// Of a valid op.
const char* OpName(int32_t op) {
  static constexpr const char* kNames[] = {"average", "max", "min", "sum", "lp", "max_unpool"};
  return kNames[op - LANEPOOL_OP_AVERAGE];
}

// 3x3, and after the mark what differs from 1: 3x3/2, 3x3/2x1.
void AppendSizes(const int64_t* sizes, int32_t rank, bool shorten, Text* text) {
  bool equal = true;
  for (int i = 1; i < rank; ++i) equal = equal && sizes[i] == sizes[0];
  const int shown = shorten && equal ? 1 : rank;
  for (int i = 0; i < shown; ++i) {
    if (i > 0) text->Char('x');
    text->Integer(sizes[i]);
  }
}

// The formulas of the windows by their divisor, or by taps and counted taps where both differ.
void AppendRequants(const lanepool_params& params, const Quantization& quantization, Text* text) {
  if (!IsByte(params.x_type) || !IsByte(params.y_type) || KeepsBytes(params)) return;
  text->String("requantize ");
  if (IsPerChannel(params)) {
    text->String("per channel, ");
    return;
  }
  for (int32_t i = 0; i < quantization.requant_count; ++i) {
    const WindowKey& key = quantization.keys[i];
    if (i > 0) text->Char(' ');
    if (!IsExtreme(params.op)) {
      text->Integer(key.taps);
      if (key.counted != 0) text->Char('/').Integer(key.counted);
      text->Char(' ');
    }
    text->String(RequantName(quantization.requants[i].kind));
  }
  const bool more = quantization.requant_count != quantization.key_count;
  text->String(more ? " and more, " : ", ");
}

}  // namespace

int32_t MakeDesc(const lanepool_params& params, uint64_t supported_targets, lanepool_desc* desc,
                 lanepool_error* error) {
  lanepool_desc made;
  Sealed sealed;
  memset(&made, 0, sizeof(made));
  memset(&sealed, 0, sizeof(sealed));
  const int32_t status = MakePlan(params, supported_targets, &sealed.plan, &made, error);
  if (status != LANEPOOL_OK) return status;
  sealed.params = params;
  made.magic = kDescMagic;
  made.abi_version = LANEPOOL_ABI_VERSION;
  memcpy(made.sealed, &sealed, sizeof(sealed));
  *desc = made;
  return LANEPOOL_OK;
}

int32_t ReadParams(const lanepool_params* given, lanepool_params* params, lanepool_error* error) {
  uint32_t size = 0;
  memcpy(&size, given, sizeof(size));
  if (size < kFirstParamsSize || size > kMostParamsSize) {
    return Fail(error, LANEPOOL_STRUCT_SIZE, Field::kStructSize, Rule::kKnownSize, size);
  }
  memcpy(params, given, sizeof(*params));
  params->struct_size = sizeof(*params);
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(given);
  for (size_t i = sizeof(*params); i < size; ++i) {
    if (bytes[i] != 0) {
      return Fail(error, LANEPOOL_STRUCT_SIZE, Field::kStructSize, Rule::kKnownSize, size);
    }
  }
  return LANEPOOL_OK;
}

bool DefaultParams(int32_t dialect, lanepool_params* params) {
  memset(params, 0, sizeof(*params));
  params->batch = params->channels = 1;
  for (int i = 0; i < 3; ++i) params->strides[i] = params->dilations[i] = 1;
  params->x_scale = params->y_scale = 1.0f;
  params->lp_order = 2.0;
  switch (dialect) {
    case LANEPOOL_DIALECT_ONNX:
      return true;
    case LANEPOOL_DIALECT_ORT:
      params->rounding = LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
      params->oversize_kernel = LANEPOOL_OVERSIZE_TRUNCATE;
      return true;
    case LANEPOOL_DIALECT_TORCH:
      params->divisor = LANEPOOL_DIVISOR_INCLUDE_PAD;
      params->index_mode = LANEPOOL_INDEX_PLANE;
      return true;
    case LANEPOOL_DIALECT_TFLITE:
      params->rounding = LANEPOOL_ROUND_HALF_AWAY;
      params->empty_window = LANEPOOL_EMPTY_REJECT;
      return true;
    case LANEPOOL_DIALECT_ONEDNN:
      params->empty_window = LANEPOOL_EMPTY_REJECT;
      return true;
    default:
      return false;
  }
}

int32_t Explain(const lanepool_desc& desc, const char* target, char* out, size_t size) {
  const Sealed& sealed = Unseal(desc);
  const lanepool_params& p = sealed.params;
  Text text(out, size);
  const bool global = (p.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  const bool adaptive = (p.flags & LANEPOOL_FLAG_ADAPTIVE) != 0;
  if (global) text.String("global ");
  if (adaptive) text.String("adaptive ");
  text.String(OpName(p.op)).Char(' ').String(TypeName(p.x_type));
  if (p.y_type != p.x_type) text.String("->").String(TypeName(p.y_type));
  if (p.index_type != LANEPOOL_TYPE_NONE) text.String(" with ").String(TypeName(p.index_type));
  text.String(p.layout == LANEPOOL_LAYOUT_NHWC ? " nhwc " : " nchw ");
  text.Integer(p.rank).String("d ");
  if (adaptive || p.op == LANEPOOL_OP_MAX_UNPOOL) {
    text.String("to ");
    AppendSizes(desc.output, p.rank, false, &text);
  } else {
    AppendSizes(global ? p.input : p.kernel, p.rank, false, &text);
    text.Char('/');
    AppendSizes(p.strides, p.rank, true, &text);
  }
  bool dilated = false;
  for (int i = 0; i < p.rank; ++i) dilated = dilated || p.dilations[i] != 1;
  if (dilated) {
    text.Char('d');
    AppendSizes(p.dilations, p.rank, true, &text);
  }
  text.String(": ").String(LoopName(sealed.plan.strategy.loop)).String(", ");
  AppendRequants(p, sealed.plan.quantization, &text);
  text.String(target);
  return text.Length();
}

}  // namespace lanepool
