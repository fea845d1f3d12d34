#include "crash_note.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace support {
namespace {

struct Named {
  int number;
  const char* text;
};
constexpr Named kSignals[] = {{SIGSEGV, "\nSIGSEGV in: "},
                              {SIGBUS, "\nSIGBUS in: "},
                              {SIGILL, "\nSIGILL in: "},
                              {SIGFPE, "\nSIGFPE in: "}};
constexpr int kCount = sizeof kSignals / sizeof kSignals[0];

char text[2000];
struct sigaction earlier[kCount];

// Only calls that are safe in a handler. The instruction is tried again under the earlier handler
// (a sanitizer's, or none), which ends the process.
void Report(int number) {
  ssize_t written = 0;
  for (int i = 0; i < kCount; ++i) {
    if (kSignals[i].number != number) continue;
    written = write(STDERR_FILENO, kSignals[i].text, std::strlen(kSignals[i].text));
    sigaction(number, &earlier[i], nullptr);
  }
  written += write(STDERR_FILENO, text, std::strlen(text));
  written += write(STDERR_FILENO, "\n", 1);
  if (written < 0) _exit(1);
}

bool Install() {
  struct sigaction action = {};
  action.sa_handler = Report;
  for (int i = 0; i < kCount; ++i) sigaction(kSignals[i].number, &action, &earlier[i]);
  return true;
}

}  // namespace

void SetCrashNote(const std::string& note) {
  static const bool installed = Install();
  const size_t length = installed ? std::min(note.size(), sizeof text - 1) : 0;
  std::memcpy(text, note.data(), length);
  text[length] = '\0';
}

}  // namespace support
