#include "sample_data.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace lanepool_tool {
namespace {

// Sizes of three spatial axes; those that a rank lacks are 1 and come first.
struct Sizes {
  int64_t of[3] = {1, 1, 1};

  int64_t Product() const { return of[0] * of[1] * of[2]; }
};

Sizes SizesOf(const int64_t* values, int32_t rank) {
  Sizes sizes;
  std::copy_n(values, rank, sizes.of + 3 - rank);
  return sizes;
}

// Of the tensor in which indices count.
Sizes IndexSpace(const lanepool_params& p) {
  int64_t sizes[3];
  for (int32_t axis = 0; axis < p.rank; ++axis) {
    sizes[axis] = p.kernel[axis] == 0 ? p.output_size[axis]
                                      : (p.input[axis] - 1) * p.strides[axis] - p.pads_begin[axis] -
                                            p.pads_end[axis] + p.kernel[axis];
  }
  return SizesOf(sizes, p.rank);
}

// Number of an element of the index tensor within its plane, row major, to a position in the plane
// of `space` that `y` has as well.
int64_t PositionOf(int64_t element, const Sizes& x, const Sizes& space, const Sizes& y,
                   int32_t storage_order) {
  int64_t coordinate[3];
  for (int axis = 2; axis >= 0; --axis) {
    const int64_t places = std::min(space.of[axis], y.of[axis]);
    coordinate[axis] = element % x.of[axis] * places / x.of[axis];
    element /= x.of[axis];
  }
  if (storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR) {
    return coordinate[0] + space.of[0] * (coordinate[1] + space.of[1] * coordinate[2]);
  }
  return (coordinate[0] * space.of[1] + coordinate[1]) * space.of[2] + coordinate[2];
}

int64_t IndexOf(const lanepool_params& p, int64_t n, int64_t c, int64_t position, int64_t plane) {
  switch (p.index_mode) {
    case LANEPOOL_INDEX_NCHW:
      return (n * p.channels + c) * plane + position;
    case LANEPOOL_INDEX_NHWC:
      return (n * plane + position) * p.channels + c;
    default:
      return position;
  }
}

void Store(int32_t index_type, const Buffer& index, int64_t element, int64_t value) {
  if (index_type == LANEPOOL_TYPE_INT64) {
    std::memcpy(index.data() + static_cast<size_t>(element) * sizeof value, &value, sizeof value);
    return;
  }
  const int32_t narrow = static_cast<int32_t>(value);
  std::memcpy(index.data() + static_cast<size_t>(element) * sizeof narrow, &narrow, sizeof narrow);
}

}  // namespace

void FillWithNoise(int32_t type, const Buffer& x) {
  std::mt19937 random(1);
  uint8_t* bytes = x.data();
  for (size_t i = 0; i < x.size(); i += sizeof(uint32_t)) {
    uint32_t bits = static_cast<uint32_t>(random());
    if (type == LANEPOOL_TYPE_FLOAT) bits = (bits & 0x807fffffu) | 0x3f000000u;
    if (type == LANEPOOL_TYPE_FLOAT16) bits = (bits & 0x83ff83ffu) | 0x38003800u;
    if (type == LANEPOOL_TYPE_BFLOAT16) bits = (bits & 0x807f807fu) | 0x3f003f00u;
    std::memcpy(bytes + i, &bits, std::min(sizeof bits, x.size() - i));
  }
  if (type != LANEPOOL_TYPE_DOUBLE) return;
  for (size_t i = 0; i + sizeof(uint64_t) <= x.size(); i += sizeof(uint64_t)) {
    uint64_t bits;
    std::memcpy(&bits, bytes + i, sizeof bits);
    bits = (bits & 0x800fffffffffffffu) | 0x3fe0000000000000u;
    std::memcpy(bytes + i, &bits, sizeof bits);
  }
}

void FillWithPositions(const lanepool_params& params, const lanepool_desc& desc,
                       const Buffer& index) {
  const Sizes x = SizesOf(params.input, params.rank);
  const Sizes y = SizesOf(desc.output, params.rank);
  const Sizes space = IndexSpace(params);
  const int64_t inputs = x.Product(), plane = space.Product();
  const bool channels_last = params.layout == LANEPOOL_LAYOUT_NHWC;
  for (int64_t n = 0; n < params.batch; ++n) {
    for (int64_t c = 0; c < params.channels; ++c) {
      for (int64_t i = 0; i < inputs; ++i) {
        const int64_t position = PositionOf(i, x, space, y, params.storage_order);
        const int64_t element = channels_last ? (n * inputs + i) * params.channels + c
                                              : (n * params.channels + c) * inputs + i;
        Store(params.index_type, index, element, IndexOf(params, n, c, position, plane));
      }
    }
  }
}

}  // namespace lanepool_tool
