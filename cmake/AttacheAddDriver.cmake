# attache_add_driver(): builds a driver, in this repository and from the installed package alike.
#
#   attache_add_driver(<id> SOURCES <file>...
#                      [LINK <library>...]               further libraries
#                      [DESCRIPTOR <descriptor.json>]    default: descriptor.json beside the CMakeLists.txt
#                      [OUTPUT_DIRECTORY <directory>]    default: where this build's driver directory is
#                      [SPI_ONLY])                       only the C header: for drivers in C
#
# Makes the target attache-driver-<id> and the file attache-driver-<id>.so, which exports exactly
# attache_driver_entry_v1 and attache_descriptor_v1. The descriptor is checked before it is compiled, and the
# linked file is checked again: a bad driver does not build.
include_guard(GLOBAL)

# Whether the file is used by its own repository rather than from an installed package.
function(_attache_in_tree result)
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" DIRECTORY)
  if(PROJECT_SOURCE_DIR STREQUAL root AND TARGET attache_core)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Whether undefined symbols must stay legal: clang leaves its sanitizers' symbols to the executable.
function(_attache_clang_sanitizer result)
  set(flags "${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_MODULE_LINKER_FLAGS}")
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND "${flags} ${ATTACHE_SANITIZE}" MATCHES "-fsanitize=|address|thread|undefined")
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(attache_add_driver id)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SPI_ONLY" "DESCRIPTOR;OUTPUT_DIRECTORY" "SOURCES;LINK")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "attache_add_driver(${id}): unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT id MATCHES "^[a-z][a-z0-9-]+$")
    message(FATAL_ERROR "attache_add_driver(${id}): an id matches [a-z][a-z0-9-]{1,62}")
  endif()
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "attache_add_driver(${id}): SOURCES is missing")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "attache_add_driver(${id}): the descriptor is compiled as C; add C to the LANGUAGES of project()")
  endif()
  if(NOT ARG_DESCRIPTOR)
    set(ARG_DESCRIPTOR descriptor.json)
  endif()
  get_filename_component(descriptor "${ARG_DESCRIPTOR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  _attache_in_tree(in_tree)
  set(install_driver FALSE)
  if(NOT ARG_OUTPUT_DIRECTORY)
    if(in_tree)
      set(ARG_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${ATTACHE_DRIVER_DIR}")
      set(install_driver TRUE)
    else()
      set(ARG_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
  endif()

  # Visibility must be set before the target exists.
  set(CMAKE_C_VISIBILITY_PRESET hidden)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)

  set(target "attache-driver-${id}")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/${target}.descriptor.c")
  add_custom_command(
    OUTPUT "${generated}"
    COMMAND attache::embed-descriptor embed "${descriptor}" "${generated}"
    DEPENDS "${descriptor}" attache::embed-descriptor
    COMMENT "Checking and embedding the descriptor of ${id}"
    VERBATIM)

  add_library(${target} MODULE ${ARG_SOURCES} "${generated}")
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "${target}" SUFFIX ".so"
    LIBRARY_OUTPUT_DIRECTORY "${ARG_OUTPUT_DIRECTORY}"
    BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH FALSE)
  if(ARG_SPI_ONLY)
    target_link_libraries(${target} PRIVATE attache::spi)
  else()
    target_link_libraries(${target} PRIVATE attache::sdk)
  endif()
  target_link_libraries(${target} PRIVATE ${ARG_LINK})
  if(in_tree)
    target_link_libraries(${target} PRIVATE attache_build_flags)
  endif()

  # -ffat-lto-objects: without it g++ -flto with another linker makes an empty library and reports success.
  target_compile_options(${target} PRIVATE
    -ffunction-sections -fdata-sections
    $<$<C_COMPILER_ID:GNU>:-ffat-lto-objects>)
  _attache_clang_sanitizer(undefined_allowed)
  if(NOT undefined_allowed)
    target_link_options(${target} PRIVATE LINKER:-z,defs)
  endif()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/driver.map")
  target_link_options(${target} PRIVATE
    "LINKER:--version-script=${script}"
    LINKER:-z,now LINKER:-z,relro LINKER:-z,nodelete LINKER:-z,noexecstack
    LINKER:--exclude-libs,ALL LINKER:-Bsymbolic LINKER:--gc-sections)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}" "${descriptor}")

  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND attache::embed-descriptor verify "$<TARGET_FILE:${target}>" --descriptor "${descriptor}"
    COMMENT "Checking ${target}.so"
    VERBATIM)
  if(install_driver)
    install(TARGETS ${target} LIBRARY DESTINATION "${ATTACHE_DRIVER_DIR}" COMPONENT drivers)
  endif()
endfunction()
