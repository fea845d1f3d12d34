// What calls leave behind in vector registers.
#ifndef LANEPOOL_TESTS_SUPPORT_REGISTERS_H_
#define LANEPOOL_TESTS_SUPPORT_REGISTERS_H_

namespace support {

// Whether the upper halves of vector registers are empty, as code for fewer instruction sets needs
// them: it waits for them else. True where this CPU does not tell.
bool AreUpperHalvesEmpty();

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_REGISTERS_H_
