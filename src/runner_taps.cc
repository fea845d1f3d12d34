// Loop::kTaps, and where maxima are: rows of outputs whose taps are taken one after the other.
#include <stdint.h>
#include <string.h>

#include "element_rules.h"
#include "indices.h"
#include "runner_context.h"
#include "types.h"

namespace lanepool {
namespace {

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

// Lanes of positions that are worked out at a time.
constexpr int64_t kMostLanes = 256;

// Outputs side by side: channels from c on at (h, w), or positions from w on of channel c.
struct TapsRow {
  int64_t c, h, w, lanes;
  bool channels;    // lanes are channels
  Span64 spans[3];  // the last one only where lanes are channels
};

// The rows of an item, of at most `most` lanes.
template <class Put>
void ForRows(const Context& context, const Item& item, int64_t most, const Put& put) {
  const Plan& plan = context.plan;
  TapsRow row = {};
  row.channels = plan.strategy.channel_lanes != 0;
  row.spans[0] = ClipWindow(plan.axes[0], item.d);
  for (row.h = item.h_begin; row.h < item.h_end; ++row.h) {
    row.spans[1] = ClipWindow(plan.axes[1], row.h);
    if (row.channels) {
      for (row.w = item.w_begin; row.w < item.w_end; ++row.w) {
        row.spans[2] = ClipWindow(plan.axes[2], row.w);
        for (row.c = item.c_begin; row.c < item.c_end; row.c += row.lanes) {
          row.lanes = Min(most, item.c_end - row.c);
          put(row);
        }
      }
    } else {
      for (row.c = item.c_begin; row.c < item.c_end; ++row.c) {
        for (row.w = item.w_begin; row.w < item.w_end; row.w += row.lanes) {
          row.lanes = Min(most, item.w_end - row.w);
          put(row);
        }
      }
    }
  }
}

bool IsEmpty(const TapsRow& row) {
  return row.spans[0].taps == 0 || row.spans[1].taps == 0 ||
         (row.channels && row.spans[2].taps == 0);
}

// All of the job but y and the steps of positions. The row is not empty.
TapsJob JobOf(const Context& context, const Item& item, const TapsRow& row) {
  const Plan& plan = context.plan;
  const Axis<int64_t>& w = plan.axes[2];
  TapsJob job = {};
  int64_t x = item.n * plan.x_stride[kN] + row.c * plan.x_stride[kC];
  for (int i = 0; i < 2; ++i) x += row.spans[i].position * plan.x_stride[kD + i];
  for (int i = 0; i < 3; ++i) {
    job.taps[i] = row.spans[i].taps;
    job.x_tap[i] = plan.axes[i].dilation * plan.x_stride[kD + i];
  }
  job.lanes = row.lanes;
  if (row.channels) {
    x += row.spans[2].position * plan.x_stride[kW];
    job.x_lane_step = plan.x_stride[kC];
  } else {
    job.x_lane_step = w.stride * plan.x_stride[kW];
    job.taps[2] = w.kernel;
    job.w_first = WindowStart(w, row.w);
    job.w_step = w.stride;
    job.w_tap = w.dilation;
    job.w_input = w.input;
    job.x_w_step = plan.x_stride[kW];
  }
  job.x = context.X(x);
  job.rules = context.rules;
  return job;
}

class PositionWriter {
 public:
  PositionWriter(const Context& context, const Item& item, void* index)
      : context_(context),
        item_(item),
        index_(static_cast<char*>(index)),
        index_size_(ElementBytes(context.params.index_type)),
        steps_(IndexStepsOf(context.params, context.plan)),
        // OrderRules of the values; those of the loop may be of bytes.
        order_(OrderOf({context.params.x_type, false, false, context.params.nan_rule})),
        kernels_(*KernelsTaps(context.target)) {
    const int64_t size = context.x_size;
    kernel_ = size == 1 ? kPlace8 : size == 2 ? kPlace16 : size == 4 ? kPlace32 : kPlace64;
    if (context.params.x_type == LANEPOOL_TYPE_FLOAT) kernel_ = kPlaceF32;
  }

