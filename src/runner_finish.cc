#include "runner_finish.h"

#include <string.h>

#include "dequant.h"
#include "element_rules.h"
#include "requant_steps.h"
#include "types.h"

namespace lanepool {
namespace {

// Within these the f64 arithmetic of the kernels gives the nearest f32, see SumsToFloats there: 255
// * taps < 2^28, divisor < 2^27.
constexpr int64_t kMostTapsToFloats = 1052688;
constexpr int64_t kMostDivisorToFloats = (int64_t{1} << 27) - 1;
// Any factor like this takes every sum but 0 beyond all outputs.
constexpr double kMostFactor = 0x1p60;

// sum / divisor as an integer of y, |sum| < 2^62.
int64_t RoundedQuotient(int64_t sum, int64_t divisor, const lanepool_params& p) {
  const uint64_t magnitude = sum < 0 ? 0 - static_cast<uint64_t>(sum) : static_cast<uint64_t>(sum);
  const uint64_t d = static_cast<uint64_t>(divisor);
  uint64_t quotient = magnitude / d;
  const uint64_t rest = magnitude % d;
  const bool tie_up = p.rounding == LANEPOOL_ROUND_HALF_AWAY || quotient % 2 != 0;
  if (rest > d - rest || (rest == d - rest && tie_up)) ++quotient;
  const int64_t result = sum < 0 ? -static_cast<int64_t>(quotient) : static_cast<int64_t>(quotient);
  const int64_t least = LowestInteger(p.y_type), most = HighestInteger(p.y_type);
  return result < least ? least : result > most ? most : result;
}

}  // namespace

void StepCounter::Prepare(const RequantRule& rule, int64_t channel, const WindowKey& key) {
  if (channel == channel_ && key.taps == key_.taps && key.counted == key_.counted) return;
  channel_ = channel;
  key_ = key;
  y_least_ = rule.y_least;
  count_ = RequantSteps(rule, steps_);
}

int32_t StepCounter::operator()(uint64_t sum) const {
  int32_t low = 0, high = count_;
  while (low < high) {
    const int32_t middle = (low + high) / 2;
    if (steps_[middle] <= sum) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return y_least_ + low;
}

Finisher::Finisher(const StagedCall& call)
    : context_(call.context),
      table_(call.table),
      kernels_(*KernelsFinish(call.context.target)),
      scratch_(*StageScratchOf(call.context.plan, call.context.workspace)),
      takes_quotients_(TakesQuotients(call.context.params, call.context.plan)),
      steps_(scratch_.steps) {}

bool Finisher::PerLane(const StagedLanes& lanes) const {
  return table_.exists() && lanes.lanes_are_channels;
}

WindowKey Finisher::Key(const StagedLanes& lanes) const {
  const lanepool_params& p = context_.params;
  if (IsExtreme(p.op)) return {1, 0};
  return KeyOf(p, KernelTaps(context_.plan), lanes.size.taps, lanes.size.counted);
}

RequantRule Finisher::Rule(const StagedLanes& lanes, int64_t lane) const {
  const lanepool_params& p = context_.params;
  const int64_t channel = lanes.lanes_are_channels ? lanes.channel + lane : lanes.channel;
  const ChannelScales scales = table_.Scales(channel);
  if (IsExtreme(p.op)) return RuleOf(p, scales, 1, 1);
  return RuleOf(p, scales, lanes.size.taps, DivisorOfWindow(p, context_.plan, lanes.size.counted));
}

Requant Finisher::RequantOfLanes(const StagedLanes& lanes, int32_t key) const {
  const Quantization& q = context_.plan.quantization;
  if (key >= 0 && key < q.requant_count && !table_.exists()) return q.requants[key];
  if (key >= 0 && table_.Requants() != nullptr) {
    return table_.Requants()[lanes.channel * q.key_count + key];
  }
  return MakeRequant(Rule(lanes, 0));
}

FinishJob Finisher::JobOf(const StagedLanes& lanes, const Places& places) const {
  FinishJob job = {};
  job.from = places.from;
  job.from_step = places.from_step;
  job.to = places.to;
  job.to_step = places.to_step;
  job.lanes = lanes.lanes;
  job.rows = lanes.rows;
  job.x_flip = context_.rules.x_flip;
  job.y_flip = context_.rules.y_flip;
  job.per_lane = PerLane(lanes);
  return job;
}

void Finisher::CountSteps(const StagedLanes& lanes, const Places& places, int64_t begin,
                          int64_t end) {
  const bool per_lane = PerLane(lanes);
  for (int64_t i = begin; i < end; ++i) {
    steps_.Prepare(Rule(lanes, i), lanes.channel + (per_lane ? i : 0), Key(lanes));
    for (int64_t row = 0; row < lanes.rows; ++row) {
      const uint32_t* sums = static_cast<const uint32_t*>(places.from) + row * places.from_step;
      uint8_t* to = static_cast<uint8_t*>(places.to) + row * places.to_step;
      to[i] = static_cast<uint8_t>(steps_(sums[i]) + context_.rules.y_flip);
    }
  }
}

void Finisher::SumsToBytes(const StagedLanes& lanes, const Places& places) {
  if (takes_quotients_) {
    Quotients(lanes, places);
    return;
  }
  const int32_t key = FindKey(context_.plan.quantization, Key(lanes));
  FinishJob job = JobOf(lanes, places);
  const bool arrays = table_.exists() && table_.Requants() == nullptr && key >= 0;
  if (job.per_lane && !arrays) {
    CountSteps(lanes, places, 0, lanes.lanes);
    return;
  }
  const OneSteps64 one(arrays ? Requant() : RequantOfLanes(lanes, key));
  job.steps = arrays ? table_.Steps(key, lanes.channel) : one.Arrays();
  const bool first = (job.steps.shapes[0] & kShapeSteps) != 0;
  if (first && !job.per_lane) {
    CountSteps(lanes, places, 0, lanes.lanes);
    return;
  }
  kernels_.sums_to_bytes(job);
  if (!job.per_lane || job.steps.narrow) return;
  for (int64_t i = 0; i < lanes.lanes; ++i) {
    if ((job.steps.shapes[i] & kShapeSteps) != 0) CountSteps(lanes, places, i, i + 1);
  }
}

void Finisher::Quotients(const StagedLanes& lanes, const Places& places) const {
  const lanepool_params& p = context_.params;
  const auto rule_of = [&](int64_t taps, int64_t counted) {
    const int64_t divisor = DivisorOfWindow(p, context_.plan, counted);
    return RuleOf(p, TensorScales(p), taps, divisor);
  };
  const RequantRule rule = rule_of(lanes.size.taps, lanes.size.counted);
  uint16_t doubtful[kStageLanes];
  QuotientJob job;
  job.from = static_cast<const uint32_t*>(places.from);
  job.to = static_cast<uint8_t*>(places.to);
  job.lanes = lanes.lanes;
  job.rows = lanes.rows;
  job.from_step = places.from_step;
  job.to_step = places.to_step;
  const double factor = double{p.x_scale} / (double{p.y_scale} * static_cast<double>(rule.divisor));
  job.factor = static_cast<float>(factor < kMostFactor ? factor : kMostFactor);
  job.bias = static_cast<int32_t>(rule.x_zero_point * rule.taps);
  job.taps = lanes.taps;
  job.counted = lanes.counted;
  job.zero_point = rule.y_zero_point;
  job.y_least = rule.y_least;
  job.y_most = rule.y_most;
  job.y_flip = context_.rules.y_flip;
  job.doubtful = doubtful;
  const int64_t count = kernels_.quotients(job);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t row = doubtful[i] / lanes.lanes, lane = doubtful[i] % lanes.lanes;
    const uint32_t sum = job.from[row * job.from_step + lane];
    uint8_t* const to = job.to + row * job.to_step + lane;
    RequantRule own = rule;
    if (lanes.taps != nullptr) {
      own = rule_of(lanes.size.taps * static_cast<int64_t>(lanes.taps[lane]),
                    lanes.size.counted * static_cast<int64_t>(lanes.counted[lane]));
    }
    *to = static_cast<uint8_t>(OutputNear(own, sum, *to ^ job.y_flip) ^ job.y_flip);
  }
}

void Finisher::SumsToFloats(const StagedLanes& lanes, const Places& places) const {
  const lanepool_params& p = context_.params;
  const bool max = IsExtreme(p.op);
  const int64_t taps = max ? 1 : lanes.size.taps;
  const int64_t divisor = max ? 1 : DivisorOfWindow(p, context_.plan, lanes.size.counted);
  if (taps > kMostTapsToFloats || divisor > kMostDivisorToFloats) {
    for (int64_t row = 0; row < lanes.rows; ++row) {
      const uint32_t* sums = static_cast<const uint32_t*>(places.from) + row * places.from_step;
      float* to = static_cast<float*>(places.to) + row * places.to_step;
      for (int64_t i = 0; i < lanes.lanes; ++i) {
        const RequantRule rule = Rule(lanes, i);
        to[i] = Dequantize(sums[i], taps * rule.x_zero_point, rule.x_scale, divisor);
      }
    }
    return;
  }
  FinishJob job = JobOf(lanes, places);
  job.scales = table_.exists() ? table_.XScales() + lanes.channel : &p.x_scale;
  job.zero_points = table_.exists() ? table_.XZeroPoints() + lanes.channel : &p.x_zero_point;
  job.taps = static_cast<double>(taps);
  job.divisor = static_cast<double>(divisor);
  kernels_.sums_to_floats(job);
}

void Finisher::SumsToShorts(const StagedLanes& lanes, const Places& places) const {
  const lanepool_params& p = context_.params;
  FinishJob job = JobOf(lanes, places);
  job.taps = static_cast<double>(lanes.size.taps);
  job.divisor = static_cast<double>(DivisorOfWindow(p, context_.plan, lanes.size.counted));
  job.extents = lanes.extents;
  job.x_offset = context_.params.x_type == LANEPOOL_TYPE_INT16 ? 32768 : 0;
  job.rounding = p.rounding;
  job.y_least = static_cast<int32_t>(LowestInteger(p.y_type));
  job.y_most = static_cast<int32_t>(HighestInteger(p.y_type));
  kernels_.sums_to_shorts(job);
}

void Finisher::MeansOfTerms(const StagedLanes& lanes, const Places& places) const {
  const lanepool_params& p = context_.params;
  const bool average = p.op == LANEPOOL_OP_AVERAGE;
  const MappedSum sum = MappedSumOf(p);
  MeanJob job = {};
  job.sums = places.from;
  job.counts = lanes.counts;
  job.to = places.to;
  job.lanes = lanes.lanes;
  job.rows = lanes.rows;
  job.from_step = places.from_step;
  job.to_step = places.to_step;
  job.doubles = sum == kF64ToF64 || sum == kF32ToF64;
  job.type = p.y_type == LANEPOOL_TYPE_DOUBLE     ? MeanJob::kF64
             : p.y_type == LANEPOOL_TYPE_FLOAT16  ? MeanJob::kF16
             : p.y_type == LANEPOOL_TYPE_BFLOAT16 ? MeanJob::kBf16
                                                  : MeanJob::kF32;
  job.divisor = static_cast<double>(DivisorOfWindow(p, context_.plan, lanes.size.counted));
  job.taps = static_cast<double>(lanes.size.taps);
  job.extents = lanes.extents;
  job.counts_divide = average && DivisorRule(p) != LANEPOOL_DIVISOR_CONSTANT;
  job.root = p.op == LANEPOOL_OP_LP ? p.lp_order : 1;
  kernels_.means(job);
}

void Finisher::FloatsToBytes(const StagedLanes& lanes, const Places& places) const {
  const lanepool_params& p = context_.params;
  FinishJob job = JobOf(lanes, places);
  job.scales = table_.exists() ? table_.YScales() + lanes.channel : &p.y_scale;
  job.zero_points = table_.exists() ? table_.YZeroPoints() + lanes.channel : &p.y_zero_point;
  job.rounding = p.rounding;
  ResultRange(p, &job.y_least, &job.y_most);
  kernels_.floats_to_bytes(job);
}

void Finisher::Finish(const StagedLanes& lanes) {
  uint64_t* const results = scratch_.results;
  uint32_t* const wide = scratch_.wide;
  Places places = {lanes.from, lanes.from_row_step, lanes.y, lanes.y_row_step};
  const bool scattered = lanes.y_step != 1;
  if (scattered) {
    places.to = results;
    places.to_step = lanes.lanes;
  }
  const Stage stage = context_.plan.quantization.stage;
  if (stage == Stage::kMaxima) {
    kernels_.widen(JobOf(lanes, {places.from, places.from_step, wide, lanes.lanes}));
    places.from = wide;
    places.from_step = lanes.lanes;
  }
  if (stage == Stage::kMapped && IsByte(context_.params.y_type)) {
    const Places means = {places.from, places.from_step, wide, lanes.lanes};
    MeansOfTerms(lanes, means);
    FloatsToBytes(lanes, {wide, lanes.lanes, places.to, places.to_step});
  } else if (stage == Stage::kMapped) {
    MeansOfTerms(lanes, places);
  } else if (stage == Stage::kFloats) {
    FloatsToBytes(lanes, places);
  } else if (IsShort(context_.params.y_type)) {
    SumsToShorts(lanes, places);
  } else if (IsByte(context_.params.y_type)) {
    SumsToBytes(lanes, places);
  } else {
    SumsToFloats(lanes, places);
  }
  if (!scattered) return;
  const char* result = reinterpret_cast<const char*>(results);
  const size_t size = static_cast<size_t>(context_.y_size);
  for (int64_t row = 0; row < lanes.rows; ++row) {
    for (int64_t i = 0; i < lanes.lanes; ++i, result += size) {
      const int64_t at = row * lanes.y_row_step + i * lanes.y_step;
      memcpy(lanes.y + at * context_.y_size, result, size);
    }
  }
}

void Finisher::FinishWide(const StagedLanes& lanes) {
  const lanepool_params& p = context_.params;
  const uint64_t* const sums = static_cast<const uint64_t*>(lanes.from);
  const int64_t divisor = DivisorOfWindow(p, context_.plan, lanes.size.counted);
  for (int64_t i = 0; i < lanes.lanes; ++i) {
    char* const y = lanes.y + i * lanes.y_step * context_.y_size;
    if (IsShort(p.y_type)) {
      const int64_t offset = p.x_type == LANEPOOL_TYPE_INT16 ? 32768 : 0;
      const int64_t sum = static_cast<int64_t>(sums[i]) - offset * lanes.size.taps;
      const uint16_t mean = static_cast<uint16_t>(RoundedQuotient(sum, divisor, p));
      memcpy(y, &mean, sizeof mean);
      continue;
    }
    const RequantRule rule = Rule(lanes, i);
    if (IsByte(p.y_type)) {
      steps_.Prepare(
          rule, table_.exists() ? lanes.channel + i : 0,
          {static_cast<uint32_t>(lanes.size.taps), static_cast<uint32_t>(lanes.size.counted)});
      *reinterpret_cast<uint8_t*>(y) =
          static_cast<uint8_t>(steps_(sums[i]) + context_.rules.y_flip);
    } else {
      const float result =
          Dequantize(sums[i], lanes.size.taps * rule.x_zero_point, rule.x_scale, divisor);
      memcpy(y, &result, sizeof result);
    }
  }
}

}  // namespace lanepool
