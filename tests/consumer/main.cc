// A program of a stranger: averages four numbers through the installed library, in C++11.
#include <lanepool/lanepool.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<float> x = {1, 5, 2, 8};
  std::vector<float> y(2);
  lanepool_params params;
  lanepool_params_init(&params, sizeof params, LANEPOOL_DIALECT_ONNX);
  params.op = LANEPOOL_OP_AVERAGE;
  params.layout = LANEPOOL_LAYOUT_NHWC;
  params.rank = 1;
  params.x_type = params.y_type = LANEPOOL_TYPE_FLOAT;
  params.input[0] = 4;
  params.kernel[0] = params.strides[0] = 2;

  lanepool_desc desc;
  if (lanepool_plan(&params, &desc, nullptr) != LANEPOOL_OK) return 1;
  const size_t x_bytes = x.size() * sizeof(float);
  const size_t y_bytes = y.size() * sizeof(float);
  const int32_t status =
      lanepool_run(&desc, x.data(), x_bytes, y.data(), y_bytes, nullptr, 0, nullptr, 0);
  if (status != LANEPOOL_OK) return 1;
  std::printf("%s: average of {1 5} {2 8} is %g %g\n", lanepool_version(), y[0], y[1]);
  return y[0] == 3 && y[1] == 5 ? 0 : 1;
}
