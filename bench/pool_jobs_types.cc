// Element types without scales on shapes of networks, f32 beside them: half the bytes shall not
// take longer.
#include "pool_job.h"
#include "pool_jobs.h"

namespace {

struct Type {
  const char* name;
  int32_t code;
};
constexpr Type kF32 = {"f32", LANEPOOL_TYPE_FLOAT}, kF16 = {"f16", LANEPOOL_TYPE_FLOAT16},
               kBF16 = {"bf16", LANEPOOL_TYPE_BFLOAT16}, kF64 = {"f64", LANEPOOL_TYPE_DOUBLE},
               kU16 = {"u16", LANEPOOL_TYPE_UINT16}, kS16 = {"s16", LANEPOOL_TYPE_INT16},
               kS32 = {"s32", LANEPOOL_TYPE_INT32};

constexpr Type kAverageTypes[] = {kF32, kF16, kBF16, kF64, kU16, kS16};
constexpr Type kMaxTypes[] = {kF32, kF16, kBF16, kF64, kU16, kS16, kS32};

constexpr const char* kAverages[] = {"inception_a", "densenet_t1", "gap_mobilenet", "a1d"};
constexpr const char* kMaxima[] = {"resnet_stem", "vgg_late", "yolo_sppf", "i3d"};

template <size_t kNames, size_t kTypes>
void AddEach(const char* const (&names)[kNames], const Type (&types)[kTypes]) {
  for (const char* name : names) {
    const support::NamedShape& shape = ShapeNamed(name);
    for (const int32_t layout : shape.Layouts()) {
      for (const Type& type : types) {
        lanepool_params params = shape.params;
        params.x_type = params.y_type = type.code;
        AddJob("types/" + shape.name, params, layout, std::string("/") + type.name);
      }
    }
  }
}

}  // namespace

void AddTypes() {
  AddEach(kAverages, kAverageTypes);
  AddEach(kMaxima, kMaxTypes);
}
