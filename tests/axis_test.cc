// src/axis.h against a model in plain wide integers that follows docs/semantics.md sections 1 to 3
// by the letter and counts taps one by one. The sweeps use 8-bit integers, where every sum and
// product comes near its limit: the axis must refuse exactly what leaves 8 bits.
#include "axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "int128.h"
#include "support/random.h"

namespace lanepool {
namespace {

// ---------------------------------------------------------------------------------------- model

// What is printed of a case that disagrees.
template <class Int>
std::string Describe(const AxisRules& rules, const Axis<Int>& a) {
  const auto text = [](Int value) { return std::to_string(static_cast<int64_t>(value)); };
  return "input " + text(a.input) + ", kernel " + text(a.kernel) + ", stride " + text(a.stride) +
         ", dilation " + text(a.dilation) + ", pads " + text(a.pad_begin) + " " + text(a.pad_end) +
         ", auto_pad " + std::to_string(rules.auto_pad) + ", ceil_mode " +
         std::to_string(rules.ceil_mode) + ", valid_ceil " + std::to_string(rules.valid_ceil) +
         ", oversize_kernel " + std::to_string(rules.oversize_kernel);
}

template <class Wide>
Wide Floor(Wide a, Wide b) {
  Wide q = a / b;
  while (q * b > a) --q;
  return q;
}
template <class Wide>
Wide Ceil(Wide a, Wide b) {
  return -Floor<Wide>(-a, b);
}

// One axis in the letters of the document. Wide holds every intermediate value.
template <class Wide>
struct Model {
  Wide n, k, s, d, pb, pe;
  Wide out = 0;

  Wide Start(Wide o) const { return o * s - pb; }

  // Section 1. `limit`: the greatest value of the type under test.
  AxisError Resolve(const AxisRules& rules, Wide limit) {
    const Wide ke = (k - 1) * d + 1;
    if (ke > limit) return AxisError::kKernelOverflow;
    const bool upper = rules.auto_pad == LANEPOOL_AUTO_PAD_SAME_UPPER;
    if (upper || rules.auto_pad == LANEPOOL_AUTO_PAD_SAME_LOWER) {
      out = Ceil(n, s);
      const Wide missing = (out - 1) * s + ke - n;
      const Wide total = missing > 0 ? missing : 0;
      const Wide small = Floor<Wide>(total, 2);
      pb = upper ? small : total - small;
      pe = total - pb;
    } else {
      int32_t ceil_mode = rules.ceil_mode;
      if (rules.auto_pad == LANEPOOL_AUTO_PAD_VALID) {
        pb = pe = 0;
        if (rules.valid_ceil == LANEPOOL_VALID_FLOOR) ceil_mode = LANEPOOL_CEIL_OFF;
      }
      if (n + pb + pe > limit) return AxisError::kPaddedOverflow;
      const Wide num = n + pb + pe - ke;
      out = (ceil_mode == LANEPOOL_CEIL_OFF ? Floor(num, s) : Ceil(num, s)) + 1;
      if (ceil_mode == LANEPOOL_CEIL_OFF && num < 0 && num > -s &&
          rules.oversize_kernel == LANEPOOL_OVERSIZE_TRUNCATE) {
        out = 1;
      }
      if (ceil_mode == LANEPOOL_CEIL_ON && (out - 1) * s >= n + pb) --out;
      if (out < 1) return AxisError::kEmptyOutput;
    }
    return (out - 1) * s + ke > limit ? AxisError::kSpanOverflow : AxisError::kNone;
  }

