# Installation: `cmake --install` with the components sdk, core, drivers, conformance and cli. Nothing installed holds
# the prefix, so that a tree may be moved; docs and README say what each component is for.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(ATTACHE_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/attache")

set_target_properties(attache_spi PROPERTIES EXPORT_NAME spi)
set_target_properties(attache_sdk PROPERTIES EXPORT_NAME sdk)
set_target_properties(attache_core PROPERTIES EXPORT_NAME core)
set_target_properties(attache_core_static PROPERTIES EXPORT_NAME core_static)

# attache_install_targets(EXPORT COMPONENT TARGETS...): one export set for what find_package may be asked for, so that a
# missing one harms no other.
function(attache_install_targets export component)
  install(TARGETS ${ARGN} EXPORT attache-${export}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
  install(EXPORT attache-${export} NAMESPACE attache:: FILE attache-${export}.cmake
          DESTINATION ${ATTACHE_CMAKE_DIR} COMPONENT ${component})
endfunction()

attache_install_targets(sdk sdk attache_spi attache_sdk)
install(TARGETS attache-embed-descriptor EXPORT attache-sdk RUNTIME DESTINATION ${ATTACHE_LIBEXEC_DIR} COMPONENT sdk)
attache_install_targets(core core attache_core)
attache_install_targets(core_static core attache_core_static)
set_target_properties(attache-conformance PROPERTIES EXPORT_NAME conformance)
attache_install_targets(conformance conformance attache-conformance)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sdk/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT sdk)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core/include/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core)

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/attacheConfig.cmake.in" "${PROJECT_BINARY_DIR}/attacheConfig.cmake"
                              INSTALL_DESTINATION ${ATTACHE_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/attacheConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH ATTACHE_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(name IN ITEMS sdk core)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/attache-${name}.pc.in" "${PROJECT_BINARY_DIR}/attache-${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/attache-${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${name})
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/attacheConfig.cmake" "${PROJECT_BINARY_DIR}/attacheConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/AttacheAddDriver.cmake" "${CMAKE_CURRENT_LIST_DIR}/driver.map"
        DESTINATION ${ATTACHE_CMAKE_DIR} COMPONENT sdk)
install(FILES "${PROJECT_SOURCE_DIR}/sdk/share/descriptor.schema.json" DESTINATION ${CMAKE_INSTALL_DATADIR}/attache
        COMPONENT sdk)
