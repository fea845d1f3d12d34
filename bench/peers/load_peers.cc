#include "load_peers.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>

#include "lanepool_peer.h"
#include "tool_error.h"
#include "tool_text.h"

namespace peers {
namespace {

constexpr const char* kModules[] = {"onednn",   "xnnpack", "onnxruntime",
                                    "openvino", "pytorch", "ncnn"};

LoadedPeer Load(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/peer_" + name + ".so";
  if (access(path.c_str(), F_OK) != 0) return {name, nullptr, "not found when this was built"};
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return {name, nullptr, lanepool_tool::OneLine(dlerror())};
  const auto make = reinterpret_cast<Peer* (*)()>(dlsym(module, "MakePeer"));
  if (make == nullptr) return {name, nullptr, "its module has no MakePeer"};
  try {
    return {name, std::unique_ptr<Peer>(make()), ""};
  } catch (const std::exception& error) {
    return {name, nullptr, lanepool_tool::OneLine(error.what())};
  }
}

}  // namespace

std::vector<LoadedPeer> LoadPeers(const std::string& folder,
                                  const std::vector<std::string>& wanted) {
  std::vector<LoadedPeer> peers;
  peers.push_back({"lanepool", std::make_unique<LanepoolPeer>(), ""});
  const auto is_wanted = [&](const std::string& name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  for (const std::string& name : wanted) {
    const auto is_it = [&](const char* module) { return name == module; };
    if (name != "lanepool" && std::none_of(std::begin(kModules), std::end(kModules), is_it)) {
      throw lanepool_tool::BadInput("--peers: there is no peer " + lanepool_tool::Quote(name));
    }
  }
  for (const char* name : kModules) {
    if (is_wanted(name)) peers.push_back(Load(folder, name));
  }
  return peers;
}

}  // namespace peers
