#include "plan_bounds.h"

#include <algorithm>

#include "oracle/types.h"

namespace fuzz {
namespace {

using Wide = __int128;

struct Sizes {
  Wide size[5] = {1, 1, 1, 1, 1};  // N, C and the spatial axes
  int axes = 2;
};

Sizes SizesOf(const lanepool_params& p, const int64_t* spatial) {
  Sizes sizes;
  sizes.size[0] = p.batch;
  sizes.size[1] = p.channels;
  sizes.axes = 2 + p.rank;
  for (int i = 0; i < p.rank; ++i) sizes.size[2 + i] = spatial[i];
  return sizes;
}

Wide CountOf(const Sizes& sizes) {
  Wide count = 1;
  for (int i = 0; i < sizes.axes; ++i) count *= sizes.size[i];
  return count;
}

// Bytes from the first element to the last, both included.
Wide BytesOf(const Sizes& sizes, const int64_t* strides, int32_t type) {
  if (std::find(sizes.size, sizes.size + sizes.axes, 0) != sizes.size + sizes.axes) return 0;
  const bool dense = std::all_of(strides, strides + 5, [](int64_t s) { return s == 0; });
  if (dense) return CountOf(sizes) * oracle::ElementBytes(type);
  Wide last = 0;
  for (int i = 0; i < sizes.axes; ++i) last += (sizes.size[i] - 1) * static_cast<Wide>(strides[i]);
  return (last + 1) * oracle::ElementBytes(type);
}

// Whether `output` windows fit the axis as they should: the last begins before the end of what the
// pads make of the input, and another one would not fit.
bool IsOutputRight(const lanepool_params& p, const lanepool_desc& desc, int i) {
  const bool global = (p.flags & LANEPOOL_FLAG_GLOBAL) != 0;
  if (global) return desc.output[i] == 1;
  if (p.op == LANEPOOL_OP_MAX_UNPOOL) return desc.output[i] >= 1;
  if ((p.flags & LANEPOOL_FLAG_ADAPTIVE) != 0) return desc.output[i] == p.output_size[i];
  const Wide padded = static_cast<Wide>(p.input[i]) + desc.pads_begin[i] + desc.pads_end[i];
  const Wide span = static_cast<Wide>(p.dilations[i]) * (p.kernel[i] - 1) + 1;
  const Wide last = static_cast<Wide>(desc.output[i] - 1) * p.strides[i];
  if (desc.output[i] < 1 || desc.pads_begin[i] < 0 || desc.pads_end[i] < 0) return false;
  // Without the drop rule of ONNX the last window may begin behind the pads.
  const bool drops = p.ceil_mode != LANEPOOL_CEIL_KEEP;
  if (last >= (drops ? padded : padded + p.strides[i])) return false;
  if (p.auto_pad != LANEPOOL_AUTO_PAD_NOTSET || last + p.strides[i] + span > padded) return true;
  // The drop rule takes one that fits, too.
  return p.ceil_mode == LANEPOOL_CEIL_ON &&
         last + p.strides[i] >= static_cast<Wide>(p.input[i]) + desc.pads_begin[i];
}

}  // namespace

std::string BoundsFault(const lanepool_params& p, const lanepool_desc& desc) {
  const Sizes x = SizesOf(p, p.input), y = SizesOf(p, desc.output);
  if (desc.rank != p.rank) return "rank";
  if (desc.x_bytes != BytesOf(x, p.x_strides, p.x_type)) return "x_bytes";
  if (desc.y_bytes != BytesOf(y, p.y_strides, p.y_type)) return "y_bytes";
  const Sizes& index = p.op == LANEPOOL_OP_MAX_UNPOOL ? x : y;
  const Wide index_bytes =
      p.index_type == LANEPOOL_TYPE_NONE ? 0 : BytesOf(index, p.index_strides, p.index_type);
  if (desc.index_bytes != index_bytes) return "index_bytes";
  if (desc.element_count != CountOf(y)) return "element_count";
  if (desc.workspace_bytes < 0 || desc.table_bytes < 0) return "workspace_bytes or table_bytes";
  if (desc.work_items < (CountOf(y) == 0 ? 0 : 1)) return "work_items";
  for (int i = 0; i < p.rank; ++i) {
    if (!IsOutputRight(p, desc, i)) return "output";
  }
  return "";
}

}  // namespace fuzz
