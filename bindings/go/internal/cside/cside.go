// Package cside pools as a C program would, without a line of package lanepool: what the tests hold
// that package against, and what its calls are measured beside.
package cside

/*
#include <lanepool/lanepool.h>
#include <stdlib.h>
#include <time.h>

static int fill(const int64_t* spec, const int64_t* axes, lanepool_params* p) {
  if (lanepool_params_init(p, sizeof *p, LANEPOOL_DIALECT_ONNX) != LANEPOOL_OK) return 0;
  p->op = (int32_t)spec[0];
  p->layout = (int32_t)spec[1];
  p->x_type = (int32_t)spec[2];
  p->y_type = (int32_t)spec[2];
  p->rank = (int32_t)spec[3];
  p->batch = spec[4];
  p->channels = spec[5];
  p->ceil_mode = (int32_t)spec[6];
  p->divisor = (int32_t)spec[7];
  p->flags = (uint32_t)spec[8];
  for (int32_t i = 0; i < p->rank; ++i) {
    p->input[i] = axes[6 * i];
    p->kernel[i] = axes[6 * i + 1];
    p->strides[i] = axes[6 * i + 2];
    p->dilations[i] = axes[6 * i + 3];
    p->pads_begin[i] = axes[6 * i + 4];
    p->pads_end[i] = axes[6 * i + 5];
  }
  return 1;
}

// Pools `times` times, and tells in nanoseconds how long one time took. Negative: a status.
static double cside_run(const int64_t* spec, const int64_t* axes, const void* x, size_t x_bytes,
                        void* y, size_t y_bytes, int64_t times) {
  lanepool_params p;
  lanepool_desc d;
  struct timespec begin, end;
  if (!fill(spec, axes, &p)) return -LANEPOOL_STRUCT_SIZE;
  int32_t status = lanepool_plan(&p, &d, NULL);
  if (status != LANEPOOL_OK) return -status;
  const size_t size = (size_t)d.workspace_bytes;
  void* workspace = malloc(size + 1);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int64_t i = 0; i < times && status == LANEPOOL_OK; ++i) {
    status = lanepool_run(&d, x, x_bytes, y, y_bytes, NULL, 0, workspace, size);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  free(workspace);
  if (status != LANEPOOL_OK) return -status;
  return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
         (double)times;
}
*/
import "C"

import "unsafe"

// Spec has the numbers of the C interface.
type Spec struct {
	Op, Layout, Type, Rank, Batch, Channels, CeilMode, Divisor, Flags int64
}

// Axis is one spatial axis.
type Axis struct {
	Input, Kernel, Stride, Dilation, PadBegin, PadEnd int64
}

// Run pools x into y that many times, and gives the nanoseconds of one time, or a negative status.
func Run[T any](spec Spec, axes [3]Axis, x, y []T, times int) float64 {
	var zero T
	size := C.size_t(unsafe.Sizeof(zero))
	return float64(C.cside_run(
		(*C.int64_t)(unsafe.Pointer(&spec)), (*C.int64_t)(unsafe.Pointer(&axes)),
		unsafe.Pointer(unsafe.SliceData(x)), size*C.size_t(len(x)),
		unsafe.Pointer(unsafe.SliceData(y)), size*C.size_t(len(y)), C.int64_t(times)))
}
