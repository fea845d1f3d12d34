// The words of the command line and the codes of lanepool.h that they stand for.
#ifndef LANEPOOL_TOOLS_NAMES_H_
#define LANEPOOL_TOOLS_NAMES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lanepool_tool {

struct NamedCode {
  const char* name;
  int32_t code;
};
using NameTable = std::vector<NamedCode>;

const NameTable& Ops();
const NameTable& Layouts();
const NameTable& Types();
const NameTable& AutoPads();
const NameTable& CeilModes();
const NameTable& ValidCeils();
const NameTable& OversizeKernels();
const NameTable& Divisors();  // a number, for DIVISOR_CONSTANT, is not in the table
const NameTable& EmptyWindows();
const NameTable& NanRules();
const NameTable& Roundings();
const NameTable& IndexTypes();
const NameTable& IndexModes();
const NameTable& StorageOrders();
const NameTable& Dialects();

// BadInput names the option and lists what it takes.
int32_t CodeOf(const NameTable& table, const std::string& name, const char* option);
const char* NameOf(const NameTable& table, int32_t code);  // "?" if there is none
std::string AllNames(const NameTable& table, const char* separator);

// Size of an element of LANEPOOL_TYPE_* `type`.
int64_t ElementBytes(int32_t type);
bool IsQuantized(int32_t type);  // has a scale and a zero point

// The instruction sets of a mask of lanepool_targets, and back.
std::vector<uint64_t> TargetsIn(uint64_t mask);
std::string TargetNames(uint64_t mask);  // with spaces between
uint64_t TargetMaskOf(const std::string& comma_separated, const char* option);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_NAMES_H_
