// lanepool as one of those compared. It is part of bench_peers, not a module.
#ifndef LANEPOOL_BENCH_PEERS_LANEPOOL_PEER_H_
#define LANEPOOL_BENCH_PEERS_LANEPOOL_PEER_H_

#include "peer.h"
#include "thread_team.h"

namespace peers {

class LanepoolPeer : public Peer {
 public:
  std::string Name() const override;
  std::string Version() const override;
  std::string Isa() const override;
  std::unique_ptr<Job> Prepare(const Task& task) override;
};

lanepool_desc Plan(const lanepool_params& params);  // Failure with lanepool's own sentence

// The threads of lanepool's jobs and of memcpy. One team for both: those of a second one would wait
// on the cores that the first one works on.
lanepool_tool::ThreadTeam& SharedTeam(int threads);

}  // namespace peers

#endif  // LANEPOOL_BENCH_PEERS_LANEPOOL_PEER_H_
