// A pooling job for arrays of a shape and dtype.
#ifndef LANEPOOL_BINDINGS_PYTHON_PLAN_H_
#define LANEPOOL_BINDINGS_PYTHON_PLAN_H_

#include <lanepool/lanepool.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lanepool_python {
namespace nb = nanobind;

constexpr int kMostAxes = 5;

// Scales and zero points of each channel; an empty list says what the params say.
struct Channels {
  std::vector<float> x_scales;
  std::vector<int32_t> x_zero_points;
  std::vector<float> y_scales;
  std::vector<int32_t> y_zero_points;

  bool operator==(const Channels& other) const {
    return x_scales == other.x_scales && x_zero_points == other.x_zero_points &&
           y_scales == other.y_scales && y_zero_points == other.y_zero_points;
  }
};

// One of the arrays of a plan. Axes are in the order of the array, strides in bytes.
struct Side {
  const char* name = nullptr;
  nb::object type;
  std::ptrdiff_t shape[kMostAxes] = {};
  std::ptrdiff_t strides[kMostAxes] = {};
};

struct Desc {
  lanepool_desc desc;
  std::vector<uint64_t> table;
};

struct Buffers {
  const void* x;
  void* y;
  void* index;
};

class Plan {
 public:
  Plan(nb::dict fields, nb::object x_type, nb::object y_type, nb::tuple channels);

  nb::object Run(nb::handle x, nb::object out, nb::object indices, int threads) const;
  void RunRange(nb::handle x, nb::handle out, int64_t begin, int64_t end, nb::object indices) const;

  const lanepool_desc& desc() const { return made_.desc; }
  const lanepool_params& params() const { return params_; }
  const Channels& channels() const { return channels_; }
  nb::object XType() const { return x_.type; }
  nb::object YType() const { return y_.type; }
  nb::object IndexType() const { return index_.type; }
  nb::tuple Shape(const std::ptrdiff_t* shape) const;
  nb::tuple XShape() const { return Shape(x_.shape); }
  nb::tuple YShape() const { return Shape(y_.shape); }
  bool operator==(const Plan& other) const {
    return std::memcmp(&params_, &other.params_, sizeof params_) == 0 &&
           channels_ == other.channels_;
  }

 private:
  bool Unpools() const { return params_.op == LANEPOOL_OP_MAX_UNPOOL; }
  bool HasIndices() const { return params_.index_type != LANEPOOL_TYPE_NONE; }
  // Place of an axis of the arrays in the order N, C, spatial.
  int Place(int axis) const {
    const bool nhwc = params_.layout == LANEPOOL_LAYOUT_NHWC;
    return !nhwc || axis == 0 ? axis : axis == axes_ - 1 ? 1 : axis + 1;
  }
  void SetType(const char* field, nb::handle type);
  void SetSide(Side* side, const char* name, const int64_t* spatial, const int64_t* strides);
  Desc Make(const lanepool_params& params) const;
  void Check(const Side& side, nb::handle array) const;
  bool HasStrides(const Side& side, nb::handle array) const;
  void SetStrides(const Side& side, nb::handle array, int64_t* strides) const;
  nb::object New(const Side& side) const;
  Buffers CheckAll(nb::handle x, nb::handle out, nb::handle indices) const;

  lanepool_params params_;
  Channels channels_;
  Desc made_;
  int axes_;
  Side x_, y_, index_;
};

// NumPy's C functions, which must be there before the first plan.
void ImportNumPy();

}  // namespace lanepool_python

#endif  // LANEPOOL_BINDINGS_PYTHON_PLAN_H_
