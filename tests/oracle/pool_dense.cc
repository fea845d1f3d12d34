#include "pool_dense.h"

#include <algorithm>
#include <map>
#include <utility>

#include "quantize.h"
#include "reduce.h"

namespace oracle {
namespace {

// The part of a window on one axis: its taps inside are at first, first + dilation, ..
struct Span {
  int64_t first;
  int64_t inside;
  int64_t inside_pads;
};

Span SpanOf(const Axis& axis, int64_t output) {
  Span span = {0, 0, 0};
  const Window window = WindowOf(axis, output);
  for (int64_t j = 0; j < window.kernel; ++j) {
    const int64_t t = window.start + j * window.dilation;
    if (t >= -axis.pad_begin && t < axis.input + axis.pad_end) ++span.inside_pads;
    if (t < 0 || t >= axis.input) continue;
    if (span.inside++ == 0) span.first = t;
  }
  return span;
}

using Spans = std::vector<Span>;

Spans SpansOf(const Axis& axis, int64_t outputs) {
  Spans spans;
  for (int64_t o = 0; o < outputs; ++o) spans.push_back(SpanOf(axis, o));
  return spans;
}

// Folds one axis of `values`, which are outer x axis.input x inner. Sums start at 0, maxima at the
// lowest byte.
std::vector<int32_t> FoldAxis(const std::vector<int32_t>& values, int64_t outer, int64_t inner,
                              const Axis& axis, const Spans& spans, bool is_max) {
  const auto outputs = static_cast<int64_t>(spans.size());
  std::vector<int32_t> folds(static_cast<size_t>(outer * outputs * inner), is_max ? -128 : 0);
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t o = 0; o < outputs; ++o) {
      int32_t* const to = folds.data() + (i * outputs + o) * inner;
      const Span& span = spans[static_cast<size_t>(o)];
      for (int64_t j = 0; j < span.inside; ++j) {
        const int64_t t = span.first + j * axis.dilation;
        const int32_t* const from = values.data() + (i * axis.input + t) * inner;
        if (is_max) {
          for (int64_t k = 0; k < inner; ++k) to[k] = std::max(to[k], from[k]);
        } else {
          for (int64_t k = 0; k < inner; ++k) to[k] += from[k];
        }
      }
    }
  }
  return folds;
}

// The results of one kind of window by what its taps fold to.
class Results {
 public:
  Results(const lanepool_params& params, int64_t taps, int64_t divisor)
      : first_(LowestInteger(params.x_type) * taps) {
    for (const double result : ResultsOfSums(params, taps, divisor)) {
      bytes_.push_back(static_cast<unsigned char>(static_cast<int32_t>(result)));
    }
  }

  unsigned char operator[](int32_t fold) const {
    return bytes_[static_cast<size_t>(fold - first_)];
  }

 private:
  int64_t first_;
  std::vector<unsigned char> bytes_;
};

// Which results belong to each place of the output plane; null where the window is empty.
class ResultsOfPlaces {
 public:
  ResultsOfPlaces(const lanepool_params& params, const Job& job, const Spans (&spans)[3]) {
    for (const Span& a : spans[0]) {
      for (const Span& b : spans[1]) {
        for (const Span& c : spans[2]) {
          const int64_t inside = a.inside * b.inside * c.inside;
          const int64_t inside_pads = a.inside_pads * b.inside_pads * c.inside_pads;
          places_.push_back(inside == 0 ? nullptr : Find(params, job, inside, inside_pads));
        }
      }
    }
  }

  const std::vector<const Results*>& Places() const { return places_; }

 private:
  const Results* Find(const lanepool_params& params, const Job& job, int64_t inside,
                      int64_t inside_pads) {
    const bool is_max = params.op == LANEPOOL_OP_MAX;
    const int64_t taps = is_max ? 1 : inside;
    const int64_t all = job.axes[0].kernel * job.axes[1].kernel * job.axes[2].kernel;
    const int64_t divisor = is_max ? 1 : DivisorOf(params, inside, inside_pads, all);
    const auto key = std::make_pair(taps, divisor);
    const auto found = kinds_.find(key);
    if (found != kinds_.end()) return &found->second;
    return &kinds_.emplace(key, Results(params, taps, divisor)).first->second;
  }

  std::map<std::pair<int64_t, int64_t>, Results> kinds_;  // by taps and divisor
  std::vector<const Results*> places_;
};

}  // namespace

std::vector<unsigned char> PoolDense(const lanepool_params& params, const void* x) {
  const Job job = JobOf(params, ResolveShape(params));
  const bool channels_inside = params.layout == LANEPOOL_LAYOUT_NHWC;
  const int64_t planes = params.batch * (channels_inside ? 1 : params.channels);
  const int64_t lanes = channels_inside ? params.channels : 1;

  std::vector<int32_t> folds(static_cast<size_t>(job.x.Span()));
  for (size_t i = 0; i < folds.size(); ++i) {
    folds[i] = static_cast<int32_t>(Load(params.x_type, x, static_cast<int64_t>(i)));
  }
  Spans spans[3];
  int64_t outer = planes;
  int64_t inner = lanes * job.axes[0].input * job.axes[1].input * job.axes[2].input;
  for (int i = 0; i < 3; ++i) {
    spans[i] = SpansOf(job.axes[i], job.y.sizes[2 + i]);
    inner /= job.axes[i].input;
    folds = FoldAxis(folds, outer, inner, job.axes[i], spans[i], params.op == LANEPOOL_OP_MAX);
    outer *= job.y.sizes[2 + i];
  }

  const ResultsOfPlaces results(params, job, spans);
  const auto empty = static_cast<unsigned char>(EmptyInteger(params));
  std::vector<unsigned char> y(folds.size());
  size_t at = 0;
  for (int64_t plane = 0; plane < planes; ++plane) {
    for (const Results* const place : results.Places()) {
      for (int64_t lane = 0; lane < lanes; ++lane, ++at) {
        y[at] = place == nullptr ? empty : (*place)[folds[at]];
      }
    }
  }
  return y;
}

}  // namespace oracle
