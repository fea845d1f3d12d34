#include "planner.h"

#include <stddef.h>

#include "beside_rules.h"
#include "chain_rules.h"
#include "channel_table.h"
#include "error.h"
#include "lone_rules.h"
#include "pair_rules.h"
#include "plan_axes.h"
#include "quantization.h"
#include "scratch.h"
#include "strategy.h"
#include "types.h"
#include "validate.h"

namespace lanepool {
namespace {

// See RequantRule::taps.
constexpr int64_t kMostByteTaps = UINT32_MAX;

bool Add(int64_t a, int64_t b, int64_t* sum) { return !__builtin_add_overflow(a, b, sum); }
bool Mul(int64_t a, int64_t b, int64_t* product) { return !__builtin_mul_overflow(a, b, product); }

// One tensor of the plan: sizes in Dim order.
struct Tensor {
  int64_t size[kDims];
  int64_t stride[kDims];
  int64_t bytes;
};

struct TensorNames {
  Field field;         // for sizes that overflow
  Field stride_field;  // for views
};

// params entry of an internal dimension in stride arrays (N, C, first .. last spatial), or -1.
int ParamsEntry(const lanepool_params& p, int dim) {
  if (dim < kD) return dim;
  const int spatial = dim - kD - (3 - p.rank);
  return spatial < 0 ? -1 : 2 + spatial;
}

int32_t DenseStrides(const lanepool_params& p, const TensorNames& names, Tensor* t,
                     lanepool_error* error) {
  const bool nhwc = p.layout == LANEPOOL_LAYOUT_NHWC;
  const int order_nhwc[kDims] = {kC, kW, kH, kD, kN};
  const int order_nchw[kDims] = {kW, kH, kD, kC, kN};
  const int* order = nhwc ? order_nhwc : order_nchw;
  int64_t step = 1;
  for (int i = 0; i < kDims; ++i) {
    const int dim = order[i];
    t->stride[dim] = step;
    // Sizes of 0 (batch, channels) are taken as 1: overflow is an error even in an empty tensor.
    const int64_t size = t->size[dim] == 0 ? 1 : t->size[dim];
    if (!Mul(step, size, &step)) {
      return Fail(error, LANEPOOL_OVERFLOW, names.field, Rule::kElementCount, size);
    }
  }
  return LANEPOOL_OK;
}

int32_t ViewStrides(const lanepool_params& p, const int64_t (&given)[5], const TensorNames& names,
                    bool written, Tensor* t, lanepool_error* error) {
  for (int dim = 0; dim < kDims; ++dim) {
    const int entry = ParamsEntry(p, dim);
    t->stride[dim] = entry < 0 ? 0 : given[entry];
    if (t->stride[dim] < 0) {
      return Fail(error, LANEPOOL_VIEW, names.stride_field, Rule::kAtLeast, t->stride[dim], 0,
                  entry);
    }
  }
  if (!written) return LANEPOOL_OK;
  // Outputs are apart when, from the smallest stride up, each stride passes all that lies below it.
  int order[kDims] = {kN, kC, kD, kH, kW};
  for (int i = 1; i < kDims; ++i) {
    for (int j = i; j > 0 && t->stride[order[j]] < t->stride[order[j - 1]]; --j) {
      const int swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
  }
  int64_t least = 1;  // above the offset of the last element of the dimensions so far
  for (int i = 0; i < kDims; ++i) {
    const int dim = order[i];
    if (t->size[dim] <= 1) continue;
    const int entry = ParamsEntry(p, dim);
    if (t->stride[dim] < least) {
      return Fail(error, LANEPOOL_VIEW, names.stride_field, Rule::kOverlap, t->stride[dim], least,
                  entry);
    }
    int64_t extent = 0;
    if (!Mul(t->size[dim] - 1, t->stride[dim], &extent) || !Add(least, extent, &least)) {
      return Fail(error, LANEPOOL_OVERFLOW, names.stride_field, Rule::kElementCount, t->stride[dim],
                  0, entry);
    }
  }
  return LANEPOOL_OK;
}

// Bytes from the first to the last element of the tensor, and the overflow checks on all offsets.
int32_t TensorBytes(const lanepool_params& p, int64_t element_bytes, const TensorNames& names,
                    Tensor* t, lanepool_error* error) {
  bool empty = false;
  int64_t last = 0;
  for (int dim = 0; dim < kDims; ++dim) {
    int64_t extent = 0;
    empty = empty || t->size[dim] == 0;
    const int64_t steps = t->size[dim] == 0 ? 0 : t->size[dim] - 1;
    if (!Mul(steps, t->stride[dim], &extent) || !Add(last, extent, &last)) {
      return Fail(error, LANEPOOL_OVERFLOW, names.stride_field, Rule::kElementCount, t->stride[dim],
                  0, ParamsEntry(p, dim));
    }
  }
  if (!Add(last, 1, &t->bytes) || !Mul(t->bytes, element_bytes, &t->bytes)) {
    return Fail(error, LANEPOOL_OVERFLOW, names.field, Rule::kByteCount, last);
  }
  if (empty) t->bytes = 0;
  return LANEPOOL_OK;
}

int32_t PlanTensor(const lanepool_params& p, const int64_t (&given)[5], int32_t type,
                   const TensorNames& names, bool written, Tensor* t, lanepool_error* error) {
  bool dense = true;
  for (int64_t stride : given) dense = dense && stride == 0;
  const int32_t status =
      dense ? DenseStrides(p, names, t, error) : ViewStrides(p, given, names, written, t, error);
  if (status != LANEPOOL_OK) return status;
  return TensorBytes(p, ElementBytes(type), names, t, error);
}

// The tensor that the indices of MAX_UNPOOL count in, and y. They are kept as kernel and output.
int32_t ResolveUnpooledAxes(const lanepool_params& p, Plan* plan, int* empty_axis,
                            lanepool_error* error) {
  const bool inferred = p.kernel[0] != 0;
  for (int i = 0; i < p.rank; ++i) {
    Axis<int64_t>& axis = plan->axes[3 - p.rank + i];
    axis = {p.input[i], p.output_size[i], 1, 1, 0, 0, p.output_size[i], 0, p.output_size[i]};
    if (!inferred) continue;
    int64_t end = 0;
    if (!Mul(p.input[i] - 1, p.strides[i], &end) || !Add(end, p.kernel[i], &end)) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kStrides, Rule::kWindowSpan, p.strides[i], 0, i);
    }
    int64_t pads = 0;
    if (!Add(p.pads_begin[i], p.pads_end[i], &pads)) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kPadsEnd, Rule::kPaddedInput, p.pads_end[i], 0,
                  i);
    }
    axis.pad_begin = p.pads_begin[i];
    axis.pad_end = p.pads_end[i];
    axis.kernel = end - pads;
    if (axis.kernel < 1 && *empty_axis < 0) *empty_axis = i;
    if (axis.output == 0) axis.output = axis.interior_end = axis.kernel;
  }
  return LANEPOOL_OK;
}

