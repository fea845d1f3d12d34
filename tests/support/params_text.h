// Params as one line for messages of failed tests.
#ifndef LANEPOOL_TESTS_SUPPORT_PARAMS_TEXT_H_
#define LANEPOOL_TESTS_SUPPORT_PARAMS_TEXT_H_

#include <string>

#include "lanepool/lanepool.h"

namespace support {

// Fields that are as lanepool_params_init leaves them for ONNX are left out.
std::string ParamsText(const lanepool_params& params);

// What lanepool_error_format makes of an error.
std::string ErrorText(const lanepool_error& error);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_PARAMS_TEXT_H_