  struct Window {
    Wide position = 0, taps = 0, counted = 0;
  };
  // Section 2, tap by tap.
  Window Walk(Wide o) const {
    Window window;
    for (Wide j = 0; j < k; ++j) {
      const Wide t = Start(o) + j * d;
      const bool inside = 0 <= t && t < n;
      const bool padding = (-pb <= t && t < 0) || (n <= t && t < n + pe);
      if (inside && window.taps == 0) window.position = t;
      window.taps += inside;
      window.counted += inside || padding;
    }
    return window;
  }
};

template <class Int, class Wide>
Model<Wide> ModelOf(const Axis<Int>& a) {
  return {a.input, a.kernel, a.stride, a.dilation, a.pad_begin, a.pad_end};
}

// ----------------------------------------------------------------------------------- comparison

// The first thing in which windows, zones and empty windows differ from the model; "" if nothing.
template <class Int, class Wide>
std::string CompareWindows(const Axis<Int>& axis, const Model<Wide>& model) {
  bool empty = false;
  Wide lead = 0;
  for (Wide o = 0; o < model.out; ++o) {
    const auto expected = model.Walk(o);
    const Span<Int> span = ClipWindow(axis, static_cast<Int>(o));
    const auto at = [&](const char* what) {
      return std::string(what) + " of window " + std::to_string(static_cast<int64_t>(o));
    };
    if (WindowStart(axis, static_cast<Int>(o)) != model.Start(o)) return at("start");
    if (span.taps != expected.taps) return at("taps");
    if (span.counted != expected.counted) return at("counted");
    if (span.taps > 0 && span.position != expected.position) return at("position");
    const bool interior = axis.lead <= o && o < axis.interior_end;
    if (interior != (expected.taps == model.k)) return at("zone");
    empty = empty || expected.taps == 0;
    lead += model.Start(o) < 0;
  }
  if (axis.lead != lead) return "lead";
  if (axis.interior_end < axis.lead || axis.interior_end > axis.output) return "interior_end";
  if (HasEmptyWindow(axis) != empty) return "HasEmptyWindow";
  return "";
}

// What a sweep met, to show that it reached what it is for.
struct Tally {
  int64_t accepted = 0, windows = 0;
  int64_t kernel_overflow = 0, padded_overflow = 0, span_overflow = 0, empty_output = 0;

