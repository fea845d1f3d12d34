// Windows of one or two pixels along W that step by 2, all of them whole; a pixel is a few channels
// side by side, no more than the shortest vector. Lanes are channels of outputs that follow each
// other. Per-target include guard.
#if defined(LANEPOOL_SRC_KERNELS_PIXELS_BY_TWO_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LANEPOOL_SRC_KERNELS_PIXELS_BY_TWO_INL_H_
#undef LANEPOOL_SRC_KERNELS_PIXELS_BY_TWO_INL_H_
#else
#define LANEPOOL_SRC_KERNELS_PIXELS_BY_TWO_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"
#include "kernel_table.h"
#include "kernels/load_inside-inl.h"
#include "kernels/whole_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lanepool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector of pixels that lie in two others.
template <class D>
class PickPixels {
  using Lane = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  static constexpr bool kLookups = !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SSE2;
  using Index = std::conditional_t<kLookups, hwy::MakeSigned<Lane>, uint16_t>;

 public:
  // Pixels of `group` lanes begin `step` lanes apart. Behind `used` lanes, whole pixels, is any.
  HWY_INLINE void Set(int64_t group, int64_t step, int64_t used) {
    const D d;
    const int64_t n = static_cast<int64_t>(hn::Lanes(d));
    if constexpr (kLookups) {
      const hn::RebindToSigned<D> di;
      const auto lane = hn::Iota(di, 0), gap = hn::Set(di, static_cast<Index>(step - group));
      auto from = lane;
      for (int64_t pixel = group; pixel < used; pixel += group) {
        const auto before = hn::Lt(lane, hn::Set(di, static_cast<Index>(pixel)));
        from = hn::Add(from, hn::IfThenZeroElse(before, gap));
      }
      const auto last = hn::Set(di, static_cast<Index>(used - 1));
      hn::Store(hn::IfThenZeroElse(hn::Gt(lane, last), from), di, from_);
    } else {
      for (int64_t i = 0, from = 0, in_pixel = 0; i < n; ++i) {
        from_[i] = static_cast<Index>(i < used ? from + in_pixel : 0);
        if (++in_pixel < group) continue;
        in_pixel = 0;
        from += step;
      }
    }
  }

  // What lies `lanes` behind those pixels.
  HWY_INLINE PickPixels Behind(int64_t lanes) const {
    PickPixels behind;
    if constexpr (kLookups) {
      const hn::RebindToSigned<D> di;
      hn::Store(hn::Add(hn::Load(di, from_), hn::Set(di, static_cast<Index>(lanes))), di,
                behind.from_);
    } else {
      const int64_t n = static_cast<int64_t>(hn::Lanes(D()));
      for (int64_t i = 0; i < n; ++i) behind.from_[i] = static_cast<Index>(from_[i] + lanes);
    }
    return behind;
  }

  HWY_INLINE V Pick(V a, V b) const {
    const D d;
    if constexpr (kLookups) {
      return hn::TwoTablesLookupLanes(d, a, b, hn::SetTableIndices(d, from_));
    } else {
      HWY_ALIGN Lane lanes[2 * HWY_MAX_LANES_D(D)];
      HWY_ALIGN Lane picked[HWY_MAX_LANES_D(D)];
      const size_t n = hn::Lanes(d);
      hn::Store(a, d, lanes);
      hn::Store(b, d, lanes + n);
      for (size_t i = 0; i < n; ++i) picked[i] = lanes[from_[i]];
      return hn::Load(d, picked);
    }
  }

 private:
  HWY_ALIGN Index from_[HWY_MAX_LANES_D(D)];
};

