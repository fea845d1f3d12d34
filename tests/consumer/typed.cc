// A program of a stranger: maxima of four numbers with lanepool.hpp, in C++17.
#include <lanepool/lanepool.hpp>

#include <array>
#include <cstdio>
#include <vector>

int main() {
  const std::array<float, 4> x = {1, 5, 2, 8};
  std::array<float, 2> y = {};
  std::array<int32_t, 2> index = {};
  lanepool::Params params(lanepool::Op::max, {1, 1, 4});
  params.kernel_shape({2}).strides({2});
  const lanepool::Result<lanepool::Plan> plan = params.plan<float, float, int32_t>();
  if (!plan) return 1;
  std::vector<std::byte> scratch(plan->workspace_bytes());
  if (!plan->run(x, y, {scratch, index})) return 1;
  std::printf("%s: max of {1 5} {2 8} is %g at %d, %g at %d\n", lanepool_version(), y[0], index[0],
              y[1], index[1]);
  return y[0] == 5 && index[0] == 1 && y[1] == 8 && index[1] == 3 ? 0 : 1;
}
