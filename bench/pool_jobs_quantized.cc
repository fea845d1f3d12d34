// The workloads of quantized networks: u8 and s8 with scales.
#include "pool_job.h"
#include "pool_jobs.h"

namespace {

// A named shape with other types. Scales are those of calibrated networks.
struct Quantized {
  const char* name;
  const char* shape;
};
constexpr Quantized kQuantized[] = {{"qavg_inception_a", "inception_a"},
                                    {"qavg_densenet_t1", "densenet_t1"},
                                    {"qgap_mobilenet", "gap_mobilenet"},
                                    {"qmax_resnet_stem", "resnet_stem"},
                                    {"qmax_vgg", "vgg"}};

// What x and y of a quantized workload are. Equal scales keep the quantization of the input.
struct Types {
  const char* suffix;
  int32_t x_type, y_type;
  float x_scale, y_scale;
  int32_t x_zero_point, y_zero_point;
  bool per_channel;
};
constexpr int32_t kF32 = LANEPOOL_TYPE_FLOAT, kU8 = LANEPOOL_TYPE_UINT8, kS8 = LANEPOOL_TYPE_INT8;
constexpr Types kTypes[] = {
    {"/u8", kU8, kU8, 0.0235f, 0.0187f, 128, 121, false},
    {"/u8_equal", kU8, kU8, 0.0235f, 0.0235f, 128, 128, false},
    {"/u8_per_channel", kU8, kU8, 0.0235f, 0.0187f, 128, 121, true},
    {"/s8", kS8, kS8, 0.0235f, 0.0187f, 0, -7, false},
    {"/u8_to_f32", kU8, kF32, 0.0235f, 1.0f, 128, 0, false},
    {"/f32_to_u8", kF32, kU8, 1.0f, 0.0187f, 0, 121, false},
};

lanepool_params WithTypes(lanepool_params params, const Types& types) {
  params.x_type = types.x_type;
  params.y_type = types.y_type;
  params.x_scale = types.x_scale;
  params.y_scale = types.y_scale;
  params.x_zero_point = types.x_zero_point;
  params.y_zero_point = types.y_zero_point;
  if (types.per_channel) params.x_scale_count = static_cast<int32_t>(params.channels);
  return params;
}

}  // namespace

void AddQuantized() {
  for (const Quantized& workload : kQuantized) {
    const support::NamedShape& shape = ShapeNamed(workload.shape);
    for (const int32_t layout : shape.Layouts()) {
      for (const Types& types : kTypes) {
        AddJob(workload.name, WithTypes(shape.params, types), layout, types.suffix);
      }
    }
  }
}
