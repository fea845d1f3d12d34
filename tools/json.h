// Enough JSON to print flat reports: objects, and lists of numbers, words or objects.
#ifndef LANEPOOL_TOOLS_JSON_H_
#define LANEPOOL_TOOLS_JSON_H_

#include <cstdint>
#include <string>
#include <vector>

namespace lanepool_tool {

class JsonObject {
 public:
  JsonObject& Add(const char* key, const std::string& text);
  JsonObject& Add(const char* key, const char* text) { return Add(key, std::string(text)); }
  JsonObject& Add(const char* key, int64_t number);
  JsonObject& Add(const char* key, double number);  // what JSON cannot say (infinity) is null
  JsonObject& Add(const char* key, float number);   // reads back as the same float
  JsonObject& Add(const char* key, bool truth);
  JsonObject& Add(const char* key, const std::vector<int64_t>& numbers);
  JsonObject& Add(const char* key, const std::vector<std::string>& words);
  JsonObject& Add(const char* key, const std::vector<JsonObject>& objects);

  std::string Text() const { return "{" + members_ + "}"; }

 private:
  JsonObject& AddRaw(const char* key, const std::string& value);
  std::string members_;
};

}  // namespace lanepool_tool

#endif  // LANEPOOL_TOOLS_JSON_H_
