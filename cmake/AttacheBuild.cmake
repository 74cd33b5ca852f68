# Compiler settings of every target of this repository, and the functions the folders use.
include_guard(GLOBAL)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(ATTACHE_CCACHE ccache)
if(ATTACHE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${ATTACHE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ATTACHE_CCACHE}")
endif()

# Warnings are errors for our own code only; they are never exported to users of the packages.
add_library(attache_build_flags INTERFACE)
target_compile_options(attache_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
# g++ 12 warns wrongly when strings are joined (its bug 105329).
target_compile_options(attache_build_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(ATTACHE_SANITIZE)
  target_compile_options(attache_build_flags INTERFACE -fsanitize=${ATTACHE_SANITIZE} -fno-omit-frame-pointer -g1
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(attache_build_flags INTERFACE -fsanitize=${ATTACHE_SANITIZE})
  if(ATTACHE_SANITIZE MATCHES undefined)
    # The vptr check asks through a pipe whether memory can be read, and so is wrong in a process without descriptors.
    target_compile_options(attache_build_flags INTERFACE -fno-sanitize-recover=undefined -fno-sanitize=vptr)
  endif()
endif()

# attache_library(NAME SOURCES... PUBLIC_LINK... PRIVATE_LINK...): a static library of this repository.
function(attache_library name)
  cmake_parse_arguments(ARG "" "INCLUDE" "SOURCES;PUBLIC_LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC_LINK} PRIVATE ${ARG_PRIVATE_LINK} $<BUILD_INTERFACE:attache_build_flags>)
endfunction()

# attache_test(NAME SOURCES... LINK... LABEL label [DEPENDS...]): a GoogleTest program, one ctest test for each of its
# tests. The label says what kind: unit, concurrent (a unit test with threads of its own), integration, packaging, real.
# The target tests-<label> builds all of a kind.
function(attache_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT;LABEL" "SOURCES;LINK;DEPENDS;DEFINITIONS" ${ARGN})
  if(NOT ARG_LABEL MATCHES "^(unit|concurrent|integration|packaging|real)$")
    message(FATAL_ERROR "attache_test(${name}): LABEL must be unit, concurrent, integration, packaging or real")
  endif()
  if(NOT TARGET tests-${ARG_LABEL})
    add_custom_target(tests-${ARG_LABEL})
  endif()
  add_dependencies(tests-${ARG_LABEL} ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main attache_build_flags)
  if(ARG_DEFINITIONS)
    target_compile_definitions(${name} PRIVATE ${ARG_DEFINITIONS})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABEL}")
endfunction()
