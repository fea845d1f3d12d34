// The extension module lanepool._core. lanepool/_core.pyi has its types and its documents.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <string>
#include <string_view>

#include "params.h"
#include "plan.h"

namespace lanepool_python {
namespace {

nb::tuple Tuple(const int64_t* begin, int count, const int64_t* then = nullptr) {
  nb::list entries;
  for (int i = 0; i < count; ++i) entries.append(begin[i]);
  for (int i = 0; then != nullptr && i < count; ++i) entries.append(then[i]);
  return nb::tuple(entries);
}

std::string Explain(const Plan& plan) {
  const int32_t length = lanepool_explain(&plan.desc(), nullptr, 0);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  lanepool_explain(&plan.desc(), &text[0], text.size());
  text.pop_back();  // the terminating 0
  return text;
}

size_t Hash(const Plan& plan) {
  const lanepool_params params = plan.params();
  const char* bytes = reinterpret_cast<const char*>(&params);
  return std::hash<std::string_view>()(std::string_view(bytes, sizeof params));
}

nb::tuple ChannelLists(const Plan& plan) {
  const Channels& c = plan.channels();
  const auto list = [](const auto& values) {
    return values.empty() ? nb::object(nb::none()) : nb::object(nb::tuple(nb::cast(values)));
  };
  return nb::make_tuple(list(c.x_scales), list(c.x_zero_points), list(c.y_scales),
                        list(c.y_zero_points));
}

// The fields that a dialect presets.
nb::dict Dialect(const std::string& name) {
  const char* const names[] = {"onnx", "ort", "torch", "tflite", "onednn"};
  for (int32_t code = 0; code < 5; ++code) {
    if (name != names[code]) continue;
    lanepool_params params, onnx;
    lanepool_params_init(&params, sizeof params, code);
    lanepool_params_init(&onnx, sizeof onnx, LANEPOOL_DIALECT_ONNX);
    const nb::dict all = Fields(params), usual = Fields(onnx);
    nb::dict preset;
    for (auto [field, value] : all) {
      if (!value.equal(usual[field])) preset[field] = value;
    }
    return preset;
  }
  Raise("dialect is '" + name + "'; it must be one of onnx, ort, torch, tflite, onednn", "POLICY",
        nb::str("dialect"), -1, nb::str(name.c_str()), nb::none());
}

}  // namespace
}  // namespace lanepool_python

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  using lanepool_python::Plan;
  lanepool_python::ImportNumPy();
  if (lanepool_abi_version() != LANEPOOL_ABI_VERSION) {
    throw nb::import_error("liblanepool has another ABI version than this module");
  }
  nb::class_<Plan>(module, "Plan")
      .def(nb::init<nb::dict, nb::object, nb::object, nb::tuple>(), nb::arg("fields"),
           nb::arg("x_dtype"), nb::arg("y_dtype"), nb::arg("channels"))
      .def("run", &Plan::Run, nb::arg("x"), nb::arg("out") = nb::none(),
           nb::arg("indices") = nb::none(), nb::arg("threads") = 1)
      .def("run_range", &Plan::RunRange, nb::arg("x"), nb::arg("out"), nb::arg("begin"),
           nb::arg("end"), nb::arg("indices") = nb::none())
      .def("explain", &lanepool_python::Explain)
      .def_prop_ro("fields", [](const Plan& p) { return lanepool_python::Fields(p.params()); })
      .def_prop_ro("channels", &lanepool_python::ChannelLists)
      .def_prop_ro("x_shape", &Plan::XShape)
      .def_prop_ro("y_shape", &Plan::YShape)
      .def_prop_ro("x_dtype", &Plan::XType)
      .def_prop_ro("y_dtype", &Plan::YType)
      .def_prop_ro("index_dtype", &Plan::IndexType)
      .def_prop_ro("pads",
                   [](const Plan& p) {
                     const lanepool_desc& desc = p.desc();
                     return lanepool_python::Tuple(desc.pads_begin, desc.rank, desc.pads_end);
                   })
      .def_prop_ro("work_items", [](const Plan& p) { return p.desc().work_items; })
      .def_prop_ro("workspace_bytes", [](const Plan& p) { return p.desc().workspace_bytes; })
      .def_prop_ro("has_empty_windows",
                   [](const Plan& p) { return p.desc().has_empty_windows != 0; })
      .def("__hash__", &lanepool_python::Hash)
      .def("__eq__", [](const Plan& plan, nb::handle other) {
        return nb::isinstance<Plan>(other) && plan == nb::cast<const Plan&>(other);
      });
  module.def("dialect", &lanepool_python::Dialect, nb::arg("name"));
  module.def("targets", [] {
    return lanepool_python::TargetNames(lanepool_targets(LANEPOOL_TARGETS_SUPPORTED));
  });
  module.def("version", &lanepool_version);
}