// Resolves the axes. Overflow on any axis comes before an empty output on another.
int32_t ResolveAxes(const lanepool_params& p, Plan* plan, int* empty_axis, lanepool_error* error) {
  const AxisRules rules = {p.auto_pad, p.ceil_mode, p.valid_ceil, p.oversize_kernel};
  const bool whole = (p.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  for (Axis<int64_t>& axis : plan->axes) axis = {1, 1, 1, 1, 0, 0, 1, 0, 1};
  if (p.op == LANEPOOL_OP_MAX_UNPOOL) return ResolveUnpooledAxes(p, plan, empty_axis, error);
  for (int i = 0; i < p.rank; ++i) {
    Axis<int64_t>& axis = plan->axes[3 - p.rank + i];
    if ((p.flags & LANEPOOL_FLAG_ADAPTIVE) != 0) {
      if (ResolveAdaptiveAxis(p.input[i], p.output_size[i], &axis) != AxisError::kNone) {
        return Fail(error, LANEPOOL_OVERFLOW, Field::kOutputSize, Rule::kElementCount,
                    p.output_size[i], 0, i);
      }
      continue;
    }
    axis.input = p.input[i];
    axis.kernel = whole ? p.input[i] : p.kernel[i];
    axis.stride = p.strides[i];
    axis.dilation = p.dilations[i];
    axis.pad_begin = p.pads_begin[i];
    axis.pad_end = p.pads_end[i];
    const AxisError fault = ResolveAxis(rules, &axis);
    if (fault == AxisError::kKernelOverflow) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kKernel, Rule::kEffectiveKernel, axis.kernel,
                  axis.dilation, i);
    }
    if (fault == AxisError::kPaddedOverflow) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kPadsEnd, Rule::kPaddedInput, axis.pad_end, 0,
                  i);
    }
    if (fault == AxisError::kSpanOverflow) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kStrides, Rule::kWindowSpan, axis.stride, 0, i);
    }
    if (fault == AxisError::kEmptyOutput && *empty_axis < 0) *empty_axis = i;
  }
  // Divisors are products of window extents: they must fit as well.
  int64_t taps = 1;
  for (int i = 0; i < 3; ++i) {
    if (!Mul(taps, plan->axes[i].kernel, &taps)) {
      return Fail(error, LANEPOOL_OVERFLOW, Field::kKernel, Rule::kElementCount,
                  plan->axes[i].kernel, 0, i - (3 - p.rank));
    }
  }
  if (p.op == LANEPOOL_OP_AVERAGE && !IsFloating(p.x_type) && taps > kMostByteTaps) {
    return Fail(error, LANEPOOL_OVERFLOW, Field::kKernel, Rule::kByteTaps, taps, kMostByteTaps);
  }
  return LANEPOOL_OK;
}