// Whether PixelsByTwo knows how: all that its vectors read is inside. A pixel is at most the
// shortest vector of lanes, and a row of outputs at least that.
template <class Lane>
HWY_INLINE bool ArePixelsByTwo(const PlanesJob& job) {
  constexpr int64_t kShort = 16 / sizeof(Lane);
  const int64_t last = job.h_first + (job.rows - 1) * job.h_stride + (job.taps_h - 1) * job.h_tap;
  return job.w_stride == 2 && job.taps_w <= 2 && (job.w_tap == job.group || job.taps_w == 1) &&
         job.group <= kShort && job.lanes >= kShort && job.w_first >= 0 && job.h_first >= 0 &&
         last < job.h_input && job.w_first + 2 * job.lanes <= job.w_input;
}

template <class Op, class D>
class PixelsByTwo {
  using Out = typename Op::Out;
  using Reduce = typename Op::Reduce;
  using T = typename Op::Elem::Memory;
  using Y = typename Out::Memory;
  using V = hn::VFromD<D>;
  using S = typename Reduce::template State<D>;

 public:
  // A row has at least a vector of lanes.
  explicit PixelsByTwo(const PlanesJob& job)
      : job_(job),
        columns_(job),
        out_(job.rules),
        finish_(job.divisor, job.rules),
        rows_end_(RowsEnd<Y>(job)),
        used_(Lanes() / job.group * job.group) {
    const int64_t unused = 2 * (Lanes() - used_);
    inner_.first.Set(job.group, 2 * job.group, used_);
    inner_.second = inner_.first.Behind(job.group);
    last_ = {inner_.first.Behind(unused), inner_.second.Behind(unused)};
  }

  HWY_INLINE bool All() const {
    const bool pair = job_.taps_d == 1 && job_.taps_h == 2 && job_.taps_w == 2;
    return pair ? Rows<true>() : Rows<false>();
  }

 private:
  static HWY_INLINE int64_t Lanes() { return static_cast<int64_t>(hn::Lanes(D())); }

  // Where the pixels of both taps are in two vectors.
  struct Picks {
    PickPixels<D> first, second;
  };

  // kPair: of two taps along H and W, one along D.
  template <bool kPair>
  HWY_INLINE bool Rows() const {
    const D d;
    const int64_t n = Lanes(), lanes = job_.lanes;
    S state = Reduce::Start(d);
    for (int64_t plane = 0; plane < job_.planes; ++plane) {
      const T* x = static_cast<const T*>(job_.x) + plane * job_.x_plane_step +
                   job_.h_first * job_.x_row_step + job_.w_first;
      Y* y = static_cast<Y*>(job_.y) + plane * job_.y_plane_step;
      for (int64_t row = 0; row < job_.rows; ++row) {
        int64_t i = 0;
        // What is stored behind whole pixels is overwritten.
        for (; i + n <= lanes; i += used_) {
          out_.Store(d, Outputs<kPair>(x + 2 * i, inner_, state), y + i);
        }
        // The last vectors end with the row, and what they give overlaps the outputs before.
        if (i < lanes) {
          const V last = Outputs<kPair>(x + 2 * (lanes - n), last_, state);
          StoreRow(out_, d, last, y + lanes - used_, static_cast<size_t>(used_), rows_end_);
        }
        x += job_.h_stride * job_.x_row_step;
        y += job_.y_row_step;
      }
    }
    return Reduce::Clean(d, state, job_.divisor);
  }

  template <bool kPair>
  HWY_INLINE V Outputs(const T* x, const Picks& picks, S& state) const {
    const V zero = hn::Zero(D());
    V a = zero, b = zero, none = zero;
    columns_.template Fold<kPair>(x, a, b, none, none, state);
    V fold = picks.first.Pick(a, b);
    if (kPair || job_.taps_w == 2) fold = Reduce::Combine(fold, picks.second.Pick(a, b));
    return finish_.Apply(fold, state);
  }
  const PlanesJob& job_;
  const WholeColumns<Op, D, 2> columns_;
  const Out out_;
  const typename Op::Finish finish_;
  const Y* const rows_end_;
  const int64_t used_;  // lanes of whole pixels
  Picks inner_, last_;
};

}  // namespace HWY_NAMESPACE
}  // namespace lanepool
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
