#include "index_options.h"

#include "names.h"

namespace lanepool_tool {
namespace {

constexpr char kGroup[] = "Positions of maxima (max gives them, max_unpool takes them)";

}  // namespace

void AddIndexOptions(CLI::App* command, IndexOptions* o) {
  command
      ->add_option("--index-type", o->type,
                   "int32 or int64: with the position of each maximum, of that type")
      ->group(kGroup);
  command
      ->add_option("--index-mode", o->mode,
                   "counted in: the nchw tensor, the nhwc tensor, the plane of the channel, or the "
                   "window; default from the dialect")
      ->group(kGroup);
  command
      ->add_option("--storage-order", o->storage_order,
                   "of nchw and plane: 0: row major; 1: column major; default 0")
      ->group(kGroup);
}

void SetIndex(const IndexOptions& options, lanepool_params* params) {
  if (params->op == LANEPOOL_OP_MAX_UNPOOL) params->index_type = LANEPOOL_TYPE_INT64;
  if (options.type) params->index_type = CodeOf(IndexTypes(), *options.type, "--index-type");
  if (options.mode) params->index_mode = CodeOf(IndexModes(), *options.mode, "--index-mode");
  if (options.storage_order) {
    params->storage_order = CodeOf(StorageOrders(), *options.storage_order, "--storage-order");
  }
}

}  // namespace lanepool_tool
