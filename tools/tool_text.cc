#include "tool_text.h"

#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "tool_error.h"

namespace lanepool_tool {

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t comma; (comma = text.find(',', begin)) != std::string::npos; begin = comma + 1) {
    parts.push_back(text.substr(begin, comma - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

int64_t ParseInteger(const std::string& text, const char* option) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc::result_out_of_range) {
    throw BadInput(std::string(option) + " '" + text + "' does not fit in 64 bits");
  }
  if (result.ec != std::errc() || result.ptr != end) {
    throw BadInput(std::string(option) + " '" + text + "' is not a whole number");
  }
  return value;
}

double ParseReal(const std::string& text, const char* option) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    throw BadInput(std::string(option) + " '" + text + "' is not a number");
  }
  return value;
}

std::vector<int64_t> ParseIntegers(const std::string& text, const char* option) {
  std::vector<int64_t> values;
  for (const std::string& part : SplitAtCommas(text)) values.push_back(ParseInteger(part, option));
  return values;
}

std::string Join(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

std::string ShortestText(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string OneLine(const std::string& text) {
  std::string line = text;
  while (!line.empty() && line.back() == '\n') line.pop_back();
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

std::string Quote(std::string_view bytes) {
  constexpr size_t kMost = 40;
  std::string quoted = "'";
  for (const char c : bytes.substr(0, kMost)) quoted += c >= 0x20 && c < 0x7f ? c : '?';
  return quoted + (bytes.size() > kMost ? "...'" : "'");
}

std::string Format(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(length < 0 ? 0 : static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

}  // namespace lanepool_tool