int32_t CheckWindows(const lanepool_params& p, const Plan& plan, lanepool_desc* desc,
                     lanepool_error* error) {
  if (p.op == LANEPOOL_OP_MAX_UNPOOL) return LANEPOOL_OK;
  for (int i = 0; i < p.rank; ++i) {
    const Axis<int64_t>& axis = plan.axes[3 - p.rank + i];
    if (!HasEmptyWindow(axis)) continue;
    desc->has_empty_windows = 1;
    if (p.empty_window == LANEPOOL_EMPTY_REJECT) {
      return Fail(error, LANEPOOL_EMPTY_WINDOW, Field::kKernel, Rule::kWindowEmpty, axis.kernel, 0,
                  i);
    }
  }
  return LANEPOOL_OK;
}

// The greatest index must fit index_type.
int32_t CheckIndices(const lanepool_params& p, const Plan& plan, lanepool_error* error) {
  const bool unpool = p.op == LANEPOOL_OP_MAX_UNPOOL;
  const bool window = !unpool && p.index_mode == LANEPOOL_INDEX_WINDOW;
  int64_t count = 1;
  bool fits = true;
  for (const Axis<int64_t>& axis : plan.axes) {
    fits = fits && Mul(count, window || unpool ? axis.kernel : axis.input, &count);
  }
  if (!window && p.index_mode != LANEPOOL_INDEX_PLANE) {
    fits = fits && Mul(count, p.batch == 0 ? 1 : p.batch, &count);
    fits = fits && Mul(count, p.channels == 0 ? 1 : p.channels, &count);
  }
  const bool narrow = p.index_type == LANEPOOL_TYPE_INT32 && !unpool;
  if (fits && (!narrow || count - 1 <= INT32_MAX)) return LANEPOOL_OK;
  if (!fits)
    return Fail(error, LANEPOOL_OVERFLOW, Field::kIndexType, Rule::kElementCount, p.index_type);
  return Fail(error, LANEPOOL_OVERFLOW, Field::kIndexType, Rule::kIndexRange, p.index_type,
              count - 1);
}

void DescribeTensor(const Tensor& tensor, int64_t (&strides)[kDims], int64_t* bytes) {
  for (int dim = 0; dim < kDims; ++dim) strides[dim] = tensor.stride[dim];
  *bytes = tensor.bytes;
}

