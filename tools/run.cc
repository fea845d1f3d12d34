// lanepool run: pools the tensor of a .npy file into another.
#include <memory>

#include "commands.h"
#include "job.h"
#include "npy.h"
#include "output_file.h"
#include "pool_options.h"
#include "progress.h"
#include "tool_error.h"

namespace lanepool_tool {
namespace {

constexpr int kMostThreads = 1024;

struct RunOptions {
  PoolOptions pool;
  std::string in, out, indices;
  int threads = 1;
};

void Run(const RunOptions& options) {
  if (options.indices == options.out) throw BadInput("--out and --indices are the same file");
  Progress progress;
  const NpyArray x = ReadNpy(options.in);
  const bool with_indices = !options.indices.empty();
  Request request = MakeRequest(options.pool, x.shape, x.type);
  lanepool_params& params = request.params;
  if (with_indices) params.index_type = LANEPOOL_TYPE_INT64;
  const Plan plan = MakePlan(request);
  const lanepool_desc& desc = plan.desc;
  CheckFitsMemory({desc.x_bytes, desc.y_bytes, desc.index_bytes});

  // Opened before the work is done, so that a wrong path costs no time.
  OutputFile y_file(options.out);
  std::unique_ptr<OutputFile> index_file;
  if (with_indices) index_file = std::make_unique<OutputFile>(options.indices);

  const Buffer y(static_cast<size_t>(desc.y_bytes));
  const Buffer index(static_cast<size_t>(desc.index_bytes));
  ThreadTeam team(options.threads);
  Job job(desc, {&x.data, &y, with_indices ? &index : nullptr, &plan.table}, &team);
  job.RunInSteps([&](double fraction) { progress.Show("pooling", fraction); });

  const std::vector<int64_t> y_shape = ShapeOfY(params, desc);
  WriteNpy(y_file, params.y_type, y_shape, y);
  if (with_indices) {
    WriteNpy(*index_file, params.index_type, y_shape, index);
    index_file->Publish();
  }
  y_file.Publish();
}

}  // namespace

void AddRun(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand("run", "pool a .npy file into another");
  auto options = std::make_shared<RunOptions>();
  command->add_option("--in", options->in, "input .npy; its axes are in the layout's own order")
      ->required()
      ->group("Files");
  command->add_option("--out", options->out, "output .npy; an existing file is replaced")
      ->required()
      ->group("Files");
  command
      ->add_option("--indices", options->indices,
                   "output .npy (s64) for the positions of the maxima")
      ->group("Files");
  AddPoolOptions(command, &options->pool, ShapeFrom::kFile);
  command->add_option("--threads", options->threads, "number of threads")
      ->check(CLI::Range(1, kMostThreads))
      ->capture_default_str()
      ->group("How to compute");
  command->footer(
      "Shape and type of the input come from the file.\n"
      "Example:\n  lanepool run --in x.npy --out y.npy --op max --layout nhwc --kernel 2 --strides "
      "2");
  command->callback([=] { *action = [=] { Run(*options); }; });
}

}  // namespace lanepool_tool
