/* A program of a stranger: pools four numbers through the installed library, in C99. */
#include <lanepool/lanepool.h>
#include <stdio.h>

int main(void) {
  const float x[4] = {1, 5, 2, 8};
  float y[2] = {0, 0};
  lanepool_params params;
  lanepool_desc desc;
  lanepool_error error;

  lanepool_params_init(&params, sizeof params, LANEPOOL_DIALECT_ONNX);
  params.op = LANEPOOL_OP_MAX;
  params.layout = LANEPOOL_LAYOUT_NCHW;
  params.rank = 1;
  params.x_type = params.y_type = LANEPOOL_TYPE_FLOAT;
  params.input[0] = 4;
  params.kernel[0] = params.strides[0] = 2;
  if (lanepool_plan(&params, &desc, &error) != LANEPOOL_OK) {
    char text[200];
    lanepool_error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
  }
  if (lanepool_run(&desc, x, sizeof x, y, sizeof y, NULL, 0, NULL, 0) != LANEPOOL_OK) return 1;
  if (lanepool_abi_version() != LANEPOOL_ABI_VERSION) return 1;
  printf("%s: max of {1 5} {2 8} is %g %g\n", lanepool_version(), y[0], y[1]);
  return y[0] == 5 && y[1] == 8 ? 0 : 1;
}
