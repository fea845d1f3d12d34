#include "indices.h"

#include <cmath>

namespace oracle {
namespace {

// The first tap that is the maximum; with NAN_PROPAGATE the first NaN, if there is one; the first
// tap if all are NaN.
size_t FirstMaximum(const std::vector<double>& taps, int32_t nan_rule) {
  size_t best = 0;
  for (size_t i = 0; i < taps.size(); ++i) {
    if (std::isnan(taps[i])) {
      if (nan_rule == LANEPOOL_NAN_PROPAGATE) return i;
    } else if (std::isnan(taps[best]) || taps[i] > taps[best]) {
      best = i;
    }
  }
  return best;
}

struct Plane {
  int64_t d1, d2, d3;

  explicit Plane(const Shape& shape, int32_t rank)
      : d1(shape.index_space[0]),
        d2(rank > 1 ? shape.index_space[1] : 1),
        d3(rank > 2 ? shape.index_space[2] : 1) {}
  int64_t Size() const { return d1 * d2 * d3; }
};

bool IsColumnMajor(const lanepool_params& params) {
  return params.storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR &&
         (params.index_mode == LANEPOOL_INDEX_NCHW || params.index_mode == LANEPOOL_INDEX_PLANE);
}

}  // namespace

int64_t IndexAt(const lanepool_params& params, const Shape& shape, int64_t n, int64_t c,
                const int64_t (&place)[3]) {
  const Plane plane(shape, params.rank);
  const int64_t in_plane = IsColumnMajor(params)
                               ? place[0] + (place[1] + place[2] * plane.d2) * plane.d1
                               : (place[0] * plane.d2 + place[1]) * plane.d3 + place[2];
  switch (params.index_mode) {
    case LANEPOOL_INDEX_NHWC:
      return (n * plane.Size() + in_plane) * params.channels + c;
    case LANEPOOL_INDEX_PLANE:
      return in_plane;
    default:
      return (n * params.channels + c) * plane.Size() + in_plane;
  }
}

int64_t IndexOf(const lanepool_params& params, const Shape& shape, const Job& job,
                const Position& at, const Taps& taps) {
  if (taps.values.empty()) return -1;
  const size_t maximum = FirstMaximum(taps.values, params.nan_rule);
  const Place place = PlaceOfTap(InsideTapsOf(job, at), maximum);
  if (params.index_mode == LANEPOOL_INDEX_WINDOW) return place.number;
  return IndexAt(params, shape, at[0], at[1], place.t);
}

bool PlaceOf(const lanepool_params& params, const Shape& shape, int64_t n, int64_t c, int64_t index,
             int64_t (&place)[3]) {
  const Plane plane(shape, params.rank);
  if (index < 0) return false;
  int64_t in_plane = index;
  if (params.index_mode == LANEPOOL_INDEX_NCHW) {
    in_plane = index - (n * params.channels + c) * plane.Size();
  } else if (params.index_mode == LANEPOOL_INDEX_NHWC) {
    if (index % params.channels != c) return false;
    in_plane = index / params.channels - n * plane.Size();
  }
  if (in_plane < 0 || in_plane >= plane.Size()) return false;
  if (IsColumnMajor(params)) {
    place[0] = in_plane % plane.d1;
    place[1] = in_plane / plane.d1 % plane.d2;
    place[2] = in_plane / (plane.d1 * plane.d2);
  } else {
    place[0] = in_plane / (plane.d2 * plane.d3);
    place[1] = in_plane / plane.d3 % plane.d2;
    place[2] = in_plane % plane.d3;
  }
  return true;
}

void PoolIndices(const lanepool_params& params, const void* x, void* index) {
  const Shape shape = ResolveShape(params);
  const Job job = JobOf(params, shape);
  const Tensor tensor = TensorOfIndex(params, shape);
  ForEachOutput(tensor, [&](const Position& at, int64_t offset) {
    const Taps taps = TapsOf(job, at, params.x_type, x);
    StoreIndex(params.index_type, index, offset, IndexOf(params, shape, job, at, taps));
  });
}

}  // namespace oracle
