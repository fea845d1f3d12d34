// The jobs that bench_pool times, by kind. Each function registers its own.
#ifndef LANEPOOL_BENCH_POOL_JOBS_H_
#define LANEPOOL_BENCH_POOL_JOBS_H_

#include "named_shapes.h"

// The named shape, which must exist.
const support::NamedShape& ShapeNamed(const char* name);

void AddFloats();     // f32: every named shape that is timed
void AddQuantized();  // u8 and s8 with scales
void AddTypes();      // the other element types, beside f32 on the same shape
void AddOps();        // the other ops, maxima with their positions, and what options cost

#endif  // LANEPOOL_BENCH_POOL_JOBS_H_
