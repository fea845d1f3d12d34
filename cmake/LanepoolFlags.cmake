# Compile and link flags, each in one place.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

if(LANEPOOL_SANITIZE)
  add_compile_options(
    -fsanitize=${LANEPOOL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
  )
  add_link_options(-fsanitize=${LANEPOOL_SANITIZE})
endif()

if(LANEPOOL_COVERAGE)
  add_link_options(-fprofile-instr-generate) # what is counted is said where it is compiled
endif()

# The warnings of the project's own code.
function(lanepool_project_warnings target)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            $<$<BOOL:${LANEPOOL_WERROR}>:-Werror>
            # clang blames std::stable_sort of libstdc++ 12, a deprecated helper inside, on its user
            $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>
  )
endfunction()

# Programs of much code that takes no time when it runs, but when it is built.
set(LANEPOOL_BUILT_FAST $<$<CONFIG:Release>:-O1>)

# The library itself, Highway's part included.
function(lanepool_library_flags target)
  set_target_properties(
    ${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
                         CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
  )
  target_compile_options(
    ${target}
    PRIVATE -fno-exceptions
            -fno-rtti
            -fno-threadsafe-statics # no call into the C++ runtime library
            -ffunction-sections
            -fdata-sections
            -ffp-contract=off # a contracted multiply-add would round differently per target
            ${LANEPOOL_BASELINE}
            # who unwinds through kernels is a debugger
            $<$<BOOL:${LANEPOOL_COMPACT}>:-fno-asynchronous-unwind-tables;-fno-unwind-tables>
            $<$<CONFIG:Release>:-O2> # after CMake's -O3, which only grows the kernels
  )
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT LANEPOOL_COMPACT)
    # a loop is as fast as where it lies, which shall not depend on other functions (decision 0039)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-falign-functions=64>)
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${LANEPOOL_HIGHWAY_INCLUDE_DIR})
  target_compile_definitions(
    ${target} PRIVATE ${LANEPOOL_HIGHWAY_DEFINITIONS} ${LANEPOOL_CPUINFO_DEFINITIONS}
                      ${LANEPOOL_CONTENTS_DEFINITIONS}
  )
  target_link_libraries(${target} PRIVATE ${LANEPOOL_HIGHWAY_TARGET} ${LANEPOOL_CPUINFO_TARGET})
endfunction()

# Only optimised builds do without the C++ runtime library: the debug checks of Highway and the
# sanitizers call into it.
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT LANEPOOL_SANITIZE)
  set(LANEPOOL_WITHOUT_CXX_RUNTIME ON)
  set(CMAKE_CXX_IMPLICIT_LINK_LIBRARIES "") # what CMake adds to C++ objects that C links
else()
  set(LANEPOOL_WITHOUT_CXX_RUNTIME OFF)
endif()

# Exports the C functions and nothing else. The C compiler driver links, so that a call into the C++
# runtime library is a link error and not a dependency that nobody noticed.
function(lanepool_shared_link target)
  if(APPLE) # undefined symbols are errors without being asked for
    target_link_options(${target} PRIVATE "-Wl,-exported_symbol,_lanepool_*" -Wl,-dead_strip)
  else()
    set(map "${PROJECT_SOURCE_DIR}/cmake/lanepool.map")
    target_link_options(${target} PRIVATE -Wl,--version-script=${map} -Wl,--gc-sections)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
    if(NOT LANEPOOL_SANITIZE)
      target_link_options(${target} PRIVATE -Wl,-z,defs -Wl,--as-needed)
    endif()
  endif()
  if(LANEPOOL_WITHOUT_CXX_RUNTIME)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  else()
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()
