// The number of threads of a library that uses OpenMP. Peers may share one OpenMP run-time library,
// so the number is set before each call; setting the number that holds already costs nothing.
#ifndef LANEPOOL_BENCH_PEERS_OPENMP_THREADS_H_
#define LANEPOOL_BENCH_PEERS_OPENMP_THREADS_H_

#include <omp.h>

namespace peers {

class OpenmpThreads {
 public:
  explicit OpenmpThreads(int threads) : threads_(threads) {}

  void Set() const {
    if (omp_get_max_threads() != threads_) omp_set_num_threads(threads_);
  }

 private:
  int threads_;
};

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_OPENMP_THREADS_H_
