#include "any_case.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "../oracle/types.h"
#include "random_pick.h"
#include "random_view.h"

namespace support {
namespace {

constexpr Limits kSmall = {6000, 16000};
constexpr Limits kLarge = {120000, 200000};

bool IsSum(int32_t op) {
  return op == LANEPOOL_OP_AVERAGE || op == LANEPOOL_OP_SUM || op == LANEPOOL_OP_LP;
}

bool IsUnpool(const lanepool_params& p) { return p.op == LANEPOOL_OP_MAX_UNPOOL; }

Kind KindOf(const lanepool_params& p) { return {p.op, p.x_type, p.y_type}; }

// --- shapes --------------------------------------------------------------------------------------

void PickUnpool(Random* random, bool with_kernel, lanepool_params* p) {
  for (int i = 0; i < p->rank; ++i) {
    p->input[i] = random->Between(1, std::min<int64_t>(p->input[i], p->rank == 3 ? 5 : 20));
  }
  const bool given = !with_kernel || random->Percent(50);
  for (int i = 0; i < p->rank; ++i) {
    const int64_t n = p->input[i];
    if (with_kernel) {
      p->kernel[i] = random->Between(1, 4);
      p->strides[i] = random->Between(1, 3);
      p->pads_begin[i] = random->Percent(40) ? random->Between(0, p->kernel[i] - 1) : 0;
      p->pads_end[i] = random->Percent(40) ? random->Between(0, p->kernel[i] - 1) : 0;
    }
    if (given) p->output_size[i] = random->Between(1, 3 * n + 2);
  }
}

void ClearPads(lanepool_params* p) {
  p->auto_pad = LANEPOOL_AUTO_PAD_NOTSET;
  std::fill(p->pads_begin, p->pads_begin + 3, 0);
  std::fill(p->pads_end, p->pads_end + 3, 0);
}

// Any window for the features that do not speak of windows.
void PickAnyShape(Random* random, lanepool_params* p) {
  PickWindow(random, p);
  PickPads(random, p);
  PickPolicies(random, p);
  if (random->Percent(7)) {
    MakeGlobal(p);
  } else if (random->Percent(10)) {
    MakeAdaptive(random, p);
  }
}

void PickShape(Random* random, Feature feature, lanepool_params* p) {
  PickSizes(random, p);
  if (IsUnpool(*p)) {
    return PickUnpool(random, feature == Feature::kPads || random->Percent(50), p);
  }
  PickAnyShape(random, p);
  if (feature >= Feature::kViews) return;
  p->flags &= ~static_cast<uint32_t>(LANEPOOL_FLAG_GLOBAL | LANEPOOL_FLAG_ADAPTIVE);
  std::fill(p->output_size, p->output_size + 3, 0);
  PickWindow(random, p);
  if (feature == Feature::kGlobal) return MakeGlobal(p);
  if (feature == Feature::kAdaptive) return MakeAdaptive(random, p);
  ClearPads(p);
  if (feature == Feature::kPads) PickPads(random, p);
  if (feature != Feature::kDilation) std::fill(p->dilations, p->dilations + 3, 1);
  if (feature != Feature::kCeil) p->ceil_mode = LANEPOOL_CEIL_OFF;
}

bool AnyAbove(const int64_t* values, int32_t count, int64_t limit) {
  return std::any_of(values, values + count, [limit](int64_t value) { return value > limit; });
}

// Whether ceil_mode changes the sizes of y, or what is accepted.
bool CeilMatters(lanepool_params p, const oracle::Shape& shape) {
  p.ceil_mode = LANEPOOL_CEIL_OFF;
  const oracle::Shape other = oracle::ResolveShape(p);
  return other.status != shape.status || !std::equal(other.output, other.output + 3, shape.output);
}

// The feature must be there, and the job small.
bool Shows(const lanepool_params& p, const oracle::Shape& shape, Feature feature) {
  switch (feature) {
    case Feature::kPads:
      return AnyAbove(shape.pads_begin, p.rank, 0) || AnyAbove(shape.pads_end, p.rank, 0);
    case Feature::kCeil:
      return CeilMatters(p, shape);
    case Feature::kDilation: {
      for (int i = 0; i < p.rank; ++i) {
        if (p.dilations[i] > 1 && p.kernel[i] > 1) return true;
      }
      return false;
    }
    default:
      return true;
  }
}

// --- everything else -----------------------------------------------------------------------------

void PickIndices(Random* random, lanepool_params* p) {
  p->index_type = random->Pick({LANEPOOL_TYPE_INT32, LANEPOOL_TYPE_INT64});
  const int last_mode = IsUnpool(*p) ? LANEPOOL_INDEX_PLANE : LANEPOOL_INDEX_WINDOW;
  p->index_mode = static_cast<int32_t>(random->Between(LANEPOOL_INDEX_NCHW, last_mode));
  p->storage_order = random->Pick({LANEPOOL_STORAGE_ROW_MAJOR, LANEPOOL_STORAGE_COLUMN_MAJOR});
}

void PickLpOrder(Random* random, lanepool_params* p) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double real = 1 + static_cast<double>(random->Between(0, 4096)) / 512;
  p->lp_order =
      random->Pick({1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 4.0, 5.0, 8.0, 1.5, real, real, infinity});
}

void PickViews(Random* random, int chance, lanepool_params* p) {
  const oracle::Shape shape = oracle::ResolveShape(*p);
  const oracle::Tensor x = oracle::TensorOfX(*p);
  const oracle::Tensor y = oracle::TensorOfY(*p, shape);
  const oracle::Tensor index = oracle::TensorOfIndex(*p, shape);
  if (random->Percent(chance)) RandomView(random, x, ViewOf::kX, p);
  if (random->Percent(chance)) RandomView(random, y, ViewOf::kY, p);
  const bool indexed = p->index_type != LANEPOOL_TYPE_NONE;
  if (indexed && random->Percent(chance)) RandomView(random, index, ViewOf::kIndex, p);
}

// What is legal for the kind, one thing for certain and the others now and then.
void PickFlags(Random* random, Feature feature, lanepool_params* p) {
  const Kind kind = KindOf(*p);
  const auto wants = [&](Feature one, int chance) {
    return Has(kind, one) && (feature == one || random->Percent(chance));
  };
  const int seldom = feature >= Feature::kViews ? 12 : 0;
  const int often = feature >= Feature::kViews ? 30 : 0;
  if (wants(Feature::kClamp, seldom)) PickClamp(random, p);
  if (wants(Feature::kStrict, seldom)) p->flags |= LANEPOOL_FLAG_STRICT_ORDER;
  if (wants(Feature::kF64, seldom)) p->flags |= LANEPOOL_FLAG_ACCUMULATE_F64;
  p->nan_rule = LANEPOOL_NAN_PROPAGATE;
  if (wants(Feature::kNanIgnore, often)) p->nan_rule = LANEPOOL_NAN_IGNORE;
  if (IsUnpool(*p) || wants(Feature::kIndices, often)) PickIndices(random, p);
}

// Without effect, but legal.
void PickIdleFields(Random* random, lanepool_params* p) {
  if (IsUnpool(*p) || random->Percent(90)) return;
  const bool floats = oracle::IsFloating(p->x_type);
  const bool extreme = p->op == LANEPOOL_OP_MAX || p->op == LANEPOOL_OP_MIN;
  if (!floats) p->nan_rule = LANEPOOL_NAN_IGNORE;
  if (!floats || extreme) p->flags |= LANEPOOL_FLAG_STRICT_ORDER;
}

Data PickDataFor(Random* random, const lanepool_params& p) {
  if (p.nan_rule == LANEPOOL_NAN_IGNORE && random->Percent(70)) return Data::kNans;
  return PickData(random);
}

RandomCase MakeCase(Random* random, const Wish& wish, const Limits& limits, int view_chance) {
  for (;;) {
    RandomCase item = {{}, Data::kIntegers};
    lanepool_params* const p = &item.params;
    lanepool_params_init(p, sizeof *p, LANEPOOL_DIALECT_ONNX);
    p->op = wish.kind.op;
    p->x_type = wish.kind.x_type;
    p->y_type = wish.kind.y_type;
    p->layout = wish.layout;
    p->rank = wish.rank;
    PickShape(random, wish.feature, p);
    PickFlags(random, wish.feature, p);
    if (wish.feature == Feature::kAny) PickIdleFields(random, p);
    if (p->op == LANEPOOL_OP_LP) PickLpOrder(random, p);
    p->rounding = PickRounding(random);
    PickQuantization(random, p);
    item.data = PickDataFor(random, *p);
    item.integers = static_cast<IntegerData>(random->Between(0, kIntegerDataKinds - 1));
    const oracle::Shape shape = oracle::ResolveShape(*p);
    if (shape.status != LANEPOOL_OK || !Shows(*p, shape, wish.feature)) continue;
    if (!IsSmall(*p, shape, limits)) continue;
    const bool quantized = oracle::IsByte(p->x_type) || oracle::IsByte(p->y_type);
    if (quantized && !IsUnpool(*p) && random->Percent(10)) PickArrays(random, &item);
    PickViews(random, view_chance, p);
    return item;
  }
}

}  // namespace

