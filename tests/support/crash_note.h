// What a test was doing when a kernel touched memory that is not its own.
#ifndef LANEPOOL_TESTS_SUPPORT_CRASH_NOTE_H_
#define LANEPOOL_TESTS_SUPPORT_CRASH_NOTE_H_

#include <string>

namespace support {

// If the process is ended by a signal from here on, `note` goes to stderr first. Traces of
// GoogleTest do not get there.
void SetCrashNote(const std::string& note);

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_CRASH_NOTE_H_
