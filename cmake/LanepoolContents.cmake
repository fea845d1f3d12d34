# LANEPOOL_OPS, LANEPOOL_TYPES, LANEPOOL_COMPACT: what kernels there are. Sets LANEPOOL_CONTENTS_DEFINITIONS for
# src/compiled_in.h, nothing if nothing is left out.

set(LANEPOOL_CONTENTS_DEFINITIONS "")
if(LANEPOOL_COMPACT)
  list(APPEND LANEPOOL_CONTENTS_DEFINITIONS LANEPOOL_COMPACT)
endif()

# Of a list of names, each followed by the end of its code in lanepool.h.
function(lanepool_contents option definition prefix)
  if(NOT ${option})
    return()
  endif()
  set(codes "")
  foreach(name ${${option}})
    list(FIND ARGN "${name}" at)
    math(EXPR odd "${at} % 2")
    if(at LESS 0 OR odd)
      message(FATAL_ERROR "${option}: there is no ${name}")
    endif()
    math(EXPR at "${at} + 1")
    list(GET ARGN ${at} code)
    list(APPEND codes ${prefix}${code})
  endforeach()
  list(JOIN codes "," codes)
  list(APPEND LANEPOOL_CONTENTS_DEFINITIONS "${definition}=${codes}")
  set(LANEPOOL_CONTENTS_DEFINITIONS "${LANEPOOL_CONTENTS_DEFINITIONS}" PARENT_SCOPE)
endfunction()

lanepool_contents(
  LANEPOOL_OPS LANEPOOL_COMPILED_OPS LANEPOOL_OP_
  average AVERAGE max MAX min MIN sum SUM lp LP max_unpool MAX_UNPOOL
)
lanepool_contents(
  LANEPOOL_TYPES LANEPOOL_COMPILED_TYPES LANEPOOL_TYPE_
  f32 FLOAT f64 DOUBLE f16 FLOAT16 bf16 BFLOAT16 u8 UINT8 s8 INT8 u16 UINT16 s16 INT16 s32 INT32
)
