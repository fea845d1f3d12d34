#include "rows.h"

#include "named_shapes.h"
#include "names.h"
#include "tool_error.h"

namespace peers {
namespace {

using support::NamedShape;

// Which shapes make a group, and in which types.
struct Group {
  const char* name;
  std::vector<const char*> shapes;
  std::vector<int32_t> types;
};

const std::vector<Group>& OtherTypes() {
  static const std::vector<Group> groups = {
      {"quantized",
       {"inception_a", "densenet_t1", "gap_mobilenet", "resnet_stem", "vgg"},
       {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}},
      {"types",
       {"inception_a", "resnet_stem", "gap_resnet"},
       {LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_DOUBLE}},
  };
  return groups;
}

constexpr const char* kCold[] = {"resnet_stem", "vgg",         "googlenet28",
                                 "inception_a", "densenet_t1", "gap_large"};
constexpr const char* kDivided[] = {"resnet_stem", "vgg", "unet", "inception_b_batch", "ssim"};

const NamedShape& ShapeNamed(const std::string& name) {
  for (const NamedShape& shape : support::NamedShapes()) {
    if (shape.name == name) return shape;
  }
  throw lanepool_tool::Failure("no shape " + name);
}

bool StartsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::string GroupOf(const NamedShape& shape) {
  if (StartsWith(shape.name, "tiny_")) return "tiny";
  if (StartsWith(shape.name, "growth_")) return "growth";
  return lanepool_tool::NameOf(lanepool_tool::Ops(), shape.params.op);
}

// x and y have the same quantization: then every peer computes the same numbers, and those without
// scales take part.
lanepool_params OfType(lanepool_params params, int32_t type) {
  params.x_type = params.y_type = type;
  if (lanepool_tool::IsQuantized(type)) params.x_scale = params.y_scale = 0.05f;
  if (type == LANEPOOL_TYPE_UINT8) params.x_zero_point = params.y_zero_point = 128;
  return params;
}

class Rows {
 public:
  void Add(const NamedShape& shape, const std::string& group, int32_t type, int threads = 1,
           bool is_cold = false) {
    std::string name = shape.name;
    if (type != LANEPOOL_TYPE_FLOAT) {
      name = name + "/" + lanepool_tool::NameOf(lanepool_tool::Types(), type);
    }
    for (const int32_t layout : shape.Layouts()) {
      lanepool_params params = OfType(shape.params, type);
      params.layout = layout;
      rows_.push_back({name, group, params, threads, is_cold});
    }
  }

  std::vector<Row> Take() { return std::move(rows_); }

 private:
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> RowsFor(int threads) {
  Rows rows;
  if (threads > 1) {
    for (const char* name : kDivided) {
      rows.Add(ShapeNamed(name), "threads", LANEPOOL_TYPE_FLOAT, threads);
    }
    return rows.Take();
  }
  for (const NamedShape& shape : support::NamedShapes()) {
    if (!shape.is_timed) continue;
    const std::string group = GroupOf(shape);
    rows.Add(shape, group, LANEPOOL_TYPE_FLOAT);
    if (group == "growth") rows.Add(shape, group, LANEPOOL_TYPE_UINT8);
  }
  for (const Group& group : OtherTypes()) {
    for (const char* name : group.shapes) {
      for (const int32_t type : group.types) rows.Add(ShapeNamed(name), group.name, type);
    }
  }
  for (const char* name : kCold) {
    rows.Add(ShapeNamed(name), "cold", LANEPOOL_TYPE_FLOAT, 1, true);
  }
  return rows.Take();
}

std::string PathOf(const Row& row) {
  const char* const layout = lanepool_tool::NameOf(lanepool_tool::Layouts(), row.params.layout);
  return row.group + "/" + row.name + "/" + layout;
}

}  // namespace peers
