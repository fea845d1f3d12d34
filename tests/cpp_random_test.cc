// lanepool.hpp on random jobs of all kinds: params by setters, plans and results are those of the C
// functions, byte for byte. LANEPOOL_CASES makes more jobs, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanepool/lanepool.hpp"
#include "support/any_case.h"
#include "support/job.h"
#include "support/random_case.h"
#include "support/run_job.h"

namespace {
int allocations = 0;
}

// GCC 12 takes these for another pair than that of the language where it inlines only one of them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(size_t bytes) {
  ++allocations;
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace {

using lanepool::Axes;
using lanepool::BFloat16;
using lanepool::Half;
using lanepool::Plan;
using lanepool::Result;
using support::Bytes;
using support::RandomCase;

Axes Shape(const lanepool_params& p, int64_t batch, int64_t channels, const int64_t* spatial) {
  Axes axes(batch);
  const auto append = [&axes](int64_t n) { axes.values[axes.count++] = n; };
  if (p.layout == LANEPOOL_LAYOUT_NCHW) append(channels);
  for (int i = 0; i < p.rank; ++i) append(spatial[i]);
  if (p.layout == LANEPOOL_LAYOUT_NHWC) append(channels);
  return axes;
}

Axes View(const lanepool_params& p, const int64_t (&strides)[5]) {
  return Shape(p, strides[0], strides[1], strides + 2);
}

std::vector<int64_t> Spatial(const lanepool_params& p, const int64_t (&values)[3]) {
  return {values, values + p.rank};
}

// The same params by setters, from the lists and policies that are not the default.
lanepool::Params Again(const lanepool_params& p) {
  lanepool::Params params(
      static_cast<lanepool::Op>(p.op), Shape(p, p.batch, p.channels, p.input),
      p.layout == LANEPOOL_LAYOUT_NHWC ? lanepool::Layout::nhwc : lanepool::Layout::nchw);
  std::vector<int64_t> pads = Spatial(p, p.pads_begin);
  pads.insert(pads.end(), p.pads_end, p.pads_end + p.rank);
  params.kernel_shape(Spatial(p, p.kernel)).strides(Spatial(p, p.strides)).pads(pads);
  params.dilations(Spatial(p, p.dilations)).output_size(Spatial(p, p.output_size));
  params.auto_pad(static_cast<lanepool::AutoPad>(p.auto_pad))
      .ceil_mode(static_cast<lanepool::CeilMode>(p.ceil_mode))
      .valid_ceil(static_cast<lanepool::ValidCeil>(p.valid_ceil))
      .oversize_kernel(static_cast<lanepool::OversizeKernel>(p.oversize_kernel))
      .divisor(static_cast<lanepool::Divisor>(p.divisor), p.divisor_value)
      .empty_window(static_cast<lanepool::EmptyWindow>(p.empty_window))
      .nan_rule(static_cast<lanepool::NanRule>(p.nan_rule))
      .rounding(static_cast<lanepool::Rounding>(p.rounding))
      .index_mode(static_cast<lanepool::IndexMode>(p.index_mode))
      .storage_order(static_cast<lanepool::StorageOrder>(p.storage_order))
      .p(p.lp_order)
      .x_quantization(p.x_scale, p.x_zero_point)
      .y_quantization(p.y_scale, p.y_zero_point)
      .x_strides(View(p, p.x_strides))
      .y_strides(View(p, p.y_strides))
      .index_strides(View(p, p.index_strides))
      .target_mask(p.target_mask);
  if (p.x_scale_count != 0) params.x_per_channel();
  if (p.y_scale_count != 0) params.y_per_channel();
  if (p.flags & LANEPOOL_FLAG_GLOBAL) params.global();
  if (p.flags & LANEPOOL_FLAG_ADAPTIVE) params.adaptive();
  if (p.flags & LANEPOOL_FLAG_STRICT_ORDER) params.strict_order();
  if (p.flags & LANEPOOL_FLAG_ACCUMULATE_F64) params.accumulate_f64();
  if (p.flags & LANEPOOL_FLAG_CLAMP) params.clamp(p.clamp_low, p.clamp_high);
  return params;
}

template <class T>
std::vector<T> As(const Bytes& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

template <class T>
Bytes BytesOf(const std::vector<T>& elements) {
  Bytes bytes(elements.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

// The job in C++ with these elements; empty, or how it differs from that of the C functions.
template <class X, class Y, class Index>
std::string Fault(const RandomCase& item, const support::Inputs& inputs) {
  const support::Planned expected = support::Plan(item.params);
  const lanepool::Params params = Again(item.params);
  const Result<Plan> made =
      params.plan<X, Y, std::conditional_t<std::is_void_v<Index>, void, Index>>();
  if (!made) return "refused: " + made.report().message();
  const Plan& plan = *made;
  if (std::memcmp(&plan.params(), &item.params, sizeof item.params) != 0) return "other params";
  if (std::memcmp(&plan.desc(), &expected.desc, sizeof expected.desc) != 0) return "another desc";

  using Place = std::conditional_t<std::is_void_v<Index>, int64_t, Index>;
  const std::vector<X> x = As<X>(inputs.x);
  std::vector<Y> y = As<Y>(Bytes(plan.y_size() * sizeof(Y), support::kPoison));
  std::vector<Place> index =
      As<Place>(inputs.index.empty() ? Bytes(plan.index_size() * sizeof(Place), support::kPoison)
                                     : inputs.index);
  std::vector<std::byte> workspace(plan.workspace_bytes());
  std::vector<uint64_t> table(plan.table_size());
  if (!table.empty()) {
    const Result<> filled =
        plan.fill_table(table, {item.arrays.x_scales, item.arrays.x_zero_points,
                                item.arrays.y_scales, item.arrays.y_zero_points});
    if (!filled) return "table: " + filled.report().message();
  }
  if (x.size() != plan.x_size()) return "x_size";

  const support::Outputs whole = support::RunOnce(expected.desc, inputs);
  const int before = allocations;
  Result<> done = item.params.op == LANEPOOL_OP_MAX_UNPOOL
                      ? plan.unpool(x, std::as_const(index), y, {workspace, {}, table})
                      : plan.run(x, y, {workspace, index, table});
  if (allocations != before) return "run allocates";
  if (!done) return "run: " + done.report().message();
  if (BytesOf(y) != whole.y) return "another y";
  if (!whole.index.empty() && BytesOf(index) != whole.index) return "another index";

  const int64_t middle = plan.work_items() / 2;
  Bytes half(plan.y_size() * sizeof(Y), support::kPoison);
  Bytes half_index = BytesOf(index);
  support::RunRange(expected.desc, inputs.x.data(), half.data(), 0, middle, inputs.table,
                    half_index.empty() ? nullptr : half_index.data());
  y = As<Y>(Bytes(half.size(), support::kPoison));
  done = plan.run_range(x, y, 0, middle, {workspace, index, table});
  if (!done) return "half: " + done.report().message();
  return BytesOf(y) == half ? "" : "another half of y";
}

template <class X, class Y>
std::string FaultOf(const RandomCase& item, const support::Inputs& inputs) {
  switch (item.params.index_type) {
    case LANEPOOL_TYPE_INT32:
      return Fault<X, Y, int32_t>(item, inputs);
    case LANEPOOL_TYPE_INT64:
      return Fault<X, Y, int64_t>(item, inputs);
    default:
      return Fault<X, Y, void>(item, inputs);
  }
}

// y_type is x_type, but that f32 and bytes mix.
template <class X>
std::string FaultOf(const RandomCase& item, const support::Inputs& inputs) {
  if (item.params.y_type == lanepool::kTypeOf<X>) return FaultOf<X, X>(item, inputs);
  switch (item.params.y_type) {
    case LANEPOOL_TYPE_FLOAT:
      return FaultOf<X, float>(item, inputs);
    case LANEPOOL_TYPE_UINT8:
      return FaultOf<X, uint8_t>(item, inputs);
    default:
      return FaultOf<X, int8_t>(item, inputs);
  }
}

std::string FaultOf(const RandomCase& item, const support::Inputs& inputs) {
  switch (item.params.x_type) {
    case LANEPOOL_TYPE_FLOAT:
      return FaultOf<float>(item, inputs);
    case LANEPOOL_TYPE_DOUBLE:
      return FaultOf<double>(item, inputs);
    case LANEPOOL_TYPE_FLOAT16:
      return FaultOf<Half>(item, inputs);
    case LANEPOOL_TYPE_BFLOAT16:
      return FaultOf<BFloat16>(item, inputs);
    case LANEPOOL_TYPE_UINT8:
      return FaultOf<uint8_t>(item, inputs);
    case LANEPOOL_TYPE_INT8:
      return FaultOf<int8_t>(item, inputs);
    case LANEPOOL_TYPE_UINT16:
      return FaultOf<uint16_t>(item, inputs);
    case LANEPOOL_TYPE_INT16:
      return FaultOf<int16_t>(item, inputs);
    default:
      return FaultOf<int32_t>(item, inputs);
  }
}

TEST(RandomJobs, AreThoseOfTheCFunctions) {
  const int64_t cases = support::CaseCount(600);
  int types[17] = {};
  int with_table = 0, with_workspace = 0, unpooled = 0;
  for (int64_t i = 0; i < cases; ++i) {
    support::Random random(support::FirstSeed() + static_cast<uint64_t>(i));
    RandomCase item = support::MakeAnyCase(&random);
    if (i % 4 == 1) item = support::MakeQuantizedCase(&random);
    if (i % 4 == 2) item = support::MakeWideRandomCase(&random);
    const lanepool_desc desc = support::Plan(item.params).desc;
    support::Inputs inputs = {support::MakeX(&random, item),
                              support::MakeIndex(&random, item.params),
                              support::MakeTable(desc, item.arrays)};
    ASSERT_EQ(FaultOf(item, inputs), "") << item.Text();
    ++types[item.params.x_type];
    with_table += desc.table_bytes > 0;
    with_workspace += desc.workspace_bytes > 0;
    unpooled += item.params.op == LANEPOOL_OP_MAX_UNPOOL;
  }
  for (const int type : {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_FLOAT16,
                         LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8,
                         LANEPOOL_TYPE_UINT16, LANEPOOL_TYPE_INT16, LANEPOOL_TYPE_INT32}) {
    EXPECT_GT(types[type], 0) << type;
  }
  EXPECT_GT(with_table, 0);
  EXPECT_GT(with_workspace, 0);
  EXPECT_GT(unpooled, 0);
}

}  // namespace
