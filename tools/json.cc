#include "json.h"

#include <cmath>

#include "tool_text.h"

namespace lanepool_tool {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      quoted += Format("\\u%04x", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

template <typename T, typename ToText>
std::string List(const std::vector<T>& values, ToText to_text) {
  std::string list;
  for (const T& value : values) list += (list.empty() ? "" : ", ") + to_text(value);
  return "[" + list + "]";
}

}  // namespace

JsonObject& JsonObject::AddRaw(const char* key, const std::string& value) {
  members_ += (members_.empty() ? "" : ", ") + Quoted(key) + ": " + value;
  return *this;
}

JsonObject& JsonObject::Add(const char* key, const std::string& text) {
  return AddRaw(key, Quoted(text));
}

JsonObject& JsonObject::Add(const char* key, int64_t number) {
  return AddRaw(key, std::to_string(number));
}

JsonObject& JsonObject::Add(const char* key, double number) {
  return AddRaw(key, std::isfinite(number) ? Format("%.6g", number) : "null");
}

JsonObject& JsonObject::Add(const char* key, float number) {
  return AddRaw(key, std::isfinite(number) ? ShortestText(number) : "null");
}

JsonObject& JsonObject::Add(const char* key, bool truth) {
  return AddRaw(key, truth ? "true" : "false");
}

JsonObject& JsonObject::Add(const char* key, const std::vector<int64_t>& numbers) {
  return AddRaw(key, List(numbers, [](int64_t number) { return std::to_string(number); }));
}

JsonObject& JsonObject::Add(const char* key, const std::vector<std::string>& words) {
  return AddRaw(key, List(words, Quoted));
}

JsonObject& JsonObject::Add(const char* key, const std::vector<JsonObject>& objects) {
  return AddRaw(key, List(objects, [](const JsonObject& object) { return object.Text(); }));
}

}  // namespace lanepool_tool
