// The rows of docs/semantics-cases.md, as far as they have one channel.
#ifndef LANEPOOL_TESTS_CASES_H_
#define LANEPOOL_TESTS_CASES_H_

#include <cstdint>
#include <limits>
#include <ostream>
#include <vector>

#include "lanepool/lanepool.h"

namespace cases {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// kOracleOnly: types and ops that have no kernel yet. kLibraryOnly: what the oracle takes for
// granted.
enum Engines { kBoth, kOracleOnly, kLibraryOnly };

struct Case {
  const char* row;     // of the table, with a letter for the other policies of the same row
  const char* reason;  // why it is there
  lanepool_params params;
  std::vector<double> x;
  int32_t status;
  std::vector<double> y;
  Engines engines = kBoth;
};

void PrintTo(const Case& item, std::ostream* stream);  // for the messages of GoogleTest

std::vector<Case> FloatCases();      // rows 1 to 49
std::vector<Case> QuantizedCases();  // rows 50 to 61

}  // namespace cases

#endif  // LANEPOOL_TESTS_CASES_H_
