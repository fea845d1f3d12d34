// In place of hwy/abort.cc, whose std::string needs the C++ run-time library. Where a CPU may lack
// the baseline that a compiler was given, Highway's detection warns of it. Weak: a program that
// links Highway itself has it say things its own way.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "hwy/base.h"

namespace hwy {
namespace {

void Say(const char* what, const char* file, int line, const char* format, va_list values) {
  fprintf(stderr, "%s at %s:%d: ", what, file, line);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
}

}  // namespace

HWY_DLLEXPORT __attribute__((weak)) void HWY_FORMAT(3, 4)
    Warn(const char* file, int line, const char* format, ...) {
  va_list values;
  va_start(values, format);
  Say("Warn", file, line, format, values);
  va_end(values);
}

HWY_DLLEXPORT HWY_NORETURN __attribute__((weak)) void HWY_FORMAT(3, 4)
    Abort(const char* file, int line, const char* format, ...) {
  va_list values;
  va_start(values, format);
  Say("Abort", file, line, format, values);
  va_end(values);
  abort();
}

}  // namespace hwy
