// Runs a fuzz target without a fuzzer: on the files of folders, or on generated inputs.
//   TARGET FILE-OR-FOLDER...
//   TARGET --generate COUNT [--seed SEED] [--bytes MOST]
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "target.h"

namespace {

namespace fs = std::filesystem;

bool Replay(const fs::path& path, int64_t* count) {
  if (fs::is_directory(path)) {
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(path)) inside.push_back(entry.path());
    std::sort(inside.begin(), inside.end());
    return std::all_of(inside.begin(), inside.end(),
                       [count](const fs::path& file) { return Replay(file, count); });
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    return false;
  }
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  ++*count;
  return true;
}

// Inputs of 8 to `most` bytes; what lies behind their end is random too, see support::Random.
void Generate(int64_t count, uint64_t seed, size_t most) {
  std::mt19937_64 engine(seed);
  std::vector<uint8_t> bytes(most + 8);
  for (int64_t i = 0; i < count; ++i) {
    const size_t size = 8 + engine() % (most - 7);
    for (size_t at = 0; at < size; at += 8) {
      const uint64_t bits = engine();
      std::memcpy(&bytes[at], &bits, sizeof bits);
    }
    LLVMFuzzerTestOneInput(bytes.data(), size);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int64_t count = 0, generate = 0;
  uint64_t seed = 1;
  size_t most = 160;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--generate" && i + 1 < argc) {
      generate = std::atoll(argv[++i]);
    } else if (argument == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--bytes" && i + 1 < argc) {
      most = std::max<size_t>(8, std::strtoull(argv[++i], nullptr, 10));
    } else if (!Replay(argument, &count)) {
      return 2;
    }
  }
  Generate(generate, seed, most);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%" PRId64 " inputs, nothing found, %.0f s\n", count + generate, took.count());
  return count + generate > 0 ? 0 : 2;
}
