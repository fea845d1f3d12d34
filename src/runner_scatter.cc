// Loop::kScatter: MAX_UNPOOL. y is filled, then each x goes where its index says.
#include <stdint.h>
#include <string.h>

#include "element_rules.h"
#include "runner.h"
#include "runner_context.h"
#include "strategy.h"
#include "types.h"

namespace lanepool {
namespace {

// Bits is the unsigned integer of the size of an element.
template <class Bits>
class Scatter {
 public:
  Scatter(const Sealed& sealed, const CallBuffers& buffers)
      : p_(sealed.params),
        plan_(sealed.plan),
        x_(static_cast<const char*>(buffers.x)),
        y_(static_cast<char*>(buffers.y)),
        index_(static_cast<const char*>(buffers.index)),
        wide_index_(p_.index_type == LANEPOOL_TYPE_INT64),
        columns_(p_.index_mode != LANEPOOL_INDEX_NHWC &&
                 p_.storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR) {
    for (int i = 0; i < 3; ++i) {
      extents_[i] = plan_.axes[i].kernel;
      plane_ *= extents_[i];
    }
    flat_step_ = FlatStep();
    const bool clamps = (p_.flags & LANEPOOL_FLAG_CLAMP) != 0;
    mends_ = clamps || IsFloating(p_.y_type);
    order_ = OrderOf({p_.y_type, false, false, LANEPOOL_NAN_PROPAGATE});
    limits_ = {0, 0, order_.least, order_.most};
    if (clamps) limits_ = ClampLimits(p_, order_);
    fill_ = Mended(static_cast<Bits>(IsByte(p_.y_type) ? p_.y_zero_point : 0));
  }

  // Whether all indices of the plane are good.
  bool Check(int64_t n, int64_t c) const {
    bool good = true;
    ForInputs(n, c, [&](const char*, int64_t index) {
      good = good && (index == -1 || OffsetOf(n, c, index) >= 0);
    });
    return good;
  }

  void Fill(int64_t n, int64_t c) const {
    const int64_t* const strides = plan_.y_stride;
    for (int64_t d = 0; d < plan_.axes[0].output; ++d) {
      for (int64_t h = 0; h < plan_.axes[1].output; ++h) {
        char* y = Y(n, c, d * strides[kD] + h * strides[kH]);
        const int64_t step = strides[kW] * kSize;
        for (int64_t w = 0; w < plan_.axes[2].output; ++w, y += step) memcpy(y, &fill_, kSize);
      }
    }
  }

  void Put(int64_t n, int64_t c) const {
    ForInputs(n, c, [&](const char* x, int64_t index) {
      if (index == -1) return;
      Bits bits;
      memcpy(&bits, x, kSize);
      bits = Mended(bits);
      memcpy(Y(n, c, OffsetOf(n, c, index)), &bits, kSize);
    });
  }

 private:
  static constexpr int64_t kSize = sizeof(Bits);

  char* Y(int64_t n, int64_t c, int64_t offset) const {
    return y_ + (n * plan_.y_stride[kN] + c * plan_.y_stride[kC] + offset) * kSize;
  }

  // One NaN, and the clamp.
  Bits Mended(Bits bits) const {
    if (!mends_) return bits;
    const int64_t v = Ordered(order_, SignExtended(bits, kSize), kSize);
    if (v > order_.most || v < order_.least) return static_cast<Bits>(order_.nan);
    if (v < limits_.low) return static_cast<Bits>(limits_.low_bits);
    if (v > limits_.high) return static_cast<Bits>(limits_.high_bits);
    return bits;
  }

  // Calls call(x, index) for each input of the plane, row-major.
  template <class Call>
  void ForInputs(int64_t n, int64_t c, const Call& call) const {
    const int64_t* const strides = plan_.x_stride;
    const int64_t* const index_strides = plan_.index_stride;
    for (int64_t d = 0; d < plan_.axes[0].input; ++d) {
      for (int64_t h = 0; h < plan_.axes[1].input; ++h) {
        const auto row = [&](const int64_t* s) {
          return n * s[kN] + c * s[kC] + d * s[kD] + h * s[kH];
        };
        const char* x = x_ + row(strides) * kSize;
        int64_t index = row(index_strides);
        for (int64_t w = 0; w < plan_.axes[2].input; ++w) {
          call(x, Index(index));
          x += strides[kW] * kSize;
          index += index_strides[kW];
        }
      }
    }
  }

