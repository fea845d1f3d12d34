// Numbers and lists on the command line, and lines for people.
#ifndef LANEPOOL_TOOLS_TOOL_TEXT_H_
#define LANEPOOL_TOOLS_TOOL_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanepool_tool {

std::vector<std::string> SplitAtCommas(const std::string& text);  // "a,,b" has an empty entry

// BadInput names the option, unless all of `text` is a number that fits.
int64_t ParseInteger(const std::string& text, const char* option);
double ParseReal(const std::string& text, const char* option);
std::vector<int64_t> ParseIntegers(const std::string& text, const char* option);

std::string Join(const std::vector<int64_t>& values);  // "1,2,3"
std::string ShortestText(float value);                 // enough digits to read the same float back

// The same text without line breaks and other control characters, so that it stays one line.
std::string OneLine(const std::string& text);

// The beginning of bytes that come from nowhere trustworthy, in quotes and plain ASCII.
std::string Quote(std::string_view bytes);

// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string Format(const char* format, ...);

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_TOOL_TEXT_H_
