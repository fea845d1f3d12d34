// Plans and runs, with the boilerplate of the C interface taken out of the tests.
#ifndef LANEPOOL_TESTS_SUPPORT_JOB_H_
#define LANEPOOL_TESTS_SUPPORT_JOB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "../oracle/oracle.h"
#include "lanepool/lanepool.h"

namespace support {

struct Planned {
  int32_t status;
  lanepool_desc desc;
  lanepool_error error;
};

// Plans `params`; with `target_mask` for these instruction sets.
Planned Plan(const lanepool_params& params);
Planned Plan(lanepool_params params, uint64_t target_mask);

// The line of lanepool_explain, and what of it follows the job: the loop, formulas, target.
std::string Explanation(const lanepool_desc& desc);
std::string WayOf(const lanepool_desc& desc);

// What lanepool_table_init makes of the arrays, exactly desc.table_bytes of it; empty for a desc
// that needs no table. Ends the process if the library refuses.
using Table = std::vector<uint64_t>;
Table MakeTable(const lanepool_desc& desc, const oracle::PerChannel& arrays);

// Runs all or some work items on buffers of exactly the sizes of the desc, with a workspace of
// exactly its size. Returns the status.
int32_t Run(const lanepool_desc& desc, const void* x, void* y, const Table& table = {},
            void* index = nullptr);
int32_t RunRange(const lanepool_desc& desc, const void* x, void* y, int64_t begin, int64_t end,
                 const Table& table = {}, void* index = nullptr);

// Params by name: Average({5, 5}).Kernel({3, 3}).Pads({1, 1, 1, 1}). f32, ONNX dialect, NHWC, one
// image, one channel. A list that is shorter than the rank is an error of the test.
class Params {
 public:
  using List = std::vector<int64_t>;

  Params(int32_t op, const List& input);

  Params& Batch(int64_t batch);
  Params& Channels(int64_t channels);
  Params& Layout(int32_t layout);
  Params& Kernel(const List& kernel);
  Params& Strides(const List& strides);
  Params& Dilations(const List& dilations);
  Params& Pads(const List& pads);  // begins, then ends, as in ONNX
  Params& AutoPad(int32_t auto_pad);
  Params& Ceil(int32_t ceil_mode = LANEPOOL_CEIL_ON);
  Params& Divisor(int32_t divisor, int64_t value = 0);
  Params& Include() { return Divisor(LANEPOOL_DIVISOR_INCLUDE_PAD); }
  Params& EmptyWindow(int32_t empty_window);
  Params& Oversize(int32_t oversize_kernel);
  Params& ValidCeil(int32_t valid_ceil);
  Params& NanRule(int32_t nan_rule);
  Params& Global();
  Params& Type(int32_t type) { return Types(type, type); }
  Params& Types(int32_t x_type, int32_t y_type);
  Params& Scales(float x_scale, float y_scale);
  Params& ZeroPoints(int32_t x_zero_point, int32_t y_zero_point);
  Params& ScaleCounts(int64_t x_scale_count, int64_t y_scale_count);
  Params& Rounding(int32_t rounding);
  Params& Clamp(double low, double high);
  Params& LpOrder(double order);
  Params& Flag(uint32_t flag);
  Params& Adaptive(const List& output_size);
  Params& OutputSize(const List& output_size);
  Params& Index(int32_t type, int32_t mode = LANEPOOL_INDEX_NCHW,
                int32_t storage_order = LANEPOOL_STORAGE_ROW_MAJOR);

  operator lanepool_params() const { return params_; }  // NOLINT: it is one, with setters

 private:
  lanepool_params params_;
};

inline Params Average(const Params::List& input) { return Params(LANEPOOL_OP_AVERAGE, input); }
inline Params Max(const Params::List& input) { return Params(LANEPOOL_OP_MAX, input); }
inline Params Min(const Params::List& input) { return Params(LANEPOOL_OP_MIN, input); }
inline Params Sum(const Params::List& input) { return Params(LANEPOOL_OP_SUM, input); }
inline Params Lp(const Params::List& input) { return Params(LANEPOOL_OP_LP, input); }

// With INT64 indices.
inline Params MaxUnpool(const Params::List& input) {
  return Params(LANEPOOL_OP_MAX_UNPOOL, input).Index(LANEPOOL_TYPE_INT64);
}

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_JOB_H_