  int64_t Index(int64_t offset) const {
    int64_t wide;
    int32_t narrow;
    if (wide_index_) {
      memcpy(&wide, index_ + offset * 8, sizeof wide);
      return wide;
    }
    memcpy(&narrow, index_ + offset * 4, sizeof narrow);
    return narrow;
  }

  // Where positions that follow each other in the index space do so in a plane of y, their distance
  // there; else 0.
  int64_t FlatStep() const {
    if (columns_) return 0;
    const int64_t first = plan_.y_stride[kW];
    int64_t step = first;
    for (int axis = 2; axis >= 0; --axis) {
      if (extents_[axis] != plan_.axes[axis].output) return 0;
      if (extents_[axis] > 1 && plan_.y_stride[kD + axis] != step) return 0;
      step *= extents_[axis];
    }
    return first;
  }

  // The offset in the plane of y. Negative for an index of another plane, or outside y.
  int64_t OffsetOf(int64_t n, int64_t c, int64_t index) const {
    if (index < 0) return -1;
    int64_t rest = index;  // in the plane
    if (p_.index_mode == LANEPOOL_INDEX_NCHW) {
      rest = index - (n * p_.channels + c) * plane_;
    } else if (p_.index_mode == LANEPOOL_INDEX_NHWC) {
      rest = index - n * plane_ * p_.channels;
      if (rest < 0 || rest % p_.channels != c) return -1;
      rest /= p_.channels;
    }
    if (rest < 0 || rest >= plane_) return -1;
    if (flat_step_ != 0) return rest * flat_step_;
    int64_t offset = 0;
    for (int i = 0; i < 3; ++i) {
      const int axis = columns_ ? i : 2 - i;
      const int64_t at = rest % extents_[axis];
      rest /= extents_[axis];
      if (at >= plan_.axes[axis].output) return -1;
      offset += at * plan_.y_stride[kD + axis];
    }
    return offset;
  }

  const lanepool_params& p_;
  const Plan& plan_;
  const char* const x_;
  char* const y_;
  const char* const index_;
  const bool wide_index_;
  const bool columns_;  // the first spatial axis is the fastest in the index space
  int64_t extents_[3];  // of the tensor that indices count in
  int64_t plane_ = 1;
  int64_t flat_step_;
  bool mends_;  // whether elements are more than copied
  OrderRules order_;
  Limits limits_;
  Bits fill_;
};

// Calls call(n, c) for the planes of the items [begin, end).
template <class Call>
void ForPlanes(const Sealed& sealed, int64_t begin, int64_t end, const Call& call) {
  const ItemGrid grid = GridOf(sealed.params, sealed.plan);
  const int64_t block = sealed.plan.strategy.channel_block;
  for (int64_t item = begin; item < end; ++item) {
    const int64_t n = item / grid.channel_blocks;
    const int64_t first = item % grid.channel_blocks * block;
    for (int64_t c = first; c < first + block && c < sealed.params.channels; ++c) call(n, c);
  }
}

template <class Bits>
int32_t ScatterAs(const Sealed& sealed, const CallBuffers& buffers, int64_t begin, int64_t end) {
  const Scatter<Bits> scatter(sealed, buffers);
  bool good = true;
  ForPlanes(sealed, begin, end, [&](int64_t n, int64_t c) { good = good && scatter.Check(n, c); });
  if (!good) return LANEPOOL_INDEX;
  ForPlanes(sealed, begin, end, [&](int64_t n, int64_t c) {
    scatter.Fill(n, c);
    scatter.Put(n, c);
  });
  return LANEPOOL_OK;
}

}  // namespace

int32_t ScatterItems(const Sealed& sealed, const CallBuffers& buffers, int64_t begin, int64_t end) {
  switch (ElementBytes(sealed.params.y_type)) {
    case 1:
      return ScatterAs<uint8_t>(sealed, buffers, begin, end);
    case 2:
      return ScatterAs<uint16_t>(sealed, buffers, begin, end);
    case 4:
      return ScatterAs<uint32_t>(sealed, buffers, begin, end);
    default:
      return ScatterAs<uint64_t>(sealed, buffers, begin, end);
  }
}

}  // namespace lanepool
