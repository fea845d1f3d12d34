// lanepool for C++17: the functions of lanepool.h, which is the reference, as typed values.
//
//   std::vector<float> x(25, 1), y(9);
//   lanepool::Params params(lanepool::Op::average, {1, 1, 5, 5});  // the shape of x: N C H W
//   params.kernel_shape({3, 3}).strides({2, 2}).pads({1, 1, 1, 1});
//   const lanepool::Plan plan = params.plan<float>().value();  // throws lanepool::Error
//   std::vector<std::byte> scratch(plan.workspace_bytes());
//   if (auto done = plan.run(x, y, {scratch}); !done) std::puts(done.report().message().c_str());
//
// - A call that can fail returns a Result: look at it, or take its value(), which throws. Under
//   -fno-exceptions there is no value(), and all else is the same. -fno-rtti changes nothing.
// - All types are values that own nothing, and nothing allocates but message() and explain().
// - A Plan is 2.5 KiB of plain data: any number of threads may share one. Calls that run at the
// same
//   time need separate workspaces and must not write the same outputs.
// - Buffers are counted in elements, but a workspace, and what a Report says, in bytes.
#ifndef LANEPOOL_LANEPOOL_HPP_
#define LANEPOOL_LANEPOOL_HPP_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "lanepool/lanepool.h"

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define LANEPOOL_HAS_EXCEPTIONS 1
#include <stdexcept>
#endif

