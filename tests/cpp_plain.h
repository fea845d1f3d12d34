// lanepool.hpp as a program without exceptions and RTTI uses it: see cpp_plain.cc.
#ifndef LANEPOOL_TESTS_CPP_PLAIN_H_
#define LANEPOOL_TESTS_CPP_PLAIN_H_

#include <string>
#include <vector>

#include "lanepool/lanepool.hpp"

namespace plain {

lanepool::Result<lanepool::Plan> MakePlan(const lanepool::Axes& kernel);

// y, or what message() says.
std::string Pool(const lanepool::Plan& plan, const std::vector<float>& x, std::vector<float>* y);

}  // namespace plain

#endif  // LANEPOOL_TESTS_CPP_PLAIN_H_