  void Put(const TapsRow& row) const {
    const Plan& plan = context_.plan;
    const int64_t* const strides = plan.index_stride;
    const int64_t at = item_.n * strides[kN] + row.c * strides[kC] + item_.d * strides[kD] +
                       row.h * strides[kH] + row.w * strides[kW];
    const int64_t index_step = row.channels ? strides[kC] : strides[kW];
    char* const index = index_ + at * index_size_;
    if (IsEmpty(row)) {
      const int64_t none = -1;  // of either size
      for (int64_t i = 0; i < row.lanes; ++i) {
        memcpy(index + i * index_step * index_size_, &none, static_cast<size_t>(index_size_));
      }
      return;
    }
    TapsJob job = JobOf(context_, item_, row);
    alignas(64) uint64_t places[kMostLanes];
    job.y = places;
    job.rules.order = &order_;
    int64_t base = 0, lane_step = 0;
    if (context_.params.index_mode == LANEPOOL_INDEX_WINDOW) {
      base = BeginTaps(row, &job);
    } else {
      base = BeginPositions(row, &job, &lane_step);
    }
    kernels_.positions[kernel_](job);
    kernels_.indices({places, context_.x_size == 8, index, index_size_ == 8, index_step, row.lanes,
                      base, lane_step});
  }

 private:
  // Steps of the job in positions. Returns the index of the first lane's tap 0.
  int64_t BeginPositions(const TapsRow& row, TapsJob* job, int64_t* lane_step) const {
    const Plan& plan = context_.plan;
    const Axis<int64_t>& w = plan.axes[2];
    for (int i = 0; i < 3; ++i) job->steps[i] = plan.axes[i].dilation * steps_.axes[i];
    const int64_t w_first = row.channels ? row.spans[2].position : WindowStart(w, row.w);
    *lane_step = row.channels ? steps_.c : w.stride * steps_.axes[2];
    return item_.n * steps_.n + row.c * steps_.c + row.spans[0].position * steps_.axes[0] +
           row.spans[1].position * steps_.axes[1] + w_first * steps_.axes[2];
  }

  // The same in taps of the kernel.
  int64_t BeginTaps(const TapsRow& row, TapsJob* job) const {
    const Plan& plan = context_.plan;
    const int64_t outputs[3] = {item_.d, row.h, row.w};
    int64_t base = 0, adaptive_step = 1;
    for (int i = 2; i >= 0; --i) {
      const Axis<int64_t>& axis = plan.axes[i];
      if (context_.params.flags & LANEPOOL_FLAG_ADAPTIVE) {
        // Windows have extents of their own; where they are all alike, lanes may be along W.
        job->steps[i] = adaptive_step;
        adaptive_step *= i < 2 || row.channels ? row.spans[i].taps : axis.kernel;
        continue;
      }
      job->steps[i] = steps_.axes[i];
      if (i == 2 && !row.channels) continue;
      const int64_t start = WindowStart(axis, outputs[i]);
      base += (row.spans[i].position - start) / axis.dilation * steps_.axes[i];
    }
    return base;
  }

  const Context& context_;
  const Item& item_;
  char* const index_;
  const int64_t index_size_;
  const IndexSteps steps_;
  const OrderRules order_;
  const TapsKernels& kernels_;
  Placing kernel_;
};

}  // namespace

void RunTaps(const Context& context, const Item& item) {
  const int64_t* const strides = context.y_stride;
  const auto kernel = KernelsTaps(context.target)->sums[MappedSumOf(context.params)];
  ForRows(context, item, INT64_MAX, [&](const TapsRow& row) {
    // What empty rows hold is not looked at.
    if (IsEmpty(row)) return;
    TapsJob job = JobOf(context, item, row);
    job.y = context.Y(item.n * strides[kN] + row.c * strides[kC] + item.d * strides[kD] +
                      row.h * strides[kH] + row.w * strides[kW]);
    kernel(job);
  });
}

void RunPositions(const Context& context, const Item& item, void* index) {
  const PositionWriter writer(context, item, index);
  ForRows(context, item, kMostLanes, [&](const TapsRow& row) { writer.Put(row); });
}

}  // namespace lanepool