namespace lanepool {

// The codes of lanepool.h, in its order.
enum class Op : int32_t { average = 1, max, min, sum, lp, max_unpool };
enum class Layout : int32_t { nchw = 1, nhwc };
enum class AutoPad : int32_t { notset, valid, same_upper, same_lower };
enum class CeilMode : int32_t { off, on, keep };
enum class ValidCeil : int32_t { ceil, floor };
enum class OversizeKernel : int32_t { reject, truncate };
enum class Divisor : int32_t { exclude_pad, include_pad, full_kernel, constant };
enum class EmptyWindow : int32_t { zero, nan, reject };
enum class NanRule : int32_t { propagate, ignore };
enum class Rounding : int32_t { half_even, half_even_after_zero_point, half_away };
enum class IndexMode : int32_t { nchw, nhwc, plane, window };
enum class StorageOrder : int32_t { row_major, column_major };
enum class Dialect : int32_t { onnx, ort, torch, tflite, onednn };

// Elements that C++17 has no type for, by their bits; uint16_t is an integer.
enum class Half : uint16_t {};
enum class BFloat16 : uint16_t {};

// LANEPOOL_TYPE_* of T. Specialise it for types of your own with the same bits, as _Float16.
template <class T>
inline constexpr int32_t kTypeOf = std::is_same_v<T, float>      ? LANEPOOL_TYPE_FLOAT
                                   : std::is_same_v<T, uint8_t>  ? LANEPOOL_TYPE_UINT8
                                   : std::is_same_v<T, int8_t>   ? LANEPOOL_TYPE_INT8
                                   : std::is_same_v<T, uint16_t> ? LANEPOOL_TYPE_UINT16
                                   : std::is_same_v<T, int16_t>  ? LANEPOOL_TYPE_INT16
                                   : std::is_same_v<T, int32_t>  ? LANEPOOL_TYPE_INT32
                                   : std::is_same_v<T, int64_t>  ? LANEPOOL_TYPE_INT64
                                   : std::is_same_v<T, Half>     ? LANEPOOL_TYPE_FLOAT16
                                   : std::is_same_v<T, double>   ? LANEPOOL_TYPE_DOUBLE
                                   : std::is_same_v<T, BFloat16> ? LANEPOOL_TYPE_BFLOAT16
                                                                 : LANEPOOL_TYPE_NONE;

template <class C>
using ElementOf = std::remove_pointer_t<decltype(std::data(std::declval<C&>()))>;

// Somebody else's elements: a pointer and a count, or anything with std::data and std::size, as
// std::vector, std::array, std::span and arrays.
template <class T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T* data, size_t size) noexcept : data_(data), size_(size) {}
  template <class C, class = std::enable_if_t<std::is_convertible_v<ElementOf<C> (*)[], T (*)[]>>>
  constexpr Span(C&& c) noexcept : data_(std::data(c)), size_(std::size(c)) {}

  constexpr T* data() const noexcept { return size_ == 0 ? nullptr : data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr size_t bytes() const noexcept { return size_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// A number for each axis: {3, 3}, or a container. Of more than 6 only the count is kept.
struct Axes {
  template <class... I, class = std::enable_if_t<(std::is_integral_v<I> && ...)>>
  constexpr Axes(I... numbers) noexcept
      : values{static_cast<int64_t>(numbers)...}, count(sizeof...(numbers)) {}
  template <class C, class = decltype(std::data(std::declval<const C&>()))>
  constexpr Axes(const C& c) noexcept : count(std::size(c)) {
    for (size_t i = 0; i < count && i < 6; ++i) values[i] = static_cast<int64_t>(std::data(c)[i]);
  }
  int64_t values[6] = {};
  size_t count = 0;
};

// Why a call was refused: the report of lanepool.h. With `argument`, a check of this header or of a
// run: `value` was given, `limit` is needed, in bytes; under TYPE they are LANEPOOL_TYPE_*.
struct Report : lanepool_error {
  explicit Report(int32_t code = LANEPOOL_OK) noexcept : lanepool_error{code, 0, -1, 0, 0, 0, 0} {}
  template <class Given, class Needed>
  Report(int32_t code, const char* name, Given given, Needed needed) noexcept : Report(code) {
    argument = name, value = static_cast<int64_t>(given), limit = static_cast<int64_t>(needed);
  }
  // "kernel[1] is 0; it must be at least 1" or "X_SIZE: x has 96, it needs 100".
  std::string message() const {
    char text[256];
    lanepool_error_format(this, text, sizeof text);
    if (argument == nullptr) return text;
    return std::string(text) + ": " + argument + " has " + std::to_string(value) + ", it needs " +
           std::to_string(limit);
  }
  const char* argument = nullptr;
};

#ifdef LANEPOOL_HAS_EXCEPTIONS
struct Error : std::runtime_error {
  explicit Error(const Report& r) : std::runtime_error("lanepool: " + r.message()), report(r) {}
  Report report;
};
#endif

struct Done {};  // the value of a call that writes into buffers
// A value, or the report of why there is none; as std::expected of C++23.
template <class T = Done>
class [[nodiscard]] Result {
 public:
  Result(const T& value) noexcept : value_(value) {}
  Result(const Report& report) noexcept : report_(report) {}

  explicit operator bool() const noexcept { return status() == LANEPOOL_OK; }
  int32_t status() const noexcept { return report_.status; }  // LANEPOOL_*
  const Report& report() const noexcept { return report_; }
  const T& operator*() const noexcept { return assert(*this), value_; }
  const T* operator->() const noexcept { return assert(*this), &value_; }
#ifdef LANEPOOL_HAS_EXCEPTIONS
  T value() const { return *this ? value_ : throw Error(report_); }
#endif

 private:
  T value_{};
  Report report_;
};

// The elements of a call, and their type: from spans and containers.
template <class Void>
struct Elements {
  Elements() noexcept = default;
  template <class C, class E = ElementOf<C>,
            class = std::enable_if_t<std::is_convertible_v<E*, Void*>>>
  Elements(C&& c) noexcept
      : data(std::data(c)), bytes(std::size(c) * sizeof(E)), type(kTypeOf<std::remove_cv_t<E>>) {}
  Void* data = nullptr;
  size_t bytes = 0;
  int32_t type = LANEPOOL_TYPE_NONE;
};
using Input = Elements<const void>;
using Output = Elements<void>;

// Behind x and y: plan.run(x, y, {workspace, index}). What a plan has no use for is left alone.
struct Buffers {
  Span<std::byte> workspace = {};
  Output index = {};
  Span<const uint64_t> table = {};  // of fill_table, for a plan of the same params
};

// Quantization per channel: an entry for each, or none where all have that of the params.
struct Channels {
  Span<const float> x_scales = {};
  Span<const int32_t> x_zero_points = {};
  Span<const float> y_scales = {};
  Span<const int32_t> y_zero_points = {};
};

// A job that was checked and prepared. One that nobody has made answers DESC.
class Plan {
 public:
  // As lanepool_plan; DESC, if the library has another ABI than this header.
  static Result<Plan> make(const lanepool_params& params) noexcept {
    const int32_t abi = lanepool_abi_version();
    if (abi != LANEPOOL_ABI_VERSION) return Report(LANEPOOL_DESC, "ABI", abi, LANEPOOL_ABI_VERSION);
    Plan plan;
    Report report;
    if (lanepool_plan(&params, &plan.desc_, &report) != LANEPOOL_OK) return report;
    plan.params_ = params;
    return plan;
  }

  const lanepool_params& params() const noexcept { return params_; }
  const lanepool_desc& desc() const noexcept { return desc_; }
  int64_t work_items() const noexcept { return desc_.work_items; }

  // The smallest buffers: elements, bytes of workspace, words of table. 0: none is needed.
  size_t x_size() const noexcept { return Count(desc_.x_bytes, params_.x_type); }
  size_t y_size() const noexcept { return Count(desc_.y_bytes, params_.y_type); }
  size_t index_size() const noexcept { return Count(desc_.index_bytes, params_.index_type); }
  size_t workspace_bytes() const noexcept { return static_cast<size_t>(desc_.workspace_bytes); }
  size_t table_size() const noexcept { return static_cast<size_t>(desc_.table_bytes + 7) / 8; }

  // Pools x into y. TYPE: other elements than planned. X_SIZE, Y_SIZE, INDEX_SIZE, WORKSPACE,
  // TABLE: too short, or none; of another plan. Else as lanepool_run. Nothing is written then.
  Result<> run(Input x, Output y, const Buffers& others = {}) const noexcept {
    return run_range(x, y, 0, desc_.work_items, others);
  }

  // The items [begin, end) of work_items(), for a thread pool of yours: items write separate
  // outputs, any split gives the same bytes. As run, and RANGE.
  Result<> run_range(Input x, Output y, int64_t begin, int64_t end,
                     const Buffers& others = {}) const noexcept {
    const auto& [workspace, index, table] = others;
    if (params_.x_type == LANEPOOL_TYPE_NONE) return Report(LANEPOOL_DESC);
    if (x.type != params_.x_type) return Report(LANEPOOL_TYPE, "x", x.type, params_.x_type);
    if (y.type != params_.y_type) return Report(LANEPOOL_TYPE, "y", y.type, params_.y_type);
    if (desc_.index_bytes != 0 && index.data != nullptr && index.type != params_.index_type) {
      return Report(LANEPOOL_TYPE, "index", index.type, params_.index_type);
    }
    const int32_t status = lanepool_run_table(&desc_, table.data(), table.bytes(), x.data, x.bytes,
                                              y.data, y.bytes, index.data, index.bytes,
                                              workspace.data(), workspace.bytes(), begin, end);
    if (status == LANEPOOL_OK) return Done();
    const Report lengths[] = {
        {LANEPOOL_X_SIZE, "x", x.bytes, desc_.x_bytes},
        {LANEPOOL_Y_SIZE, "y", y.bytes, desc_.y_bytes},
        {LANEPOOL_INDEX_SIZE, "index", index.bytes, desc_.index_bytes},
        {LANEPOOL_WORKSPACE, "workspace", workspace.bytes(), desc_.workspace_bytes},
        {LANEPOOL_TABLE, "table", table.bytes(), desc_.table_bytes},
    };
    for (const Report& report : lengths) {
      if (report.status == status) return report;
    }
    return Report(status);
  }

  // run of a plan of max_unpool with an index that may be const. OP: of another plan.
  Result<> unpool(Input x, Input index, Output y, Buffers others = {}) const noexcept {
    if (params_.op != LANEPOOL_OP_MAX_UNPOOL) return Report(LANEPOOL_OP);
    others.index.data = const_cast<void*>(index.data);  // is only read
    others.index.bytes = index.bytes;
    others.index.type = index.type;
    return run(x, y, others);
  }

  // Fills a table of table_size() words. TABLE: too short, or an array without an entry for each
  // channel. Else as lanepool_table_init.
  Result<> fill_table(Span<uint64_t> table, const Channels& of) const noexcept {
    const auto channels = static_cast<size_t>(params_.channels);
    const auto& [x_scales, x_zeros, y_scales, y_zeros] = of;
    for (size_t given : {x_scales.size(), x_zeros.size(), y_scales.size(), y_zeros.size()}) {
      if (given != 0 && given != channels) return Report(LANEPOOL_TABLE, "array", given, channels);
    }
    Report report;
    lanepool_table_init(&desc_, x_scales.data(), x_zeros.data(), y_scales.data(), y_zeros.data(),
                        table.data(), table.bytes(), &report);
    return report.status == LANEPOOL_OK ? Result<>(Done()) : report;
  }

  // "average f32 nhwc 2d 3x3/1: columns, AVX3"
  std::string explain() const {
    char text[512];
    return lanepool_explain(&desc_, text, sizeof text) < 0 ? "?" : text;
  }

 private:
  static constexpr size_t Count(int64_t bytes, int32_t type) noexcept {
    constexpr uint8_t kBytes[] = {1, 4, 1, 1, 2, 2, 4, 8, 0, 0, 2, 8, 0, 0, 0, 0, 2};
    return static_cast<size_t>(bytes) / kBytes[type];
  }

  lanepool_desc desc_{};
  lanepool_params params_{};
};
static_assert(std::is_trivially_copyable_v<Plan>, "a plan is plain data");

// What to compute: the attributes of the ONNX operators, and lanepool's policies.
class Params {
 public:
  // The shape of x, batch and channels included, is in the order of the layout.
  Params(Op op, Axes shape, Layout layout = Layout::nchw,
         Dialect dialect = Dialect::onnx) noexcept {
    wrong_ = Report(lanepool_params_init(&fields_, sizeof fields_, static_cast<int32_t>(dialect)));
    fields_.op = static_cast<int32_t>(op);
    fields_.layout = static_cast<int32_t>(layout);
    fields_.rank = shape.count == 3 ? 1 : shape.count == 4 ? 2 : 3;
    int64_t sizes[5] = {};
    View(shape, "shape", sizes);
    fields_.batch = sizes[0];
    fields_.channels = sizes[1];
    std::copy_n(sizes + 2, Rank(), fields_.input);
  }

  // Lists with an entry for each spatial axis; pads: all begins, then all ends. RANK otherwise.
  Params& kernel_shape(Axes taps) { return Set(taps, "kernel_shape", fields_.kernel); }
  Params& strides(Axes steps) { return Set(steps, "strides", fields_.strides); }
  Params& dilations(Axes steps) { return Set(steps, "dilations", fields_.dilations); }
  Params& output_size(Axes sizes) { return Set(sizes, "output_size", fields_.output_size); }
  Params& pads(Axes pads) {
    if (!Fits(pads, "pads", 2 * Rank())) return *this;
    std::copy_n(pads.values, Rank(), fields_.pads_begin);
    std::copy_n(pads.values + Rank(), Rank(), fields_.pads_end);
    return *this;
  }

  Params& auto_pad(AutoPad mode) { return Set(mode, fields_.auto_pad); }
  Params& ceil_mode(CeilMode mode) { return Set(mode, fields_.ceil_mode); }
  Params& valid_ceil(ValidCeil rule) { return Set(rule, fields_.valid_ceil); }
  Params& oversize_kernel(OversizeKernel rule) { return Set(rule, fields_.oversize_kernel); }
  Params& divisor(Divisor rule, int64_t constant = 0) {
    return fields_.divisor_value = constant, Set(rule, fields_.divisor);
  }
  Params& empty_window(EmptyWindow rule) { return Set(rule, fields_.empty_window); }
  Params& nan_rule(NanRule rule) { return Set(rule, fields_.nan_rule); }
  Params& rounding(Rounding rule) { return Set(rule, fields_.rounding); }
  Params& index_mode(IndexMode mode) { return Set(mode, fields_.index_mode); }
  Params& storage_order(StorageOrder order) { return Set(order, fields_.storage_order); }
  Params& p(double lp_order) { return fields_.lp_order = lp_order, *this; }
  Params& global() { return Flag(LANEPOOL_FLAG_GLOBAL); }
  Params& adaptive() { return Flag(LANEPOOL_FLAG_ADAPTIVE); }  // to output_size
  Params& strict_order() { return Flag(LANEPOOL_FLAG_STRICT_ORDER); }
  Params& accumulate_f64() { return Flag(LANEPOOL_FLAG_ACCUMULATE_F64); }
  Params& clamp(double low, double high) {
    return fields_.clamp_low = low, fields_.clamp_high = high, Flag(LANEPOOL_FLAG_CLAMP);
  }

  // real = scale * (q - zero_point), for all channels; those of fill_table, for each.
  Params& x_quantization(float scale, int32_t zero_point) {
    return fields_.x_scale = scale, fields_.x_zero_point = zero_point, *this;
  }
  Params& y_quantization(float scale, int32_t zero_point) {
    return fields_.y_scale = scale, fields_.y_zero_point = zero_point, *this;
  }
  Params& x_per_channel() { return fields_.x_scale_count = ChannelCount(), *this; }
  Params& y_per_channel() { return fields_.y_scale_count = ChannelCount(), *this; }

  // Views: the distance in elements along each axis of the tensor, in the order of the layout.
  Params& x_strides(Axes steps) { return View(steps, "x_strides", fields_.x_strides); }
  Params& y_strides(Axes steps) { return View(steps, "y_strides", fields_.y_strides); }
  Params& index_strides(Axes steps) { return View(steps, "index_strides", fields_.index_strides); }
  Params& target_mask(uint64_t targets) { return fields_.target_mask = targets, *this; }

  // For x of X, y of Y and, if wanted, indices: plan<float>(), plan<uint8_t, float>(),
  // plan<float, float, int64_t>().
  template <class X, class Y = X, class Index = void>
  Result<Plan> plan() const noexcept {
    if (wrong_.status != LANEPOOL_OK) return wrong_;
    lanepool_params params = fields_;
    params.x_type = kTypeOf<X>;
    params.y_type = kTypeOf<Y>;
    params.index_type = kTypeOf<Index>;
    return Plan::make(params);
  }

  const lanepool_params& fields() const noexcept { return fields_; }  // types are not set

 private:
  // Is 1 to 3; warnings about bounds must know it, too.
  size_t Rank() const noexcept { return static_cast<size_t>(std::clamp(fields_.rank, 1, 3)); }
  int32_t ChannelCount() const noexcept {  // more are refused either way
    return static_cast<int32_t>(std::min<int64_t>(fields_.channels, INT32_MAX));
  }
  Params& Flag(uint32_t flag) { return fields_.flags |= flag, *this; }
  template <class Enum>
  Params& Set(Enum code, int32_t& field) {
    return field = static_cast<int32_t>(code), *this;
  }
  // Keeps the first misfit for plan() to tell.
  bool Fits(Axes axes, const char* name, size_t needed) {
    if (axes.count == needed) return true;
    if (wrong_.status == LANEPOOL_OK) wrong_ = Report(LANEPOOL_RANK, name, axes.count, needed);
    return false;
  }
  Params& Set(Axes axes, const char* name, int64_t (&field)[3]) {
    if (!Fits(axes, name, Rank())) return *this;
    std::copy_n(axes.values, Rank(), field);
    return *this;
  }
  // From the order of the layout to that of lanepool.h: batch, channels, spatial axes.
  Params& View(Axes axes, const char* name, int64_t (&field)[5]) {
    if (!Fits(axes, name, 2 + Rank())) return *this;
    std::copy_n(axes.values, 2 + Rank(), field);
    const size_t channels_at = fields_.layout == LANEPOOL_LAYOUT_NHWC ? 1 + Rank() : 1;
    std::rotate(field + 1, field + channels_at, field + channels_at + 1);
    return *this;
  }

  lanepool_params fields_{};
  Report wrong_;
};

}  // namespace lanepool

#endif  // LANEPOOL_LANEPOOL_HPP_