std::string FeatureText(Feature feature) {
  const char* const names[kFeatures] = {"plain",   "pads",     "ceil",  "dilation",
                                        "global",  "adaptive", "views", "clamp",
                                        "indices", "strict",   "f64",   "nan_ignore"};
  return names[static_cast<int>(feature)];
}

std::string Kind::Text() const {
  const char* const ops[] = {"?", "average", "max", "min", "sum", "lp", "max_unpool"};
  const auto name = [](int32_t type) -> std::string {
    const char* const names[17] = {"?", "f32", "u8",  "s8", "u16", "s16", "s32", "s64", "?",
                                   "?", "f16", "f64", "?",  "?",   "?",   "?",   "bf16"};
    return names[type];
  };
  const std::string text = std::string(ops[op]) + " " + name(x_type);
  return x_type == y_type ? text : text + ">" + name(y_type);
}

std::vector<Kind> AllKinds() {
  const std::vector<int32_t> floats = {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_DOUBLE,
                                       LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16};
  const std::vector<int32_t> integers = {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8,
                                         LANEPOOL_TYPE_UINT16, LANEPOOL_TYPE_INT16,
                                         LANEPOOL_TYPE_INT32};
  const std::vector<int32_t> scaled = {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_UINT8,
                                       LANEPOOL_TYPE_INT8};
  std::vector<Kind> kinds;
  for (int32_t op = LANEPOOL_OP_AVERAGE; op <= LANEPOOL_OP_MAX_UNPOOL; ++op) {
    for (const int32_t type : floats) kinds.push_back({op, type, type});
    if (op == LANEPOOL_OP_SUM || op == LANEPOOL_OP_LP) continue;
    for (const int32_t type : integers) {
      if (op != LANEPOOL_OP_AVERAGE || type != LANEPOOL_TYPE_INT32)
        kinds.push_back({op, type, type});
    }
    if (op == LANEPOOL_OP_MAX_UNPOOL) continue;
    for (const int32_t x : scaled) {
      for (const int32_t y : scaled) {
        if (x != y) kinds.push_back({op, x, y});
      }
    }
  }
  return kinds;
}

