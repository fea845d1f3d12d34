/* Average pooling, 3x3 with stride 2 and pads of 1, of one 5x5 channel. */
#include <lanepool/lanepool.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float x[5 * 5], y[3 * 3];
  for (int i = 0; i < 25; ++i) x[i] = (float)i;

  lanepool_params params;
  lanepool_params_init(&params, sizeof params, LANEPOOL_DIALECT_ONNX);
  params.op = LANEPOOL_OP_AVERAGE;
  params.layout = LANEPOOL_LAYOUT_NCHW;
  params.rank = 2; /* spatial axes; batch and channels are 1 unless set */
  params.x_type = params.y_type = LANEPOOL_TYPE_FLOAT;
  params.input[0] = params.input[1] = 5;
  params.kernel[0] = params.kernel[1] = 3;
  params.strides[0] = params.strides[1] = 2;
  params.pads_begin[0] = params.pads_begin[1] = params.pads_end[0] = params.pads_end[1] = 1;

  lanepool_desc desc;
  lanepool_error error;
  char text[200];
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    lanepool_error_format(&error, text, sizeof text);
    return fprintf(stderr, "%s\n", text), 1;
  }
  const size_t workspace_bytes = (size_t)desc.workspace_bytes; /* scratch; may be 0 */
  void* workspace = malloc(workspace_bytes);
  const int32_t status =
      lanepool_run(&desc, x, sizeof x, y, sizeof y, NULL, 0, workspace, workspace_bytes);
  free(workspace);
  if (status != LANEPOOL_OK) return fprintf(stderr, "%s\n", lanepool_status_name(status)), 1;
  for (int i = 0; i < 9; ++i) printf("%g%c", y[i], i % 3 == 2 ? '\n' : ' ');
  return 0;
}
