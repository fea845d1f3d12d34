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

// Position along D, H, W.
struct Place {
  int64_t at[3];
};

class Scatter {
 public:
  Scatter(const Sealed& sealed, const CallBuffers& buffers)
      : p_(sealed.params),
        plan_(sealed.plan),
        x_(static_cast<const char*>(buffers.x)),
        y_(static_cast<char*>(buffers.y)),
        index_(static_cast<const char*>(buffers.index)),
        size_(ElementBytes(p_.y_type)),
        index_size_(ElementBytes(p_.index_type)) {
    for (int i = 0; i < 3; ++i) {
      extents_[i] = plan_.axes[i].kernel;
      plane_ *= extents_[i];
    }
    const bool clamps = (p_.flags & LANEPOOL_FLAG_CLAMP) != 0;
    mends_ = clamps || IsFloating(p_.y_type);
    order_ = OrderOf({p_.y_type, false, false, LANEPOOL_NAN_PROPAGATE});
    limits_ = {0, 0, order_.least, order_.most};
    if (clamps) limits_ = ClampLimits(p_, order_);
    const int32_t fill = p_.y_zero_point;  // 0 but for bytes
    char bits[8] = {};
    if (IsByte(p_.y_type)) memcpy(bits, &fill, 1);
    Store(bits, fill_);
  }

  // Whether all indices of the plane are good.
  bool Check(int64_t n, int64_t c) const {
    bool good = true;
    ForInputs(n, c, [&](const char*, int64_t index) {
      Place place;
      good = good && (index == -1 || Locate(n, c, index, &place));
    });
    return good;
  }

  void Fill(int64_t n, int64_t c) const {
    const int64_t* const strides = plan_.y_stride;
    const int64_t plane = n * strides[kN] + c * strides[kC];
    const size_t size = static_cast<size_t>(size_);
    for (int64_t d = 0; d < plan_.axes[0].output; ++d) {
      for (int64_t h = 0; h < plan_.axes[1].output; ++h) {
        char* y = y_ + (plane + d * strides[kD] + h * strides[kH]) * size_;
        for (int64_t w = 0; w < plan_.axes[2].output; ++w, y += strides[kW] * size_) {
          memcpy(y, fill_, size);
        }
      }
    }
  }

  void Put(int64_t n, int64_t c) const {
    const int64_t* const strides = plan_.y_stride;
    ForInputs(n, c, [&](const char* x, int64_t index) {
      Place place;
      if (index == -1 || !Locate(n, c, index, &place)) return;
      int64_t y = n * strides[kN] + c * strides[kC];
      for (int i = 0; i < 3; ++i) y += place.at[i] * strides[kD + i];
      Store(x, y_ + y * size_);
    });
  }

 private:
  // One NaN, and the clamp.
  void Store(const char* from, char* to) const {
    memcpy(to, from, static_cast<size_t>(size_));
    if (!mends_) return;
    uint64_t bits = 0;
    switch (size_) {
      case 1:
        bits = Bits<uint8_t>(from);
        break;
      case 2:
        bits = Bits<uint16_t>(from);
        break;
      case 4:
        bits = Bits<uint32_t>(from);
        break;
      default:
        bits = Bits<uint64_t>(from);
    }
    const int64_t v = Ordered(order_, SignExtended(bits, size_), size_);
    if (v > order_.most || v < order_.least) return SetBits(order_.nan, to);
    if (v < limits_.low) SetBits(limits_.low_bits, to);
    if (v > limits_.high) SetBits(limits_.high_bits, to);
  }
  template <class T>
  static uint64_t Bits(const char* from) {
    T bits;
    memcpy(&bits, from, sizeof bits);
    return bits;
  }
  template <class T>
  static void SetBits(int64_t bits, char* to) {
    const T narrow = static_cast<T>(bits);
    memcpy(to, &narrow, sizeof narrow);
  }
  void SetBits(int64_t bits, char* to) const {
    switch (size_) {
      case 1:
        return SetBits<uint8_t>(bits, to);
      case 2:
        return SetBits<uint16_t>(bits, to);
      case 4:
        return SetBits<uint32_t>(bits, to);
      default:
        return SetBits<uint64_t>(bits, to);
    }
  }

  // Calls call(x, index) for each input of the plane, row-major.
  template <class Call>
  void ForInputs(int64_t n, int64_t c, const Call& call) const {
    const int64_t* const strides = plan_.x_stride;
    const int64_t* const index_strides = plan_.index_stride;
    for (int64_t d = 0; d < plan_.axes[0].input; ++d) {
      for (int64_t h = 0; h < plan_.axes[1].input; ++h) {
        for (int64_t w = 0; w < plan_.axes[2].input; ++w) {
          const auto offset = [&](const int64_t* s) {
            return n * s[kN] + c * s[kC] + d * s[kD] + h * s[kH] + w * s[kW];
          };
          call(x_ + offset(strides) * size_, Index(offset(index_strides)));
        }
      }
    }
  }

  int64_t Index(int64_t offset) const {
    int64_t wide;
    int32_t narrow;
    if (index_size_ == 8) {
      memcpy(&wide, index_ + offset * 8, sizeof wide);
      return wide;
    }
    memcpy(&narrow, index_ + offset * 4, sizeof narrow);
    return narrow;
  }

  // False for an index of another plane, or outside y.
  bool Locate(int64_t n, int64_t c, int64_t index, Place* place) const {
    if (index < 0) return false;
    int64_t rest = index;  // in the plane
    if (p_.index_mode == LANEPOOL_INDEX_NCHW) {
      rest = index - (n * p_.channels + c) * plane_;
    } else if (p_.index_mode == LANEPOOL_INDEX_NHWC) {
      rest = index - n * plane_ * p_.channels;
      if (rest < 0 || rest % p_.channels != c) return false;
      rest /= p_.channels;
    }
    if (rest < 0 || rest >= plane_) return false;
    const bool columns =
        p_.index_mode != LANEPOOL_INDEX_NHWC && p_.storage_order == LANEPOOL_STORAGE_COLUMN_MAJOR;
    for (int i = 0; i < 3; ++i) {
      const int axis = columns ? i : 2 - i;
      place->at[axis] = rest % extents_[axis];
      rest /= extents_[axis];
      if (place->at[axis] >= plan_.axes[axis].output) return false;
    }
    return true;
  }

  const lanepool_params& p_;
  const Plan& plan_;
  const char* const x_;
  char* const y_;
  const char* const index_;
  const int64_t size_, index_size_;
  int64_t extents_[3];  // of the tensor that indices count in
  int64_t plane_ = 1;
  char fill_[8] = {};
  bool mends_ = false;  // whether elements are more than copied
  OrderRules order_ = {};
  Limits limits_ = {};
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

}  // namespace

int32_t ScatterItems(const Sealed& sealed, const CallBuffers& buffers, int64_t begin, int64_t end) {
  const Scatter scatter(sealed, buffers);
  bool good = true;
  ForPlanes(sealed, begin, end, [&](int64_t n, int64_t c) { good = good && scatter.Check(n, c); });
  if (!good) return LANEPOOL_INDEX;
  ForPlanes(sealed, begin, end, [&](int64_t n, int64_t c) {
    scatter.Fill(n, c);
    scatter.Put(n, c);
  });
  return LANEPOOL_OK;
}

}  // namespace lanepool
