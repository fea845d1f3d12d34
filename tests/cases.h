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

// kLibraryOnly: what the oracle takes for granted.
enum Engines { kBoth, kLibraryOnly };

struct Case {
  const char* row;     // of the table, with a letter for other policies; or a section
  const char* reason;  // why it is there
  lanepool_params params;
  std::vector<double> x;
  int32_t status;
  std::vector<double> y;
  Engines engines = kBoth;
  std::vector<int64_t> index = {};  // of MAX, for the one channel of the row
};

void PrintTo(const Case& item, std::ostream* stream);  // for the messages of GoogleTest

std::vector<Case> FloatCases();      // rows 1 to 49
std::vector<Case> QuantizedCases();  // rows 50 to 61
std::vector<Case> IndexCases();  // rows 39 to 41 and 45 with Indices, and the rules of section 5
std::vector<Case> OtherCases();  // what the table has no row for: sections 4 and 6

}  // namespace cases

#endif  // LANEPOOL_TESTS_CASES_H_
