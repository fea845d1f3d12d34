// The fields of lanepool_params as Python has them: names, numbers, tuples; codes by their names.
#ifndef LANEPOOL_BINDINGS_PYTHON_PARAMS_H_
#define LANEPOOL_BINDINGS_PYTHON_PARAMS_H_

#include <lanepool/lanepool.h>
#include <nanobind/nanobind.h>

#include <string>

namespace lanepool_python {

// Raises lanepool.Error. `field`, `value` and `limit` may be None, `axis` -1.
[[noreturn]] void Raise(const std::string& sentence, const char* status, nanobind::handle field,
                        int axis, nanobind::handle value, nanobind::handle limit);

// The same for a report of the library, in the library's words.
[[noreturn]] void RaiseReport(const lanepool_error& report);

// Sets the field of that name. Of arrays, as many entries as `value` has.
void SetField(lanepool_params* params, const char* name, nanobind::handle value);

// All fields by name; of arrays, the entries that the rank uses.
nanobind::dict Fields(const lanepool_params& params);

// Names of the instruction sets of a mask.
nanobind::tuple TargetNames(uint64_t mask);

}  // namespace lanepool_python

#endif  // LANEPOOL_BINDINGS_PYTHON_PARAMS_H_