// Shapes, windows and buffer sizes.
int32_t PlanShapes(const lanepool_params& p, Plan* plan, lanepool_desc* desc,
                   lanepool_error* error) {
  int empty_axis = -1;
  int32_t status = ResolveAxes(p, plan, &empty_axis, error);
  if (status != LANEPOOL_OK) return status;

  Tensor x, y;
  x.size[kN] = y.size[kN] = p.batch;
  x.size[kC] = y.size[kC] = p.channels;
  for (int i = 0; i < 3; ++i) {
    x.size[kD + i] = plan->axes[i].input;
    y.size[kD + i] = plan->axes[i].output;
  }
  // An overflow is reported before all else, a bad view after all else.
  const TensorNames x_names = {Field::kX, Field::kXStrides};
  const TensorNames y_names = {Field::kY, Field::kYStrides};
  lanepool_error view_error;
  int32_t view_status = LANEPOOL_OK;
  const auto plan_tensor = [&](const int64_t(&strides)[5], int32_t type, const TensorNames& names,
                               bool written, Tensor* tensor) {
    lanepool_error local;
    const int32_t result = PlanTensor(p, strides, type, names, written, tensor, &local);
    if (result == LANEPOOL_VIEW && view_status == LANEPOOL_OK) {
      view_status = result;
      view_error = local;
    }
    if (result != LANEPOOL_OVERFLOW) return int32_t{LANEPOOL_OK};
    if (error != nullptr) *error = local;
    return result;
  };
  status = plan_tensor(p.x_strides, p.x_type, x_names, false, &x);
  if (status != LANEPOOL_OK) return status;
  if (empty_axis >= 0) {
    const Axis<int64_t>& axis = plan->axes[3 - p.rank + empty_axis];
    if (p.op == LANEPOOL_OP_MAX_UNPOOL) {
      return Fail(error, LANEPOOL_EMPTY_OUTPUT, Field::kPadsEnd, Rule::kAtMost, axis.pad_end,
                  axis.pad_end + axis.kernel - 1, empty_axis);
    }
    return Fail(error, LANEPOOL_EMPTY_OUTPUT, Field::kKernel, Rule::kOutputEmpty, axis.kernel,
                axis.input + axis.pad_begin + axis.pad_end, empty_axis);
  }
  status = plan_tensor(p.y_strides, p.y_type, y_names, true, &y);
  if (status != LANEPOOL_OK) return status;
  Tensor index = p.op == LANEPOOL_OP_MAX_UNPOOL ? x : y;
  index.bytes = 0;
  if (p.index_type != LANEPOOL_TYPE_NONE) {
    const bool written = p.op != LANEPOOL_OP_MAX_UNPOOL;
    status = plan_tensor(p.index_strides, p.index_type, {Field::kY, Field::kIndexStrides}, written,
                         &index);
    if (status == LANEPOOL_OK) status = CheckIndices(p, *plan, error);
    if (status != LANEPOOL_OK) return status;
  }
  status = CheckWindows(p, *plan, desc, error);
  if (status != LANEPOOL_OK) return status;
  if (view_status != LANEPOOL_OK) {
    if (error != nullptr) *error = view_error;
    return view_status;
  }

  DescribeTensor(x, plan->x_stride, &desc->x_bytes);
  DescribeTensor(y, plan->y_stride, &desc->y_bytes);
  DescribeTensor(index, plan->index_stride, &desc->index_bytes);
  desc->rank = p.rank;
  desc->element_count = p.batch * p.channels;  // the product with sizes >= 1 was checked above
  for (int i = 0; i < p.rank; ++i) {
    const Axis<int64_t>& axis = plan->axes[3 - p.rank + i];
    desc->output[i] = axis.output;
    desc->pads_begin[i] = axis.pad_begin;
    desc->pads_end[i] = axis.pad_end;
    desc->element_count *= axis.output;
  }
  return LANEPOOL_OK;
}

}  // namespace

int32_t MakePlan(const lanepool_params& p, uint64_t supported_targets, Plan* plan,
                 lanepool_desc* desc, lanepool_error* error) {
  int32_t status = ValidateParams(p, error);
  if (status == LANEPOOL_OK) status = PlanShapes(p, plan, desc, error);
  if (status == LANEPOOL_OK) status = ValidateQuantization(p, error);
  if (status != LANEPOOL_OK) return status;
  if (p.target_mask != 0 && (p.target_mask & supported_targets) == 0) {
    return Fail(error, LANEPOOL_TARGET, Field::kTargetMask, Rule::kCompiledTarget,
                static_cast<int64_t>(p.target_mask), static_cast<int64_t>(supported_targets));
  }
  status = CheckSupported(p, *plan, error);
  if (status != LANEPOOL_OK) return status;
  FlattenRows(p, plan);
  TrimWindows(p, plan);
  PlanQuantization(p, plan);
  if (!ChooseStrategy(p, plan) || !WorkspaceBytes(p, *plan, &desc->workspace_bytes)) {
    return Fail(error, LANEPOOL_OVERFLOW, Field::kKernel, Rule::kScratchBytes, p.kernel[p.rank - 1],
                0, p.rank - 1);
  }
  plan->strategy.lone = IsLone(p, *plan) ? 1 : 0;
  plan->strategy.moved_folds = AreRunsLaidOut(p, *plan)  ? MovedFolds::kLaidOut
                               : AreWholePairs(p, *plan) ? MovedFolds::kPixelPairs
                               : AreChained(p, *plan)    ? MovedFolds::kChained
                                                         : MovedFolds::kNone;
  desc->work_items = WorkItems(p, *plan);
  PlanTable(p, plan, &desc->table_bytes);
  return Succeed(error);
}

}  // namespace lanepool
