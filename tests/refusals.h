// What a test of bad params expects: a status, a sentence, and a desc that is not written.
#ifndef LANEPOOL_TESTS_REFUSALS_H_
#define LANEPOOL_TESTS_REFUSALS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"
#include "support/job.h"
#include "support/params_text.h"

namespace refusals {

// A desc that shows whether it was written.
struct Untouched {
  lanepool_desc desc;

  Untouched() { std::memset(&desc, 0xD5, sizeof desc); }
  bool Holds() const {
    const Untouched fresh;
    return std::memcmp(&desc, &fresh.desc, sizeof desc) == 0;
  }
};

// Plans and expects `status`; `words` must all be in the sentence.
inline void ExpectRefused(const lanepool_params& params, int32_t status,
                          const std::vector<std::string>& words) {
  SCOPED_TRACE(support::ParamsText(params));
  Untouched untouched;
  lanepool_error error = {};
  const int32_t got = lanepool_plan(&params, &untouched.desc, &error);
  const std::string text = support::ErrorText(error);
  EXPECT_STREQ(lanepool_status_name(got), lanepool_status_name(status)) << text;
  EXPECT_EQ(error.status, got);
  EXPECT_TRUE(untouched.Holds()) << "the desc was written";
  EXPECT_EQ(lanepool_plan(&params, &untouched.desc, nullptr), got);
  EXPECT_TRUE(untouched.Holds()) << "the desc was written";
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "no \"" << word << "\" in: " << text;
  }
}

inline void ExpectAccepted(const lanepool_params& params) {
  const support::Planned planned = support::Plan(params);
  EXPECT_EQ(planned.status, LANEPOOL_OK)
      << support::ParamsText(params) << ": " << support::ErrorText(planned.error);
  EXPECT_EQ(planned.error.status, planned.status);
}

// A 3-D, 2-D or 1-D job with nothing wrong.
inline support::Params Good(int rank = 2) {
  const auto count = static_cast<size_t>(rank);
  return support::Average(support::Params::List(count, 9)).Kernel(support::Params::List(count, 3));
}

inline std::string Entry(const char* field, int axis) {
  return std::string(field) + "[" + std::to_string(axis) + "]";
}

}  // namespace refusals

#endif  // LANEPOOL_TESTS_REFUSALS_H_
