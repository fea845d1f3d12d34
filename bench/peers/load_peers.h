// Finds the peers that this machine has.
#ifndef LANEPOOL_BENCH_PEERS_LOAD_PEERS_H_
#define LANEPOOL_BENCH_PEERS_LOAD_PEERS_H_

#include <memory>
#include <string>
#include <vector>

#include "peer.h"

namespace peers {

struct LoadedPeer {
  std::string name;
  std::unique_ptr<Peer> peer;  // null if absent
  std::string why_absent;
};

// lanepool, then the others as far as `wanted` names them; all, if it is empty. Their modules are
// in `folder`. BadInput for a name that is none.
std::vector<LoadedPeer> LoadPeers(const std::string& folder,
                                  const std::vector<std::string>& wanted);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_LOAD_PEERS_H_