bool Has(const Kind& kind, Feature feature) {
  const bool unpool = kind.op == LANEPOOL_OP_MAX_UNPOOL;
  const bool float_sum = IsSum(kind.op) && oracle::IsFloating(kind.x_type);
  switch (feature) {
    case Feature::kCeil:
    case Feature::kDilation:
    case Feature::kGlobal:
    case Feature::kAdaptive:
      return !unpool;
    case Feature::kIndices:
      return unpool || kind.op == LANEPOOL_OP_MAX;
    case Feature::kStrict:
      return float_sum;
    case Feature::kF64:
      return float_sum && kind.x_type == LANEPOOL_TYPE_FLOAT;
    case Feature::kNanIgnore:
      return float_sum || (oracle::IsFloating(kind.x_type) && !unpool && !IsSum(kind.op));
    default:
      return true;
  }
}

RandomCase MakeWishedCase(Random* random, const Wish& wish) {
  return MakeCase(random, wish, kSmall, wish.feature == Feature::kViews ? 100 : 0);
}

namespace {

Wish AnyWish(Random* random) {
  static const std::vector<Kind> kinds = AllKinds();
  const auto last = static_cast<int64_t>(kinds.size()) - 1;
  return {kinds[static_cast<size_t>(random->Between(0, last))], Feature::kAny, 0, 0};
}

}  // namespace

RandomCase MakeAnyCase(Random* random) { return MakeCase(random, AnyWish(random), kLarge, 35); }

RandomCase MakeDenseAnyCase(Random* random) { return MakeCase(random, AnyWish(random), kLarge, 0); }

}  // namespace support
