#include "pool_options.h"

namespace lanepool_tool {
namespace {

constexpr char kWhat[] = "What to compute";
constexpr char kWindows[] = "Windows (one number per spatial axis; a single number stands for all)";
constexpr char kPolicies[] = "Policies (what is not given comes from the dialect)";
constexpr char kHow[] = "How to compute";

}  // namespace

void AddPoolOptions(CLI::App* command, PoolOptions* o, ShapeFrom shape_from) {
  command->add_option("--op", o->op, "average, max, min, sum, lp or max_unpool")
      ->required()
      ->group(kWhat);
  command
      ->add_option("--layout", o->layout,
                   "order of the axes: nchw (N,C,[D],[H],W) or nhwc (N,[D],[H],W,C)")
      ->capture_default_str()
      ->group(kWhat);
  if (shape_from == ShapeFrom::kOptions) {
    command
        ->add_option("--shape", o->shape,
                     "sizes of the input's 3 to 5 axes in the layout's own order, as 1,64,112,112")
        ->required()
        ->group(kWhat);
    command
        ->add_option("--type", o->type,
                     "element type of the input: f32, f64, f16, bf16, u8, s8, u16, s16, s32 or s64")
        ->capture_default_str()
        ->group(kWhat);
  }
  command->add_option("--y-type", o->y_type, "element type of the output; default: as the input")
      ->group(kWhat);
  command
      ->add_option("--dialect", o->dialect,
                   "whose rules are the defaults: onnx, ort, torch, tflite or onednn")
      ->capture_default_str()
      ->group(kWhat);

  command->add_option("--kernel", o->kernel, "window size, as 3,3")->group(kWindows);
  command->add_flag("--global", o->global, "one window: the whole input")->group(kWindows);
  command
      ->add_flag("--adaptive", o->adaptive,
                 "windows that share the input among the outputs of --output-size")
      ->group(kWindows);
  command
      ->add_option("--output-size", o->output_size,
                   "spatial sizes of the output, for --adaptive and max_unpool")
      ->group(kWindows);
  command->add_option("--strides", o->strides, "distance of windows; default 1")->group(kWindows);
  command
      ->add_option("--pads", o->pads,
                   "padding, all begins, then all ends (as ONNX): top,left,bottom,right; default 0")
      ->group(kWindows);
  command->add_option("--dilations", o->dilations, "distance of a window's taps; default 1")
      ->group(kWindows);
  command->add_option("--auto-pad", o->auto_pad, "notset, valid, same_upper or same_lower")
      ->group(kWindows);
  command
      ->add_option("--ceil-mode", o->ceil_mode,
                   "0: floor; 1: ceil, without windows that start in the end pad; keep: with them")
      ->group(kWindows);

  command
      ->add_option("--count-include-pad", o->count_include_pad,
                   "0: an average divides by the taps in the input; 1: padding counts too")
      ->group(kPolicies);
  command
      ->add_option("--divisor", o->divisor,
                   "exclude, include (the two above), full (all taps of the kernel) or a number")
      ->group(kPolicies);
  command
      ->add_option("--empty-window", o->empty_window,
                   "a window without a tap in the input gives: zero, nan, or reject (an error)")
      ->group(kPolicies);
  command->add_option("--nan-rule,--nan", o->nan, "a NaN in the window: propagate or ignore")
      ->group(kPolicies);
  command
      ->add_option("--valid-ceil", o->valid_ceil,
                   "--auto-pad valid with --ceil-mode 1: ceil (honoured) or floor (ignored)")
      ->group(kPolicies);
  command
      ->add_option(
          "--oversize-kernel", o->oversize_kernel,
          "a kernel larger than the padded input: reject, or truncate (sizes divide toward 0)")
      ->group(kPolicies);
  command->add_option("--lp-order", o->lp_order, "the p of --op lp, 1 to inf; default 2")
      ->group(kPolicies);
  command
      ->add_option("--clamp", o->clamp,
                   "LOW,HIGH: limits of the output's elements, both included, as 0,6")
      ->group(kPolicies);

  AddIndexOptions(command, &o->index);
  AddQuantizationOptions(command, &o->quantization);

  command
      ->add_option("--target", o->target,
                   "use only this instruction set, as AVX2 (see lanepool info); default: the best")
      ->group(kHow);
  command
      ->add_flag("--strict-order", o->strict_order,
                 "add floats in row-major tap order with one accumulator")
      ->group(kHow);
  command
      ->add_flag("--accumulate-f64", o->accumulate_f64,
                 "averages, sums and lp of f32: compute in f64, round once")
      ->group(kHow);
}

}  // namespace lanepool_tool
