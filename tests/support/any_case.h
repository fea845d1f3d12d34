// Random jobs of every op, type and feature: what random_case.h has for averages and maxima of f32,
// u8 and s8, for all that lanepool_plan accepts.
#ifndef LANEPOOL_TESTS_SUPPORT_ANY_CASE_H_
#define LANEPOOL_TESTS_SUPPORT_ANY_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "random.h"
#include "random_case.h"

namespace support {

// What a job is about; each of the first six keeps the others of them out.
enum class Feature {
  kPlain,     // kernel and strides
  kPads,      // begin and end pads that differ, or SAME and VALID
  kCeil,      // a ceil_mode that makes a difference
  kDilation,  // of at least one axis
  kGlobal,
  kAdaptive,
  kViews,  // of x, y and index
  kClamp,
  kIndices,
  kStrict,
  kF64,  // ACCUMULATE_F64
  kNanIgnore,
  kAny  // as chance will have it, several at once
};
inline constexpr int kFeatures = 12;
std::string FeatureText(Feature feature);

struct Kind {
  int32_t op, x_type, y_type;

  std::string Text() const;  // "max f32>u8"
};

// All that lanepool.h knows: 61 of them.
std::vector<Kind> AllKinds();

// Whether the feature means something for such jobs. MAX_UNPOOL has pads with its kernel.
bool Has(const Kind& kind, Feature feature);

// Layout and rank are left to chance if they are 0.
struct Wish {
  Kind kind;
  Feature feature;
  int32_t layout;
  int32_t rank;
};

// Small, so that thousands can be checked; the second is as large as the jobs of MakeRandomCase.
RandomCase MakeWishedCase(Random* random, const Wish& wish);
RandomCase MakeAnyCase(Random* random);

// The same with dense tensors.
RandomCase MakeDenseAnyCase(Random* random);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_ANY_CASE_H_
