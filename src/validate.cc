#include "validate.h"

#include <string.h>

#include "compiled_in.h"
#include "error.h"
#include "indices.h"
#include "quantization.h"
#include "types.h"

namespace lanepool {
namespace {

constexpr uint32_t kKnownFlags = LANEPOOL_FLAG_GLOBAL | LANEPOOL_FLAG_STRICT_ORDER |
                                 LANEPOOL_FLAG_ACCUMULATE_F64 | LANEPOOL_FLAG_CLAMP |
                                 LANEPOOL_FLAG_ADAPTIVE;

bool Has(const lanepool_params& p, uint32_t flag) { return (p.flags & flag) != 0; }

// Flags that say something about this op only.
int32_t CheckFlags(const lanepool_params& p, lanepool_error* error) {
  const auto refuse = [&](uint32_t flags, Rule rule, int32_t limit) {
    return Fail(error, LANEPOOL_FLAG, Field::kFlags, rule, p.flags & flags, limit);
  };
  if (p.op == LANEPOOL_OP_MAX_UNPOOL) {
    if ((p.flags & ~LANEPOOL_FLAG_CLAMP) != 0) {
      return refuse(~LANEPOOL_FLAG_CLAMP, Rule::kWithOp, p.op);
    }
    if (p.index_mode == LANEPOOL_INDEX_WINDOW) {
      return Fail(error, LANEPOOL_POLICY, Field::kIndexMode, Rule::kWithOp, p.index_mode, p.op);
    }
  }
  if (!Has(p, LANEPOOL_FLAG_ACCUMULATE_F64)) return LANEPOOL_OK;
  if (IsExtreme(p.op)) return refuse(LANEPOOL_FLAG_ACCUMULATE_F64, Rule::kWithOp, p.op);
  if (p.x_type != LANEPOOL_TYPE_FLOAT) {
    return refuse(LANEPOOL_FLAG_ACCUMULATE_F64, Rule::kWithXType, p.x_type);
  }
  return LANEPOOL_OK;
}

int32_t CheckCodes(const lanepool_params& p, lanepool_error* error) {
  const struct {
    int32_t value, low, high, status;
    Field field;
  } codes[] = {
      {p.op, LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX_UNPOOL, LANEPOOL_OP, Field::kOp},
      {p.layout, LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC, LANEPOOL_LAYOUT, Field::kLayout},
      {p.auto_pad, 0, LANEPOOL_AUTO_PAD_SAME_LOWER, LANEPOOL_AUTO_PAD, Field::kAutoPad},
      {p.ceil_mode, 0, LANEPOOL_CEIL_KEEP, LANEPOOL_POLICY, Field::kCeilMode},
      {p.valid_ceil, 0, LANEPOOL_VALID_FLOOR, LANEPOOL_POLICY, Field::kValidCeil},
      {p.oversize_kernel, 0, LANEPOOL_OVERSIZE_TRUNCATE, LANEPOOL_POLICY, Field::kOversizeKernel},
      {p.divisor, 0, LANEPOOL_DIVISOR_CONSTANT, LANEPOOL_POLICY, Field::kDivisor},
      {p.empty_window, 0, LANEPOOL_EMPTY_REJECT, LANEPOOL_POLICY, Field::kEmptyWindow},
      {p.nan_rule, 0, LANEPOOL_NAN_IGNORE, LANEPOOL_POLICY, Field::kNanRule},
      {p.rounding, 0, LANEPOOL_ROUND_HALF_AWAY, LANEPOOL_POLICY, Field::kRounding},
      {p.index_mode, 0, LANEPOOL_INDEX_WINDOW, LANEPOOL_POLICY, Field::kIndexMode},
      {p.storage_order, 0, LANEPOOL_STORAGE_COLUMN_MAJOR, LANEPOOL_POLICY, Field::kStorageOrder},
  };
  for (const auto& code : codes) {
    if (code.value < code.low || code.value > code.high) {
      return Fail(error, code.status, code.field, Rule::kKnownCode, code.value);
    }
  }
  if ((p.flags & ~kKnownFlags) != 0) {
    return Fail(error, LANEPOOL_FLAG, Field::kFlags, Rule::kKnownCode, p.flags);
  }
  if (Has(p, LANEPOOL_FLAG_GLOBAL) && Has(p, LANEPOOL_FLAG_ADAPTIVE)) {
    return Fail(error, LANEPOOL_FLAG, Field::kFlags, Rule::kExclusive, p.flags,
                LANEPOOL_FLAG_GLOBAL);
  }
  if (p.divisor == LANEPOOL_DIVISOR_CONSTANT && p.divisor_value < 1) {
    return Fail(error, LANEPOOL_POLICY, Field::kDivisorValue, Rule::kAtLeast, p.divisor_value, 1);
  }
  if (p.divisor != LANEPOOL_DIVISOR_CONSTANT && p.divisor_value != 0) {
    return Fail(error, LANEPOOL_POLICY, Field::kDivisorValue, Rule::kWithDivisor, p.divisor_value);
  }
  if (p.op == LANEPOOL_OP_LP && !(p.lp_order >= 1)) {
    return Fail(error, LANEPOOL_POLICY, Field::kLpOrder, Rule::kLpRange, 0, 1, -1, p.lp_order);
  }
  return CheckFlags(p, error);
}

int32_t CheckTypes(const lanepool_params& p, lanepool_error* error) {
  const bool integer_max = p.op == LANEPOOL_OP_MAX || p.op == LANEPOOL_OP_MIN;
  const bool x_known = ElementBytes(p.x_type) != 0 && p.x_type != LANEPOOL_TYPE_INT64;
  const bool y_known = ElementBytes(p.y_type) != 0 && p.y_type != LANEPOOL_TYPE_INT64;
  if (!x_known) return Fail(error, LANEPOOL_TYPE, Field::kXType, Rule::kKnownCode, p.x_type);
  if (!y_known) return Fail(error, LANEPOOL_TYPE, Field::kYType, Rule::kKnownCode, p.y_type);
  const bool floats_only = p.op == LANEPOOL_OP_SUM || p.op == LANEPOOL_OP_LP;
  if ((floats_only && !IsFloating(p.x_type)) ||
      (p.op == LANEPOOL_OP_AVERAGE && p.x_type == LANEPOOL_TYPE_INT32)) {
    return Fail(error, LANEPOOL_TYPE, Field::kXType, Rule::kWithOp, p.x_type, p.op);
  }
  // Types may differ only where a scale can say what the numbers mean.
  const bool quantized = (integer_max || p.op == LANEPOOL_OP_AVERAGE) &&
                         (IsByte(p.x_type) || p.x_type == LANEPOOL_TYPE_FLOAT) &&
                         (IsByte(p.y_type) || p.y_type == LANEPOOL_TYPE_FLOAT);
  if (p.x_type != p.y_type && !quantized) {
    return Fail(error, LANEPOOL_TYPE, Field::kYType, Rule::kWithXType, p.y_type, p.x_type);
  }
  const bool indexed = p.op == LANEPOOL_OP_MAX || p.op == LANEPOOL_OP_MAX_UNPOOL;
  if (p.index_type != LANEPOOL_TYPE_NONE) {
    if (p.index_type != LANEPOOL_TYPE_INT32 && p.index_type != LANEPOOL_TYPE_INT64) {
      return Fail(error, LANEPOOL_TYPE, Field::kIndexType, Rule::kKnownCode, p.index_type);
    }
    if (!indexed) {
      return Fail(error, LANEPOOL_TYPE, Field::kIndexType, Rule::kWithOp, p.index_type, p.op);
    }
  } else if (p.op == LANEPOOL_OP_MAX_UNPOOL) {
    return Fail(error, LANEPOOL_TYPE, Field::kIndexType, Rule::kWithOp, p.index_type, p.op);
  }
  return LANEPOOL_OK;
}

// Entries at and beyond rank must be what params_init leaves: 0, or 1 for strides and dilations.
int32_t CheckUnused(const lanepool_params& p, lanepool_error* error) {
  const struct {
    const int64_t* entries;
    int64_t other_default;
    Field field;
  } arrays[] = {
      {p.input, 0, Field::kInput},
      {p.kernel, 0, Field::kKernel},
      {p.strides, 1, Field::kStrides},
      {p.dilations, 1, Field::kDilations},
      {p.pads_begin, 0, Field::kPadsBegin},
      {p.pads_end, 0, Field::kPadsEnd},
      {p.output_size, 0, Field::kOutputSize},
  };
  for (const auto& array : arrays) {
    for (int i = p.rank; i < 3; ++i) {
      if (array.entries[i] != 0 && array.entries[i] != array.other_default) {
        return Fail(error, LANEPOOL_RANK, array.field, Rule::kUnusedEntry, array.entries[i], p.rank,
                    i);
      }
    }
  }
  const struct {
    const int64_t* entries;
    Field field;
  } views[] = {{p.x_strides, Field::kXStrides},
               {p.y_strides, Field::kYStrides},
               {p.index_strides, Field::kIndexStrides}};
  for (const auto& view : views) {
    for (int i = 2 + p.rank; i < 5; ++i) {
      if (view.entries[i] != 0) {
        return Fail(error, LANEPOOL_RANK, view.field, Rule::kUnusedEntry, view.entries[i], p.rank,
                    i);
      }
    }
  }
  return LANEPOOL_OK;
}

// Fields that a flag or auto_pad replaces must stay at their defaults.
int32_t CheckReplaced(const lanepool_params& p, lanepool_error* error) {
  const bool global = Has(p, LANEPOOL_FLAG_GLOBAL);
  const bool adaptive = Has(p, LANEPOOL_FLAG_ADAPTIVE);
  if (global || adaptive) {
    const int64_t flag = global ? LANEPOOL_FLAG_GLOBAL : LANEPOOL_FLAG_ADAPTIVE;
    const struct {
      const int64_t* entries;
      int64_t expected;
      int32_t status;
      Field field;
    } arrays[] = {{p.kernel, 0, LANEPOOL_KERNEL, Field::kKernel},
                  {p.strides, 1, LANEPOOL_STRIDE, Field::kStrides},
                  {p.dilations, 1, LANEPOOL_DILATION, Field::kDilations},
                  {p.pads_begin, 0, LANEPOOL_PAD, Field::kPadsBegin},
                  {p.pads_end, 0, LANEPOOL_PAD, Field::kPadsEnd}};
    for (const auto& array : arrays) {
      for (int i = 0; i < p.rank; ++i) {
        if (array.entries[i] != array.expected) {
          return Fail(error, array.status, array.field, Rule::kWithFlag, array.entries[i], flag, i);
        }
      }
    }
    if (p.auto_pad != LANEPOOL_AUTO_PAD_NOTSET) {
      return Fail(error, LANEPOOL_AUTO_PAD, Field::kAutoPad, Rule::kWithFlag, p.auto_pad, flag);
    }
  }
  const bool unpool = p.op == LANEPOOL_OP_MAX_UNPOOL;
  const bool sized = adaptive || unpool;
  // Where the kernel says it, a size of 0 asks for that.
  const int64_t least = unpool && p.kernel[0] != 0 ? 0 : 1;
  for (int i = 0; i < p.rank; ++i) {
    if (sized && p.output_size[i] < least) {
      return Fail(error, LANEPOOL_DIM, Field::kOutputSize, Rule::kAtLeast, p.output_size[i], least,
                  i);
    }
    if (!sized && p.output_size[i] != 0) {
      return Fail(error, LANEPOOL_DIM, Field::kOutputSize, Rule::kZero, p.output_size[i], 0, i);
    }
  }
  return LANEPOOL_OK;
}

// What has no meaning without windows.
int32_t CheckUnpool(const lanepool_params& p, lanepool_error* error) {
  for (int i = 0; i < p.rank; ++i) {
    if (p.kernel[0] == 0 && p.kernel[i] != 0) {
      return Fail(error, LANEPOOL_KERNEL, Field::kKernel, Rule::kAtLeast, 0, 1, 0);
    }
    if (p.dilations[i] != 1) {
      return Fail(error, LANEPOOL_DILATION, Field::kDilations, Rule::kWithOp, p.dilations[i], p.op,
                  i);
    }
  }
  if (p.auto_pad != LANEPOOL_AUTO_PAD_NOTSET) {
    return Fail(error, LANEPOOL_AUTO_PAD, Field::kAutoPad, Rule::kWithOp, p.auto_pad, p.op);
  }
  return CheckReplaced(p, error);
}

int32_t CheckGeometry(const lanepool_params& p, lanepool_error* error) {
  const bool unpool = p.op == LANEPOOL_OP_MAX_UNPOOL;
  const bool given_kernel = !Has(p, LANEPOOL_FLAG_GLOBAL) && !Has(p, LANEPOOL_FLAG_ADAPTIVE) &&
                            !(unpool && p.kernel[0] == 0);
  const struct {
    const int64_t* entries;
    int64_t low;
    int32_t status;
    Field field;
  } arrays[] = {{p.kernel, given_kernel ? 1 : 0, LANEPOOL_KERNEL, Field::kKernel},
                {p.strides, 1, LANEPOOL_STRIDE, Field::kStrides},
                {p.dilations, 1, LANEPOOL_DILATION, Field::kDilations},
                {p.pads_begin, 0, LANEPOOL_PAD, Field::kPadsBegin},
                {p.pads_end, 0, LANEPOOL_PAD, Field::kPadsEnd}};
  for (const auto& array : arrays) {
    for (int i = 0; i < p.rank; ++i) {
      if (array.entries[i] < array.low) {
        return Fail(error, array.status, array.field, Rule::kAtLeast, array.entries[i], array.low,
                    i);
      }
    }
  }
  if (unpool) return CheckUnpool(p, error);
  for (int i = 0; i < p.rank && p.auto_pad != LANEPOOL_AUTO_PAD_NOTSET; ++i) {
    if (p.pads_begin[i] != 0) {
      return Fail(error, LANEPOOL_AUTO_PAD, Field::kPadsBegin, Rule::kWithAutoPad, p.pads_begin[i],
                  p.auto_pad, i);
    }
    if (p.pads_end[i] != 0) {
      return Fail(error, LANEPOOL_AUTO_PAD, Field::kPadsEnd, Rule::kWithAutoPad, p.pads_end[i],
                  p.auto_pad, i);
    }
  }
  return CheckReplaced(p, error);
}

int32_t CheckSizes(const lanepool_params& p, lanepool_error* error) {
  if (p.batch < 0) return Fail(error, LANEPOOL_DIM, Field::kBatch, Rule::kAtLeast, p.batch);
  if (p.channels < 0) {
    return Fail(error, LANEPOOL_DIM, Field::kChannels, Rule::kAtLeast, p.channels);
  }
  for (int i = 0; i < p.rank; ++i) {
    if (p.input[i] < 1) {
      return Fail(error, LANEPOOL_DIM, Field::kInput, Rule::kAtLeast, p.input[i], 1, i);
    }
  }
  return LANEPOOL_OK;
}

}  // namespace

// On the bits: with denormals-are-zero a subnormal scale would compare equal to 0.
bool FiniteAndPositive(float scale) {
  uint32_t bits;
  memcpy(&bits, &scale, sizeof bits);
  return bits > 0 && bits < 0x7F800000u;
}

int32_t ValidateParams(const lanepool_params& p, lanepool_error* error) {
  for (int i = 0; i < 4; ++i) {
    if (p.reserved[i] != 0) {
      return Fail(error, LANEPOOL_STRUCT_SIZE, Field::kReserved, Rule::kZero, p.reserved[i], 0, i);
    }
  }
  if (p.rank < 1) return Fail(error, LANEPOOL_RANK, Field::kRank, Rule::kAtLeast, p.rank, 1);
  if (p.rank > 3) return Fail(error, LANEPOOL_RANK, Field::kRank, Rule::kAtMost, p.rank, 3);
  int32_t status = CheckCodes(p, error);
  if (status == LANEPOOL_OK) status = CheckUnused(p, error);
  if (status == LANEPOOL_OK) status = CheckTypes(p, error);
  if (status == LANEPOOL_OK) status = CheckGeometry(p, error);
  if (status == LANEPOOL_OK) status = CheckSizes(p, error);
  return status;
}

int32_t ValidateQuantization(const lanepool_params& p, lanepool_error* error) {
  if (IsByte(p.x_type) && !FiniteAndPositive(p.x_scale)) {
    return Fail(error, LANEPOOL_SCALE, Field::kXScale, Rule::kPositive, 0, 0, -1, p.x_scale);
  }
  if (IsByte(p.y_type) && !FiniteAndPositive(p.y_scale)) {
    return Fail(error, LANEPOOL_SCALE, Field::kYScale, Rule::kPositive, 0, 0, -1, p.y_scale);
  }
  const struct {
    int32_t zero_point, type, count;
    Field zero_point_field, count_field;
  } sides[] = {
      {p.x_zero_point, p.x_type, p.x_scale_count, Field::kXZeroPoint, Field::kXScaleCount},
      {p.y_zero_point, p.y_type, p.y_scale_count, Field::kYZeroPoint, Field::kYScaleCount}};
  for (const auto& side : sides) {
    // Only bytes have scales.
    const int64_t low = IsByte(side.type) ? LowestInteger(side.type) : 0;
    const int64_t high = IsByte(side.type) ? HighestInteger(side.type) : 0;
    if (side.zero_point < low) {
      return Fail(error, LANEPOOL_ZERO_POINT, side.zero_point_field, Rule::kAtLeast,
                  side.zero_point, low);
    }
    if (side.zero_point > high) {
      return Fail(error, LANEPOOL_ZERO_POINT, side.zero_point_field, Rule::kAtMost, side.zero_point,
                  high);
    }
    const bool scaled = IsByte(side.type) && p.op != LANEPOOL_OP_MAX_UNPOOL;
    if (side.count != 0 && !scaled) {
      return Fail(error, LANEPOOL_SCALE, side.count_field, Rule::kZero, side.count);
    }
    if (side.count < 0) {
      return Fail(error, LANEPOOL_SCALE, side.count_field, Rule::kAtLeast, side.count, 0);
    }
    if (side.count != 0 && side.count != p.channels) {
      return Fail(error, LANEPOOL_SCALE, side.count_field,
                  side.count > p.channels ? Rule::kAtMost : Rule::kAtLeast, side.count, p.channels);
    }
  }
  if (Has(p, LANEPOOL_FLAG_CLAMP) && !(p.clamp_low <= p.clamp_high)) {
    return Fail(error, LANEPOOL_SCALE, Field::kClampLow, Rule::kClampOrder, 0, 0, -1, p.clamp_low);
  }
  int32_t least = 0, most = 0;
  if (!IsFloating(p.y_type) && !ResultRange(p, &least, &most)) {
    return Fail(error, LANEPOOL_SCALE, Field::kClampLow, Rule::kClampEmpty, 0, 0, -1, p.clamp_low);
  }
  return LANEPOOL_OK;
}

int32_t CheckSupported(const lanepool_params& p, const Plan& plan, lanepool_error* error) {
  const auto unsupported = [&](Field field, int64_t value, Rule rule = Rule::kNoKernel) {
    return Fail(error, LANEPOOL_UNSUPPORTED, field, rule, value);
  };
  if (!Compiled(SetOf(p.op), types::kAll)) return unsupported(Field::kOp, p.op, Rule::kLeftOut);
  if (!Compiled(ops::kAll, SetOf(p.x_type))) {
    return unsupported(Field::kXType, p.x_type, Rule::kLeftOut);
  }
  if (!Compiled(ops::kAll, SetOf(p.y_type))) {
    return unsupported(Field::kYType, p.y_type, Rule::kLeftOut);
  }
  const bool sums = !IsExtreme(p.op) && p.op != LANEPOOL_OP_MAX_UNPOOL && IsFloating(p.x_type);
  // Taps that are not NaN are counted in lanes as wide as the sums.
  constexpr int64_t kMostCounted = int64_t{1} << 24;
  const bool narrow_lanes =
      p.x_type != LANEPOOL_TYPE_DOUBLE && !Has(p, LANEPOOL_FLAG_ACCUMULATE_F64);
  if (sums && p.nan_rule == LANEPOOL_NAN_IGNORE && narrow_lanes &&
      KernelTaps(plan) > kMostCounted) {
    return unsupported(Field::kNanRule, p.nan_rule);
  }
  // Positions of elements of up to 32 bits are found in lanes of 32 bits.
  const bool positions = p.op == LANEPOOL_OP_MAX && p.index_type != LANEPOOL_TYPE_NONE;
  if (positions && ElementBytes(p.x_type) < 8 && WindowSpan(p, plan) >= UINT32_MAX) {
    return unsupported(Field::kIndexType, p.index_type);
  }
  return LANEPOOL_OK;
}

}  // namespace lanepool
