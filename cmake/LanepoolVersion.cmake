# The version and the ABI version stand in the public header and nowhere else.

function(lanepool_read_version header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  file(STRINGS "${header}" lines REGEX "^#define LANEPOOL_(VERSION|ABI_VERSION)")
  foreach(name VERSION_MAJOR VERSION_MINOR VERSION_PATCH ABI_VERSION)
    if(NOT lines MATCHES "LANEPOOL_${name} ([0-9]+)")
      message(FATAL_ERROR "${header} does not define LANEPOOL_${name}")
    endif()
    set(${name} ${CMAKE_MATCH_1})
  endforeach()
  set(LANEPOOL_VERSION ${VERSION_MAJOR}.${VERSION_MINOR}.${VERSION_PATCH} PARENT_SCOPE)
  set(LANEPOOL_ABI_VERSION ${ABI_VERSION} PARENT_SCOPE)
endfunction()
