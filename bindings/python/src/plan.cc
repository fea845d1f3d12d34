#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include "plan.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include "params.h"

namespace lanepool_python {
namespace {

constexpr int32_t kNoMemory = -1;  // no status of the library

PyArrayObject* Array(nb::handle array) { return reinterpret_cast<PyArrayObject*>(array.ptr()); }

PyArray_Descr* Type(nb::handle dtype) { return reinterpret_cast<PyArray_Descr*>(dtype.ptr()); }

[[noreturn]] void RaiseArray(const char* name, const std::string& what, const char* status,
                             int axis = -1, int64_t value = 0, int64_t limit = 0) {
  const nb::object field = nb::str(name);
  if (axis < 0) Raise(name + (" " + what), status, field, -1, nb::none(), nb::none());
  Raise(name + (" " + what), status, field, axis, nb::int_(value), nb::int_(limit));
}

[[noreturn]] void RaiseStatus(int32_t status) {
  if (status == kNoMemory) throw std::bad_alloc();
  const char* name = lanepool_status_name(status);
  switch (status) {
    case LANEPOOL_OVERLAP:
      RaiseArray("out", "or indices overlap another array of the call", name);
    case LANEPOOL_INDEX:
      RaiseArray("indices", "have an entry that is neither -1 nor a position it may have", name);
    case LANEPOOL_RANGE:
      RaiseArray("begin", "and end are no range of the plan's work items", name);
    default:
      RaiseArray("plan", std::string("was refused: ") + name, name);
  }
}

// Work items [begin, end), with scratch of their own. Needs no GIL.
int32_t RunItems(const Desc& made, const Buffers& buffers, int64_t begin, int64_t end) {
  const lanepool_desc& desc = made.desc;
  const size_t scratch = static_cast<size_t>(desc.workspace_bytes);
  std::unique_ptr<void, decltype(&std::free)> workspace(nullptr, std::free);
  if (scratch != 0) {
    workspace.reset(std::malloc(scratch));
    if (workspace == nullptr) return kNoMemory;
  }
  return lanepool_run_table(
      &desc, made.table.empty() ? nullptr : made.table.data(), made.table.size() * sizeof(uint64_t),
      buffers.x, static_cast<size_t>(desc.x_bytes), buffers.y, static_cast<size_t>(desc.y_bytes),
      buffers.index, static_cast<size_t>(desc.index_bytes), workspace.get(), scratch, begin, end);
}

// All of the work, in so many parts of about the same size. Needs no GIL.
int32_t RunAll(const Desc& made, const Buffers& buffers, int threads) {
  const int64_t items = made.desc.work_items;
  const int64_t parts = std::min<int64_t>(threads, items);
  if (parts <= 1) return RunItems(made, buffers, 0, items);
  std::vector<int32_t> status(static_cast<size_t>(parts), LANEPOOL_OK);
  std::vector<std::thread> others;
  others.reserve(status.size());
  for (int64_t part = parts - 1; part >= 0; --part) {
    const auto first = [=](int64_t p) { return items / parts * p + std::min(p, items % parts); };
    const auto work = [&, first, part] {
      status[static_cast<size_t>(part)] = RunItems(made, buffers, first(part), first(part + 1));
    };
    if (part != 0) {
      try {
        others.emplace_back(work);
        continue;
      } catch (const std::exception&) {  // no more threads: this one does it
      }
    }
    work();
  }
  for (std::thread& other : others) other.join();
  return *std::max_element(status.begin(), status.end());
}

// Whether the array is dense in C order, for which the params have strides of 0.
bool IsDense(const npy_intp* shape, const npy_intp* strides, int axes, npy_intp bytes) {
  for (int axis = axes - 1; axis >= 0; --axis) {
    if (shape[axis] == 0) return true;
    if (shape[axis] != 1 && strides[axis] != bytes) return false;
    bytes *= shape[axis];
  }
  return true;
}

template <class Element>
std::vector<Element> List(nb::handle values) {
  std::vector<Element> list;
  if (!values.is_none() && !nb::try_cast(values, list)) {
    RaiseArray("scales", "and zero points must be numbers of 32 bits", "SCALE");
  }
  return list;
}

template <class Element>
const Element* Data(const std::vector<Element>& list) {
  return list.empty() ? nullptr : list.data();
}

}  // namespace

Plan::Plan(nb::dict fields, nb::object x_type, nb::object y_type, nb::tuple channels) {
  lanepool_params_init(&params_, sizeof params_, LANEPOOL_DIALECT_ONNX);
  for (auto [name, value] : fields) SetField(&params_, nb::cast<std::string>(name).c_str(), value);
  SetType("x_type", x_type);
  SetType("y_type", y_type);
  channels_ = {List<float>(channels[0]), List<int32_t>(channels[1]), List<float>(channels[2]),
               List<int32_t>(channels[3])};
  made_ = Make(params_);
  axes_ = params_.rank + 2;
  x_.type = x_type;
  y_.type = y_type;
  if (HasIndices()) {
    const int type = params_.index_type == LANEPOOL_TYPE_INT32 ? NPY_INT32 : NPY_INT64;
    index_.type = nb::steal<nb::object>(reinterpret_cast<PyObject*>(PyArray_DescrFromType(type)));
  } else {
    index_.type = nb::none();
  }
  SetSide(&x_, "x", params_.input, params_.x_strides);
  SetSide(&y_, "out", made_.desc.output, params_.y_strides);
  const bool unpools = Unpools();
  SetSide(&index_, "indices", unpools ? params_.input : made_.desc.output, params_.index_strides);
}

// The types follow from the dtypes: elements of another size would be somebody else's memory.
void Plan::SetType(const char* field, nb::handle type) {
  if (!PyArray_DescrCheck(type.ptr())) throw nb::type_error("not a numpy.dtype");
  if (!nb::cast<bool>(type.attr("isnative"))) {
    RaiseArray("dtype", nb::cast<std::string>(nb::str(type)) + " is of another byte order", "TYPE");
  }
  SetField(&params_, field, type.attr("name"));
}

// Plans, and makes the table if channels are quantized by themselves.
Desc Plan::Make(const lanepool_params& params) const {
  Desc made;
  lanepool_error report;
  if (lanepool_plan(&params, &made.desc, &report) != LANEPOOL_OK) RaiseReport(report);
  if (made.desc.table_bytes == 0) return made;
  const size_t count = static_cast<size_t>(params.channels);
  for (size_t size : {channels_.x_scales.size(), channels_.x_zero_points.size(),
                      channels_.y_scales.size(), channels_.y_zero_points.size()}) {
    if (size != 0 && size != count) {
      RaiseArray("scales", "and zero points must be one number, or one for each channel", "SCALE");
    }
  }
  made.table.resize((static_cast<size_t>(made.desc.table_bytes) + 7) / 8);
  const int32_t status = lanepool_table_init(
      &made.desc, Data(channels_.x_scales), Data(channels_.x_zero_points), Data(channels_.y_scales),
      Data(channels_.y_zero_points), made.table.data(), made.table.size() * 8, &report);
  if (status != LANEPOOL_OK) RaiseReport(report);
  return made;
}

void Plan::SetSide(Side* side, const char* name, const int64_t* spatial, const int64_t* strides) {
  side->name = name;
  if (side->type.is_none()) return;
  const npy_intp bytes = PyDataType_ELSIZE(Type(side->type));
  const bool dense = std::all_of(strides, strides + axes_, [](int64_t s) { return s == 0; });
  // Unsigned: what no element is at may be any number.
  size_t distance = static_cast<size_t>(bytes);
  for (int axis = axes_ - 1; axis >= 0; --axis) {
    const int place = Place(axis);
    side->shape[axis] = place == 0   ? params_.batch
                        : place == 1 ? params_.channels
                                     : static_cast<npy_intp>(spatial[place - 2]);
    const size_t stride = static_cast<size_t>(strides[place]) * static_cast<size_t>(bytes);
    side->strides[axis] = static_cast<npy_intp>(dense ? distance : stride);
    distance *= static_cast<size_t>(side->shape[axis]);
  }
}

nb::tuple Plan::Shape(const npy_intp* shape) const {
  nb::list sizes;
  for (int axis = 0; axis < axes_; ++axis) sizes.append(static_cast<int64_t>(shape[axis]));
  return nb::tuple(sizes);
}

// Raises unless it is an array of the plan's shape and type.
void Plan::Check(const Side& side, nb::handle object) const {
  if (!PyArray_Check(object.ptr())) {
    throw nb::type_error((side.name + std::string(" must be a numpy.ndarray")).c_str());
  }
  PyArrayObject* array = Array(object);
  PyArray_Descr* type = Type(side.type);
  if (PyArray_DESCR(array) != type && !PyArray_EquivTypes(PyArray_DESCR(array), type)) {
    const nb::object given =
        nb::borrow<nb::object>(reinterpret_cast<PyObject*>(PyArray_DESCR(array)));
    RaiseArray(side.name,
               "has dtype " + nb::cast<std::string>(nb::str(given)) + "; the plan is for " +
                   nb::cast<std::string>(nb::str(side.type)),
               "TYPE");
  }
  if (PyArray_NDIM(array) != axes_) {
    RaiseArray(side.name,
               "has " + std::to_string(PyArray_NDIM(array)) + " axes; the plan is for " +
                   std::to_string(axes_),
               "DIM");
  }
  if (!PyArray_ISALIGNED(array)) {
    RaiseArray(side.name, "is not aligned to its elements; a copy of it is", "ALIGNMENT");
  }
  for (int axis = 0; axis < axes_; ++axis) {
    const npy_intp size = PyArray_DIM(array, axis);
    if (size != side.shape[axis]) {
      RaiseArray(side.name,
                 "has size " + std::to_string(size) + " along axis " + std::to_string(axis) +
                     "; the plan is for " + std::to_string(side.shape[axis]),
                 "DIM", axis, size, side.shape[axis]);
    }
  }
}

bool Plan::HasStrides(const Side& side, nb::handle array) const {
  const npy_intp* strides = PyArray_STRIDES(Array(array));
  bool same = true;
  for (int axis = 0; axis < axes_; ++axis) {
    if (side.shape[axis] == 0) return true;
    same = same && (strides[axis] == side.strides[axis] || side.shape[axis] == 1);
  }
  return same;
}

// An array's strides as the params have them.
void Plan::SetStrides(const Side& side, nb::handle object, int64_t* out) const {
  PyArrayObject* array = Array(object);
  const npy_intp bytes = PyArray_ITEMSIZE(array);
  std::fill_n(out, kMostAxes, 0);
  if (IsDense(side.shape, PyArray_STRIDES(array), axes_, bytes)) return;
  bool moves = false;
  int single = -1;  // an axis along which nothing is a distance apart
  for (int axis = 0; axis < axes_; ++axis) {
    if (side.shape[axis] == 1) {
      single = axis;
      continue;
    }
    const npy_intp stride = PyArray_STRIDE(array, axis);
    if (stride % bytes != 0) {
      RaiseArray(side.name,
                 "has a stride of " + std::to_string(stride) + " bytes along axis " +
                     std::to_string(axis) + "; it must be a multiple of " + std::to_string(bytes),
                 "VIEW", axis, stride, bytes);
    }
    out[Place(axis)] = stride / bytes;
    moves = moves || stride != 0;
  }
  if (moves) return;
  // All 0 would mean dense: the one element that is repeated needs an axis that says otherwise.
  if (single < 0) RaiseArray(side.name, "repeats one element along every axis", "VIEW");
  out[Place(single)] = 1;
}

nb::object Plan::New(const Side& side) const {
  Py_INCREF(side.type.ptr());  // which the call takes
  const nb::object array = nb::steal<nb::object>(PyArray_NewFromDescr(
      &PyArray_Type, Type(side.type), axes_, side.shape, nullptr, nullptr, 0, nullptr));
  if (!array.is_valid()) throw nb::python_error();
  return array;
}

// The buffers of arrays that fit the plan but for their strides.
Buffers Plan::CheckAll(nb::handle x, nb::handle out, nb::handle indices) const {
  Check(x_, x);
  Check(y_, out);
  if (!PyArray_ISWRITEABLE(Array(out))) RaiseArray("out", "is read-only", "VIEW");
  void* index = nullptr;
  if (HasIndices()) {
    Check(index_, indices);
    const bool writable = Unpools() || PyArray_ISWRITEABLE(Array(indices));
    if (!writable) RaiseArray("indices", "are read-only", "VIEW");
    index = PyArray_DATA(Array(indices));
  } else if (!indices.is_none()) {
    RaiseArray("indices", "were given to a plan without", "INDEX_SIZE");
  }
  return {PyArray_DATA(Array(x)), PyArray_DATA(Array(out)), index};
}

nb::object Plan::Run(nb::handle x, nb::object out, nb::object indices, int threads) const {
  if (threads < 1) throw nb::value_error("threads must be at least 1");
  if (out.is_none()) out = New(y_);
  if (HasIndices() && indices.is_none()) {
    if (Unpools()) RaiseArray("indices", "are missing", "NULL");
    indices = New(index_);
  }
  const Buffers buffers = CheckAll(x, out, indices);
  const Desc* made = &made_;
  std::optional<Desc> other;
  const bool planned =
      HasStrides(x_, x) && HasStrides(y_, out) && (!HasIndices() || HasStrides(index_, indices));
  if (!planned) {
    lanepool_params params = params_;
    SetStrides(x_, x, params.x_strides);
    SetStrides(y_, out, params.y_strides);
    if (HasIndices()) SetStrides(index_, indices, params.index_strides);
    made = &other.emplace(Make(params));
  }
  int32_t status;
  {
    const nb::gil_scoped_release release;
    status = RunAll(*made, buffers, threads);
  }
  if (status != LANEPOOL_OK) RaiseStatus(status);
  if (HasIndices() && !Unpools()) return nb::make_tuple(out, indices);
  return out;
}

void Plan::RunRange(nb::handle x, nb::handle out, int64_t begin, int64_t end,
                    nb::object indices) const {
  if (HasIndices() && indices.is_none()) RaiseArray("indices", "are missing", "NULL");
  const Buffers buffers = CheckAll(x, out, indices);
  // Other strides could have other work items.
  const auto check = [this](const Side& side, nb::handle array) {
    if (!HasStrides(side, array)) {
      RaiseArray(side.name, "has other strides than the plan; run() takes any", "VIEW");
    }
  };
  check(x_, x);
  check(y_, out);
  if (HasIndices()) check(index_, indices);
  int32_t status;
  {
    const nb::gil_scoped_release release;
    status = RunItems(made_, buffers, begin, end);
  }
  if (status != LANEPOOL_OK) RaiseStatus(status);
}

void ImportNumPy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

}  // namespace lanepool_python