  void Count(AxisError error) {
    accepted += error == AxisError::kNone;
    kernel_overflow += error == AxisError::kKernelOverflow;
    padded_overflow += error == AxisError::kPaddedOverflow;
    span_overflow += error == AxisError::kSpanOverflow;
    empty_output += error == AxisError::kEmptyOutput;
  }
  // What it met too rarely; "" if nothing.
  std::string Missing() const {
    std::string missing;
    if (accepted < 100000) missing += " accepted";
    if (windows < 10000) missing += " windows";
    if (kernel_overflow < 1000) missing += " kernel_overflow";
    if (padded_overflow < 1000) missing += " padded_overflow";
    if (span_overflow < 1000) missing += " span_overflow";
    if (empty_output < 1000) missing += " empty_output";
    return missing;
  }
};

// Compares the given geometry under every combination of rules with this auto_pad. Windows follow
// from the resolved axis alone, so they are compared once for each outcome. False: a difference.
template <class Int, class Wide>
bool CompareRules(const Axis<Int>& given, int32_t auto_pad, Tally* tally) {
  constexpr Wide kLimit = std::numeric_limits<Int>::max();
  constexpr Wide kMostWindows = 1000;
  Wide seen = 0;  // outputs of the axis whose windows were compared last
  for (int32_t code = 0; code < 3 * 2 * 2; ++code) {
    const AxisRules rules = {auto_pad, code % 3, code / 3 % 2, code / 6};
    Axis<Int> axis = given;
    Model<Wide> model = ModelOf<Int, Wide>(given);
    const AxisError error = ResolveAxis(rules, &axis);
    const AxisError expected = model.Resolve(rules, kLimit);
    tally->Count(expected);
    std::string difference = error == expected ? "" : "error";
    if (error == AxisError::kNone && expected == AxisError::kNone) {
      if (axis.output != model.out) difference = "output";
      if (axis.pad_begin != model.pb || axis.pad_end != model.pe) difference = "pads";
      if (difference.empty() && model.out != seen && model.out <= kMostWindows) {
        seen = model.out;
        ++tally->windows;
        difference = CompareWindows(axis, model);
      }
    }
    if (!difference.empty()) {
      ADD_FAILURE() << difference << " differs for " << Describe(rules, given);
      return false;
    }
  }
  return true;
}

using Values = std::vector<int>;
using Lists = std::array<Values, 6>;  // input, kernel, stride, dilation, pad_begin, pad_end
using Axis8 = Axis<int8_t>;

constexpr int8_t Axis8::* kFields[] = {&Axis8::input,    &Axis8::kernel,    &Axis8::stride,
                                       &Axis8::dilation, &Axis8::pad_begin, &Axis8::pad_end};

// Every combination of the values for fields[field ..]. False: a difference.
bool SweepFrom(size_t field, const Lists& lists, int32_t auto_pad, Axis8* axis, Tally* tally) {
  if (field == lists.size()) return CompareRules<int8_t, int>(*axis, auto_pad, tally);
  for (const int value : lists[field]) {
    axis->*kFields[field] = static_cast<int8_t>(value);
    if (!SweepFrom(field + 1, lists, auto_pad, axis, tally)) return false;
  }
  return true;
}

// Pads are swept for NOTSET only, as auto_pad excludes them.
Tally Sweep(Lists lists) {
  Tally tally;
  for (int32_t auto_pad = 0; auto_pad < 4; ++auto_pad) {
    Axis8 axis = {};
    if (!SweepFrom(0, lists, auto_pad, &axis, &tally)) break;
    lists[4] = lists[5] = {0};
  }
  return tally;
}

Values Range(int first, int last) {
  Values values(static_cast<size_t>(last - first + 1));
  std::iota(values.begin(), values.end(), first);
  return values;
}

// --------------------------------------------------------------------------------------- sweeps

TEST(AxisSweep, SmallValues) {
  const Values sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
  const Values pads = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
  const Tally tally = Sweep({{sizes, sizes, sizes, sizes, pads, pads}});
  EXPECT_GT(tally.accepted, 1000000);
  EXPECT_GT(tally.empty_output, 1000000);
  EXPECT_EQ(tally.padded_overflow + tally.kernel_overflow, 0);
}

TEST(AxisSweep, ValuesNearTheLimit) {
  const Values sizes = {1, 2, 3, 5, 17, 31, 63, 64, 65, 125, 126, 127};
  const Values pads = {0, 1, 2, 3, 5, 17, 31, 63, 64, 65, 125, 126, 127};
  EXPECT_EQ(Sweep({{sizes, sizes, sizes, sizes, pads, pads}}).Missing(), "");
}

TEST(AxisSweep, EveryInputAndKernel) {
  const Tally tally =
      Sweep({{Range(1, 127), Range(1, 127), {1, 2, 7}, {1, 2, 40}, {0, 1, 30}, {0, 2, 31}}});
  EXPECT_EQ(tally.Missing(), "");
}

TEST(AxisSweep, EveryStrideAndPad) {
  const Tally tally =
      Sweep({{{1, 5, 90}, {1, 3, 20}, Range(1, 127), {1, 7}, Range(0, 127), {0, 1, 40}}});
  EXPECT_EQ(tally.Missing(), "");
}

TEST(AxisSweep, EveryDilationAndInput) {
  const Tally tally =
      Sweep({{Range(1, 127), {2, 3}, {1, 4, 60}, Range(1, 127), {0, 1, 40}, {0, 25}}});
  EXPECT_EQ(tally.Missing(), "");
}

// The type that the library uses, at magnitudes from 1 to its limit.
TEST(AxisSweep, RandomInt64) {
  using Wide = Int128;
  constexpr int64_t kLimit = INT64_MAX;
  support::Random random(20);
  const auto magnitude = [&] {
    const int64_t power = int64_t{1} << random.Between(0, 62);
    const int64_t near = random.Percent(20) ? power - 1 + random.Between(0, 2)
                                            : random.Between(power / 2, power - 1 + power / 2);
    return random.Percent(5) ? kLimit - random.Between(0, 3) : near < 1 ? 1 : near;
  };
  const auto pad = [&] { return random.Percent(40) ? random.Between(0, 3) : magnitude(); };
  Tally tally;
  for (int i = 0; i < 100000; ++i) {
    const int64_t n = magnitude();
    const int64_t few = n / random.Between(1, 60);  // a stride that makes few windows
    const int64_t s = random.Percent(70) && few > 0 ? few : magnitude();
    const int64_t k = random.Between(1, 5);
    const int64_t d = random.Percent(40) ? random.Between(1, 3) : magnitude();
    const Axis<int64_t> axis = {n, k, s, d, pad(), pad(), 0, 0, 0};
    if (!CompareRules<int64_t, Wide>(axis, LANEPOOL_AUTO_PAD_NOTSET, &tally)) return;
    Axis<int64_t> automatic = axis;
    automatic.pad_begin = automatic.pad_end = 0;
    for (int32_t auto_pad = 1; auto_pad < 4; ++auto_pad) {
      if (!CompareRules<int64_t, Wide>(automatic, auto_pad, &tally)) return;
    }
  }
  EXPECT_EQ(tally.Missing(), "");
}

// Adaptive windows of 8 bits: what leaves them is refused, and all else is as the document says.
TEST(AxisSweep, EveryAdaptiveAxis) {
  int accepted = 0, uneven = 0;
  for (int input = 1; input <= 127; ++input) {
    for (int output = 1; output <= 127; ++output) {
      SCOPED_TRACE(std::to_string(input) + " to " + std::to_string(output));
      Axis8 axis = {};
      const AxisError error =
          ResolveAdaptiveAxis(static_cast<int8_t>(input), static_cast<int8_t>(output), &axis);
      // The last window ends at (output * input + output - 1) / output, rounded down.
      const bool fits = input * output + output <= 127;
      ASSERT_EQ(error, fits ? AxisError::kNone : AxisError::kSpanOverflow);
      if (!fits) continue;
      ++accepted;
      ASSERT_EQ(axis.input, input);
      ASSERT_EQ(axis.output, output);
      ASSERT_EQ(axis.pad_begin + axis.pad_end + axis.lead, 0);
      ASSERT_EQ(axis.dilation, 1);
      ASSERT_EQ(IsAdaptive(axis), input % output != 0);
      ASSERT_EQ(axis.interior_end, IsAdaptive(axis) ? 0 : output);
      ASSERT_FALSE(HasEmptyWindow(axis));
      int most = 0;
      for (int o = 0; o < output; ++o) {
        const int begin = Floor(o * input, output), end = Ceil((o + 1) * input, output);
        const Span<int8_t> span = ClipWindow(axis, static_cast<int8_t>(o));
        ASSERT_EQ(span.position, begin);
        ASSERT_EQ(span.taps, end - begin);
        ASSERT_EQ(span.counted, end - begin);
        most = std::max(most, end - begin);
      }
      uneven += IsAdaptive(axis) ? 1 : 0;
      // The bound is tight but for one tap: less is scratch that nobody has.
      ASSERT_GE(axis.kernel, most);
      ASSERT_LE(axis.kernel, std::min(input, IsAdaptive(axis) ? input / output + 2 : most));
    }
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(uneven, 100);
}

// ------------------------------------------------------------------------- facts, spelled out

Axis<int64_t> Make(int64_t n, int64_t k, int64_t s = 1, int64_t d = 1, int64_t pb = 0,
                   int64_t pe = 0) {
  return {n, k, s, d, pb, pe, 0, 0, 0};
}

// Resolves an axis that must be accepted.
Axis<int64_t> Resolved(Axis<int64_t> axis, AxisRules rules = {}) {
  EXPECT_EQ(ResolveAxis(rules, &axis), AxisError::kNone) << Describe(rules, axis);
  return axis;
}

constexpr AxisRules kCeil = {0, LANEPOOL_CEIL_ON, 0, 0};
constexpr AxisRules kKeep = {0, LANEPOOL_CEIL_KEEP, 0, 0};
constexpr AxisRules kSameUpper = {LANEPOOL_AUTO_PAD_SAME_UPPER, 0, 0, 0};
constexpr AxisRules kSameLower = {LANEPOOL_AUTO_PAD_SAME_LOWER, 0, 0, 0};

TEST(Axis, TheThreeFormulasOfSameAreEqual) {
  for (int64_t n = 1; n <= 40; ++n) {
    for (int64_t k = 1; k <= 9; ++k) {
      for (int64_t s = 1; s <= 12; ++s) {
        const Axis<int64_t> same = Resolved(Make(n, k, s), kSameUpper);
        EXPECT_EQ(same.output, (n + s - 1) / s);
        EXPECT_EQ(same.output, (n - 1) / s + 1);
        // From the pads: they were chosen so that the windows fit.
        EXPECT_EQ(same.output, Resolved(Make(n, k, s, 1, same.pad_begin, same.pad_end)).output);
      }
    }
  }
}

TEST(Axis, OddPadOfSame) {
  const Axis<int64_t> upper = Resolved(Make(5, 4), kSameUpper);
  EXPECT_EQ(std::make_pair(upper.pad_begin, upper.pad_end), std::make_pair(int64_t{1}, int64_t{2}));
  const Axis<int64_t> lower = Resolved(Make(5, 4), kSameLower);
  EXPECT_EQ(std::make_pair(lower.pad_begin, lower.pad_end), std::make_pair(int64_t{2}, int64_t{1}));
}

TEST(Axis, AutoPadFillsThePads) {
  for (int32_t auto_pad : {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_AUTO_PAD_SAME_UPPER}) {
    const Axis<int64_t> axis = Resolved(Make(6, 2, 2, 1, 8, 9), {auto_pad, 0, 0, 0});
    EXPECT_EQ(axis.output, 3);
    EXPECT_EQ(axis.pad_begin, 0);
    EXPECT_EQ(axis.pad_end, 0);
  }
}

// ceil((n - ke + 1) / s), the text of ONNX for VALID, has no ceil_mode in it: it is the floor size.
TEST(Axis, TheTextForValidIsTheFloorSize) {
  const AxisRules by_text = {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_CEIL_ON, LANEPOOL_VALID_FLOOR, 0};
  for (int64_t n = 1; n <= 20; ++n) {
    for (int64_t k = 1; k <= n; ++k) {
      for (int64_t s = 1; s <= 6; ++s) {
        EXPECT_EQ(Resolved(Make(n, k, s), by_text).output, (n - k + s) / s);
      }
    }
  }
  const AxisRules honoured = {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_CEIL_ON, LANEPOOL_VALID_CEIL, 0};
  EXPECT_EQ(Resolved(Make(4, 3, 2), by_text).output, 1);
  EXPECT_EQ(Resolved(Make(4, 3, 2), honoured).output, 2);
}

TEST(Axis, OneDecrementDropsAllWindowsOfTheEndPadUnlessItIsLargerThanTheKernel) {
  for (int64_t n = 1; n <= 12; ++n) {
    for (int64_t k = 1; k <= 6; ++k) {
      for (int64_t s = 1; s <= 6; ++s) {
        for (int64_t pb = 0; pb <= 6; ++pb) {
          for (int64_t pe = 0; pe <= k; ++pe) {
            Axis<int64_t> axis = Make(n, k, s, 1, pb, pe);
            if (ResolveAxis(kCeil, &axis) != AxisError::kNone) continue;
            EXPECT_LT(WindowStart(axis, axis.output - 1), n) << Describe(kCeil, axis);
          }
        }
      }
    }
  }
  const Axis<int64_t> beyond = Resolved(Make(2, 1, 1, 1, 0, 3), kCeil);
  EXPECT_EQ(beyond.output, 4);
  EXPECT_EQ(ClipWindow(beyond, int64_t{1}).taps, 1);
  EXPECT_EQ(ClipWindow(beyond, int64_t{2}).taps, 0);
  EXPECT_EQ(ClipWindow(beyond, int64_t{3}).taps, 0);
}

TEST(Axis, KeepKeepsWhatOnDrops) {
  EXPECT_EQ(Resolved(Make(4, 2, 3, 1, 1, 1), kCeil).output, 2);
  const Axis<int64_t> kept = Resolved(Make(4, 2, 3, 1, 1, 1), kKeep);
  EXPECT_EQ(kept.output, 3);
  EXPECT_TRUE(HasEmptyWindow(kept));
}

TEST(Axis, FloorModeHasWindowsInAnEndPadAsLargeAsTheKernel) {
  const Axis<int64_t> axis = Resolved(Make(3, 2, 1, 1, 0, 2));
  EXPECT_EQ(axis.output, 4);
  EXPECT_EQ(ClipWindow(axis, int64_t{3}).taps, 0);
  EXPECT_TRUE(HasEmptyWindow(axis));
}

TEST(Axis, TheOverhangOfCeilModeDoesNotCount) {
  const Axis<int64_t> axis = Resolved(Make(4, 3, 2), kCeil);
  EXPECT_EQ(axis.output, 2);
  EXPECT_EQ(ClipWindow(axis, int64_t{1}).taps, 2);
  EXPECT_EQ(ClipWindow(axis, int64_t{1}).counted, 2);
}

TEST(Axis, ADilatedWindowStepsOverAShortInput) {
  const Axis<int64_t> axis = Resolved(Make(2, 2, 1, 3, 1, 1));
  EXPECT_EQ(axis.output, 1);
  EXPECT_EQ(ClipWindow(axis, int64_t{0}).taps, 0);
  EXPECT_TRUE(HasEmptyWindow(axis));
}

TEST(Axis, SameHasEmptyWindowsOnlyWithDilation) {
  for (int64_t n = 1; n <= 20; ++n) {
    for (int64_t k = 1; k <= 12; ++k) {
      for (int64_t s = 1; s <= 9; ++s) {
        EXPECT_FALSE(HasEmptyWindow(Resolved(Make(n, k, s), kSameUpper)));
        EXPECT_FALSE(HasEmptyWindow(Resolved(Make(n, k, s), kSameLower)));
      }
    }
  }
  EXPECT_TRUE(HasEmptyWindow(Resolved(Make(1, 2, 1, 2), kSameUpper)));
}

TEST(Axis, AnOversizeKernelIsAnErrorOrOnePartialWindow) {
  Axis<int64_t> axis = Make(2, 3, 2);
  EXPECT_EQ(ResolveAxis({}, &axis), AxisError::kEmptyOutput);
  const AxisRules truncate = {0, 0, 0, LANEPOOL_OVERSIZE_TRUNCATE};
  axis = Resolved(Make(2, 3, 2), truncate);
  EXPECT_EQ(axis.output, 1);
  EXPECT_EQ(ClipWindow(axis, int64_t{0}).taps, 2);
  axis = Make(2, 4, 2);
  EXPECT_EQ(ResolveAxis(truncate, &axis), AxisError::kEmptyOutput);
  EXPECT_EQ(Resolved(Make(2, 3, 2), kCeil).output, 1);
}

// ------------------------------------------------------------------------------ the end of int64

constexpr int64_t kHuge = int64_t{1} << 62;

TEST(AxisInt64, OverflowIsAnErrorAndTheLastValueBeforeItIsNot) {
  Axis<int64_t> axis = Make(1, kHuge, 1, 2);
  EXPECT_EQ(ResolveAxis(kSameUpper, &axis), AxisError::kNone);  // ke is 2^63 - 1
  EXPECT_EQ(axis.pad_begin + axis.pad_end, INT64_MAX - 1);
  axis = Make(2, kHuge, 1, 2);
  EXPECT_EQ(ResolveAxis(kSameUpper, &axis), AxisError::kSpanOverflow);
  axis = Make(1, kHuge + 1, 1, 2);
  EXPECT_EQ(ResolveAxis(kSameUpper, &axis), AxisError::kKernelOverflow);

  axis = Resolved(Make(kHuge, 1, 1, 1, kHuge - 1, 0));
  EXPECT_EQ(axis.output, INT64_MAX);
  axis = Make(kHuge, 1, 1, 1, kHuge - 1, 1);
  EXPECT_EQ(ResolveAxis({}, &axis), AxisError::kPaddedOverflow);

  axis = Make(INT64_MAX, 2, INT64_MAX - 1);
  EXPECT_EQ(ResolveAxis(kKeep, &axis), AxisError::kSpanOverflow);  // window 1 ends at 2^63
  EXPECT_EQ(Resolved(Make(INT64_MAX, 2, INT64_MAX - 1)).output, 1);
}

TEST(AxisInt64, WindowsOfAHugeAxis) {
  const int64_t quarter = kHuge / 4;
  const Axis<int64_t> axis = Resolved(Make(kHuge, 3, 1, quarter, quarter, quarter));
  EXPECT_EQ(axis.output, kHuge);
  EXPECT_EQ(axis.lead, quarter);
  EXPECT_EQ(axis.interior_end, 3 * quarter);
  const Span<int64_t> first = ClipWindow(axis, int64_t{0});
  EXPECT_EQ(first.position, 0);
  EXPECT_EQ(first.taps, 2);
  EXPECT_EQ(first.counted, 3);
  const Span<int64_t> last = ClipWindow(axis, axis.output - 1);
  EXPECT_EQ(last.position, 3 * quarter - 1);
  EXPECT_EQ(last.taps, 2);
  EXPECT_EQ(last.counted, 3);
  EXPECT_FALSE(HasEmptyWindow(axis));
}

// More than 2^59 windows begin in the pad. At stride 1 one in a million steps over the input; at a
// stride of the dilation all do, or none.
TEST(AxisInt64, EmptyWindowsAreFoundWithoutLookingAtEachWindow) {
  const int64_t dilation = 1000000;
  const int64_t pad = kHuge / 2 / dilation * dilation;
  const auto axis = [&](int64_t stride, int64_t pad_begin) {
    return Resolved(Make(dilation - 1, pad / dilation + 2, stride, dilation, pad_begin, pad / 2));
  };
  EXPECT_GE(axis(1, pad).lead, kHuge / 8);
  EXPECT_TRUE(HasEmptyWindow(axis(1, pad)));
  EXPECT_FALSE(HasEmptyWindow(axis(dilation, pad)));
  EXPECT_TRUE(
      HasEmptyWindow(axis(dilation, pad + 1)));  // first taps at dilation - 1, the input's end
  EXPECT_FALSE(HasEmptyWindow(axis(dilation, pad + 2)));
}

}  // namespace
}  // namespace lanepool
