// Whether a result is a right one: the error bounds of sums of floats, exact equality for
// everything else.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "indices.h"
#include "quantize.h"
#include "reduce.h"

namespace oracle {
namespace {

// Whether a result is right; the zeros of MAX and MIN have one sign, and so have those of a plain
// loop: it starts at +0.
bool IsRight(const lanepool_params& params, const Taps& taps, double y) {
  if (!IsFloatSum(params, taps)) {
    const double expected = ResultOf(params, taps);
    if (std::isnan(expected)) return std::isnan(y);
    const bool any_zero = params.op == LANEPOOL_OP_AVERAGE && !taps.values.empty();
    return y == expected && (any_zero || std::signbit(y) == std::signbit(expected));
  }
  const bool in_order = (params.flags & LANEPOOL_FLAG_STRICT_ORDER) != 0;
  const bool clamped = (params.flags & LANEPOOL_FLAG_CLAMP) != 0;
  const Allowed allowed = AllowedOf(params, taps);
  const bool has_signs = IsFloating(params.y_type);  // of zeros
  if (y == 0 && has_signs && in_order && !clamped && allowed.low == 0 && allowed.high == 0) {
    return allowed.finite && std::signbit(y) == std::signbit(allowed.high);
  }
  return Contains(params, allowed, y);
}

std::string Number(int32_t type, const void* base, int64_t offset) {
  char text[60];
  std::snprintf(text, sizeof text, IsFloating(type) ? "%.17g (bits %" PRIX64 ")" : "%.17g",
                Load(type, base, offset), BitsAt(type, base, offset));
  return text;
}

std::string Number(int32_t type, double value) {
  double element = 0;  // room for any type
  Store(type, &element, 0, value);
  return Number(type, &element, 0);
}

std::string Where(const Position& at) {
  std::string text = "output n=" + std::to_string(at[0]) + " c=" + std::to_string(at[1]) + " at ";
  for (int i = 2; i < 5; ++i) text += (i > 2 ? "," : "") + std::to_string(at[i]);
  return text;
}

std::string TapsText(const lanepool_params& params, const Taps& taps) {
  std::string text = "; " + std::to_string(taps.values.size()) + " taps";
  if (taps.skipped > 0) text += " and " + std::to_string(taps.skipped) + " NaN";
  if (params.op == LANEPOOL_OP_AVERAGE) {
    text += ", divisor " + std::to_string(DivisorOf(params, taps));
  }
  for (size_t i = 0; i < std::min<size_t>(taps.values.size(), 16); ++i) {
    char tap[40];
    std::snprintf(tap, sizeof tap, "%s%.17g", i == 0 ? ": " : " ", taps.values[i]);
    text += tap;
  }
  return text;
}

// The ends of what is allowed, where that is more than one number.
std::string AllowedText(const lanepool_params& params, const Taps& taps) {
  if (!IsFloatSum(params, taps)) return "";
  const Allowed allowed = AllowedOf(params, taps);
  char text[100];
  std::snprintf(text, sizeof text, " (allowed before clamp: %s%s%s%.17g to %.17g)",
                allowed.nan ? "NaN " : "", allowed.positive_infinity ? "+inf " : "",
                allowed.negative_infinity ? "-inf " : "", allowed.low, allowed.high);
  return text;
}

// NaN results have one bit pattern only.
bool IsOtherNan(int32_t type, const void* y, int64_t offset) {
  return IsFloating(type) && std::isnan(Load(type, y, offset)) &&
         BitsAt(type, y, offset) != QuietNan(type);
}

// Counts what is wrong and keeps the first description.
class Verdict {
 public:
  explicit Verdict(std::string* why) : why_(why) {}

  template <typename MakeText>
  void Count(bool good, const MakeText& text) {
    ++all_;
    if (!good && ++wrong_ == 1) *why_ = text();
  }
  bool Good() const {
    if (wrong_ > 0) *why_ += "; wrong: " + std::to_string(wrong_) + " of " + std::to_string(all_);
    return wrong_ == 0;
  }

 private:
  std::string* why_;
  int64_t wrong_ = 0;
  int64_t all_ = 0;
};

}  // namespace

bool Agrees(const lanepool_params& params, const void* x, const void* y, std::string* why,
            const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  Verdict verdict(why);
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const Taps taps = WithoutNans(params, TapsOf(job, at, params.x_type, x));
    const lanepool_params own = ParamsOfChannel(params, arrays, at[1]);
    const double got = Load(params.y_type, y, offset);
    const bool good = !IsOtherNan(params.y_type, y, offset) && IsRight(own, taps, got);
    verdict.Count(good, [&] {
      return Where(at) + ": got " + Number(own.y_type, y, offset) + ", expected " +
             Number(own.y_type, ResultOf(own, taps)) + AllowedText(own, taps) + TapsText(own, taps);
    });
  });
  return verdict.Good();
}

bool IndicesAgree(const lanepool_params& params, const void* x, const void* index,
                  std::string* why) {
  const Shape shape = ResolveShape(params);
  const Job job = JobOf(params, shape);
  Verdict verdict(why);
  ForEachOutput(TensorOfIndex(params, shape), [&](const Position& at, int64_t offset) {
    const Taps taps = TapsOf(job, at, params.x_type, x);
    const int64_t got = LoadIndex(params.index_type, index, offset);
    const int64_t expected = IndexOf(params, shape, job, at, taps);
    verdict.Count(got == expected, [&] {
      return Where(at) + ": index " + std::to_string(got) + ", expected " +
             std::to_string(expected) + TapsText(params, taps);
    });
  });
  return verdict.Good();
}

bool UnpoolAgrees(const lanepool_params& params, const void* x, const void* index, const void* y,
                  std::string* why) {
  const Tensor tensor = TensorOfY(params, ResolveShape(params));
  std::vector<unsigned char> expected(static_cast<size_t>(tensor.Bytes()));
  const bool clamped = (params.flags & LANEPOOL_FLAG_CLAMP) != 0;
  if (!Unpool(params, x, index, expected.data())) {
    *why = "an index is out of range";
    return false;
  }
  Verdict verdict(why);
  ForEachOutput(tensor, [&](const Position& at, int64_t offset) {
    const bool same =
        BitsAt(params.y_type, y, offset) == BitsAt(params.y_type, expected.data(), offset);
    // Limits may change the sign of a zero that was x.
    const bool zeros = clamped && Load(params.y_type, y, offset) == 0 &&
                       Load(params.y_type, expected.data(), offset) == 0;
    verdict.Count(same || zeros, [&] {
      return Where(at) + ": got " + Number(params.y_type, y, offset) + ", expected " +
             Number(params.y_type, expected.data(), offset);
    });
  });
  return verdict.Good();
}

bool IsQuantized(const lanepool_params& params, const float* real, const void* y, std::string* why,
                 const PerChannel& arrays) {
  const Job job = JobOf(params, ResolveShape(params));
  Verdict verdict(why);
  ForEachOutput(job.y, [&](const Position& at, int64_t offset) {
    const lanepool_params own = ParamsOfChannel(params, arrays, at[1]);
    const auto a = static_cast<double>(real[offset]);
    const double got = Load(params.y_type, y, offset);
    const int32_t expected = QuantizeFloat(own, a);  // of an empty window too: 0, NaN, -infinity
    verdict.Count(got == expected, [&] {
      return Where(at) + ": got " + Number(own.y_type, y, offset) + ", expected " +
             std::to_string(expected);
    });
  });
  return verdict.Good();
}

}  // namespace oracle
