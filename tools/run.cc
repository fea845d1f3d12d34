// lanepool run: pools the tensor of a .npy file into another.
#include <memory>

#include "commands.h"
#include "job.h"
#include "names.h"
#include "npy.h"
#include "output_file.h"
#include "pool_options.h"
#include "progress.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr int kMostThreads = 1024;

struct RunOptions {
  PoolOptions pool;
  std::string in, out, index_in, index_out;
  bool bf16 = false;
  int threads = 1;

  bool ReadsIndex() const { return !index_in.empty(); }
  bool WritesIndex() const { return !index_out.empty(); }
};

NpyArray ReadX(const RunOptions& options) {
  NpyArray x = ReadNpy(options.in);
  if (!options.bf16) return x;
  if (x.type != LANEPOOL_TYPE_UINT16) {
    throw BadInput(options.in + ": --bf16 is for elements of u16, these are " +
                   NameOf(Types(), x.type));
  }
  x.type = LANEPOOL_TYPE_BFLOAT16;
  return x;
}

NpyArray ReadIndex(const RunOptions& options, const NpyArray& x) {
  NpyArray index = ReadNpy(options.index_in);
  if (index.type != LANEPOOL_TYPE_INT32 && index.type != LANEPOOL_TYPE_INT64) {
    throw BadInput(options.index_in + ": indices are s32 or s64, not " +
                   NameOf(Types(), index.type));
  }
  if (index.shape != x.shape) {
    throw BadInput(options.index_in + ": the shape (" + Join(index.shape) + ") is not (" +
                   Join(x.shape) + "), that of --in");
  }
  return index;
}

// The index type that the files ask for.
void SetIndexType(const RunOptions& options, const NpyArray& index, lanepool_params* params) {
  const bool is_unpool = params->op == LANEPOOL_OP_MAX_UNPOOL;
  if (is_unpool && !options.ReadsIndex()) throw BadInput("--op max_unpool needs --index-in");
  if (!is_unpool && options.ReadsIndex()) throw BadInput("--index-in is for --op max_unpool");
  if (options.pool.index.type && !options.WritesIndex()) {
    throw BadInput("--index-type is for --index-out, which is missing");
  }
  if (options.ReadsIndex()) params->index_type = index.type;
  if (options.WritesIndex() && !options.pool.index.type) params->index_type = LANEPOOL_TYPE_INT64;
}

// The results, under the names of their files only when both are complete.
class Results {
 public:
  explicit Results(const RunOptions& options) : options_(options), y_file_(options.out) {
    if (options.WritesIndex()) index_file_ = std::make_unique<OutputFile>(options.index_out);
  }

  void Write(const lanepool_params& params, const lanepool_desc& desc, const Buffer& y,
             const Buffer& index) {
    const std::vector<int64_t> shape = ShapeOfY(params, desc);
    WriteNpy(y_file_, options_.bf16 ? LANEPOOL_TYPE_UINT16 : params.y_type, shape, y);
    if (index_file_ != nullptr) {
      WriteNpy(*index_file_, params.index_type, shape, index);
      index_file_->Publish();
    }
    y_file_.Publish();
  }

 private:
  const RunOptions& options_;
  OutputFile y_file_;
  std::unique_ptr<OutputFile> index_file_;
};

void Compute(const RunOptions& options, const Plan& plan, const JobBuffers& buffers) {
  Progress progress;
  ThreadTeam team(options.threads);
  Job job(plan.desc, buffers, &team);
  try {
    job.RunInSteps([&](double fraction) { progress.Show("pooling", fraction); });
  } catch (const BadInput& error) {
    throw BadInput(options.index_in + ": " + error.what());
  }
}

void Run(const RunOptions& options) {
  if (options.index_out == options.out) throw BadInput("--out and --index-out are the same file");
  const NpyArray x = ReadX(options);
  NpyArray index;
  if (options.ReadsIndex()) index = ReadIndex(options, x);
  Request request = MakeRequest(options.pool, x.shape, x.type);
  SetIndexType(options, index, &request.params);
  const Plan plan = MakePlan(request);
  const lanepool_desc& desc = plan.desc;
  CheckFitsMemory({desc.x_bytes, desc.y_bytes, desc.index_bytes});

  Results results(options);  // before the work is done, so that a wrong path costs no time
  const Buffer y(static_cast<size_t>(desc.y_bytes));
  if (options.WritesIndex()) index.data = Buffer(static_cast<size_t>(desc.index_bytes));
  Compute(options, plan, {&x.data, &y, &index.data, &plan.table});
  results.Write(request.params, desc, y, index.data);
}

void AddFiles(CLI::App* command, RunOptions* options) {
  constexpr char kFiles[] = "Files";
  command->add_option("--in", options->in, "input .npy; its axes are in the layout's own order")
      ->required()
      ->group(kFiles);
  command->add_option("--out", options->out, "output .npy; an existing file is replaced")
      ->required()
      ->group(kFiles);
  CLI::Option* index_out =
      command
          ->add_option("--index-out,--indices", options->index_out,
                       "output .npy for the positions of the maxima, s64 without --index-type")
          ->group(kFiles);
  command
      ->add_option("--index-in", options->index_in,
                   "input .npy (s32 or s64) of max_unpool: where each element of --in goes")
      ->excludes(index_out)
      ->group(kFiles);
  command
      ->add_flag("--bf16", options->bf16,
                 "the u16 elements of --in are the bits of bf16, so will be those of --out; "
                 "needless for files of two-byte void (V2), which always are bf16")
      ->group(kFiles);
}

}  // namespace

void AddRun(CLI::App* tool, Action* action) {
  CLI::App* command = tool->add_subcommand("run", "pool a .npy file into another");
  auto options = std::make_shared<RunOptions>();
  AddFiles(command, options.get());
  AddPoolOptions(command, &options->pool, ShapeFrom::kFile);
  command->add_option("--threads", options->threads, "number of threads")
      ->check(CLI::Range(1, kMostThreads))
      ->capture_default_str()
      ->group("How to compute");
  command->footer(
      "Shape and type of the input come from the file.\n"
      "Example:\n"
      "  lanepool run --in x.npy --out y.npy --op max --layout nhwc --kernel 2 --strides 2\n"
      "with the positions of the maxima, and back to their places:\n"
      "  lanepool run --in x.npy --out y.npy --index-out i.npy --op max --kernel 2 --strides 2\n"
      "  lanepool run --in y.npy --index-in i.npy --out z.npy --op max_unpool --kernel 2 --strides "
      "2");
  command->callback([=] { *action = [=] { Run(*options); }; });
}

}  // namespace lanepool_tool
