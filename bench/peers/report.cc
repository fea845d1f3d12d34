#include "report.h"

#include "json.h"
#include "names.h"
#include "tool_text.h"

namespace peers {
namespace {

using lanepool_tool::Format;
using lanepool_tool::JsonObject;
using lanepool_tool::NameOf;

const char* NameOfStatus(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kWrong:
      return "wrong";
    case Status::kUnsupported:
      return "unsupported";
    default:
      return "absent";
  }
}

bool IsTimed(const Result& result) {
  return result.status == Status::kOk || result.status == Status::kWrong;
}

// A member more, whose value is JSON already.
std::string With(const JsonObject& object, const char* key, const std::string& value) {
  std::string text = object.Text();
  text.pop_back();
  return text + ", \"" + key + "\": " + value + "}";
}

std::string List(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "\n" : ",\n") + value;
  return "[" + text + "\n]";
}

std::string MachineJson(const Machine& machine) {
  JsonObject json, bandwidths;
  json.Add("cpu", machine.cpu).Add("os", machine.os).Add("architecture", machine.architecture);
  json.Add("cores", machine.cores).Add("l1d_bytes", machine.l1d_bytes);
  json.Add("l2_bytes", machine.l2_bytes).Add("l3_bytes", machine.l3_bytes);
  json.Add("date", machine.date);
  for (const Bandwidth& b : machine.memcpy_gbps) {
    bandwidths.Add(std::to_string(b.bytes).c_str(), b.gbps);
  }
  return With(json, "memcpy_gbps", bandwidths.Text());
}

std::string PeerJson(const LoadedPeer& loaded) {
  JsonObject json;
  json.Add("name", loaded.name);
  if (loaded.peer == nullptr) {
    json.Add("version", "").Add("isa", "").Add("status", "absent").Add("note", loaded.why_absent);
  } else {
    json.Add("version", loaded.peer->Version()).Add("isa", loaded.peer->Isa());
  }
  return json.Text();
}

JsonObject ResultJson(const Result& result, const Comparison& comparison) {
  JsonObject json;
  json.Add("peer", result.peer).Add("status", NameOfStatus(result.status));
  if (IsTimed(result)) {
    const Timing& timing = result.timing;
    json.Add("median_us", timing.median * 1e6).Add("min_us", timing.minimum * 1e6);
    json.Add("spread", timing.spread).Add("samples", int64_t{timing.samples});
    json.Add("gbps", static_cast<double>(comparison.bytes) * 1e-9 / timing.median);
    json.Add("ratio", timing.median / comparison.memcpy_timing.median);
    json.Add("difference", result.difference);
  }
  return json.Add("note", result.note);
}

}  // namespace

std::string FileJson(const Machine& machine, const std::vector<LoadedPeer>& peers,
                     const std::vector<std::string>& rows) {
  std::vector<std::string> peer_texts;
  for (const LoadedPeer& peer : peers) peer_texts.push_back(PeerJson(peer));
  return "{\n\"machine\": " + MachineJson(machine) + ",\n\"peers\": " + List(peer_texts) +
         ",\n\"rows\": " + List(rows) + "\n}\n";
}

std::string RowJson(const Row& row, const Comparison& comparison) {
  const Task& task = comparison.task;
  const lanepool_params& p = task.params;
  JsonObject json;
  json.Add("name", row.name).Add("group", row.group);
  json.Add("op", task.IsMax() ? "max" : "average");
  json.Add("type", NameOf(lanepool_tool::Types(), p.x_type));
  json.Add("layout", NameOf(lanepool_tool::Layouts(), p.layout));
  json.Add("shape", task.Sizes(&Axis::input)).Add("output", task.Sizes(&Axis::output));
  json.Add("kernel", task.Each(&Axis::kernel)).Add("strides", task.Each(&Axis::stride));
  json.Add("dilations", task.Each(&Axis::dilation));
  std::vector<int64_t> pads(p.pads_begin, p.pads_begin + p.rank);
  pads.insert(pads.end(), p.pads_end, p.pads_end + p.rank);
  json.Add("pads", pads);
  json.Add("ceil_mode", int64_t{p.ceil_mode == LANEPOOL_CEIL_OFF ? 0 : 1});
  json.Add("count_include_pad", int64_t{task.CountsPads() ? 1 : 0});
  json.Add("bytes", comparison.bytes).Add("threads", int64_t{row.threads});
  json.Add("cold", row.is_cold).Add("checked_by", comparison.checked_by);
  json.Add("memcpy_us", comparison.memcpy_timing.median * 1e6);
  json.Add("memcpy_min_us", comparison.memcpy_timing.minimum * 1e6);
  if (row.threads > 1) {
    json.Add("one_thread_us", comparison.one_thread.median * 1e6);
    json.Add("one_thread_min_us", comparison.one_thread.minimum * 1e6);
  }
  std::vector<JsonObject> results;
  for (const Result& result : comparison.results) {
    results.push_back(ResultJson(result, comparison));
  }
  return json.Add("results", results).Text();
}

std::string RowText(const Row& row, const Comparison& comparison) {
  const Result& own = comparison.results[0];
  std::string text = Format("%-36s", PathOf(row).c_str());
  text += Format(" %10.2f us %6.2f x memcpy", own.timing.median * 1e6,
                 own.timing.median / comparison.memcpy_timing.median);
  const Result* const best = BestPeer(comparison);
  if (best != nullptr) {
    text += Format("   %6.2f x faster than %s", best->timing.median / own.timing.median,
                   best->peer.c_str());
  }
  for (const Result& result : comparison.results) {
    if (result.status != Status::kWrong) continue;
    text += Format("   %s is wrong by %.3g", result.peer.c_str(), result.difference);
  }
  return text;
}

}  // namespace peers
