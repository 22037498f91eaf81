# What `cmake --install` gives: the program, one shared library with everything in it, the public headers, and a package for
# find_package(OptiML). Whoever links it needs tl-expected alone. The folders named whole define functions of the public headers.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB public_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/optiml/*.h)
add_library(optiml_library SHARED ${public_headers})
set(exported_symbols ${CMAKE_CURRENT_LIST_DIR}/exported_symbols.map)
set_target_properties(optiml_library PROPERTIES OUTPUT_NAME optiml EXPORT_NAME optiml LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${exported_symbols})
target_link_libraries(optiml_library PRIVATE optiml_optimizer INTERFACE tl::expected)
set_property(TARGET optiml_library PROPERTY LINK_LIBRARY_OVERRIDE
  WHOLE_ARCHIVE,optiml_optimizer,optiml_report,optiml_evaluation,optiml_diagnosis,optiml_base)
target_link_options(optiml_library PRIVATE LINKER:--version-script=${exported_symbols})
target_compile_features(optiml_library INTERFACE cxx_std_20)
target_include_directories(optiml_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/OptiML)
install(TARGETS optiml_library EXPORT OptiML LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS optiml RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/optiml DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT OptiML FILE OptiMLTargets.cmake NAMESPACE OptiML:: DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/OptiMLConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/OptiMLConfig.cmake CONTENT "include(CMakeFindDependencyMacro)
find_dependency(tl-expected)
include(\${CMAKE_CURRENT_LIST_DIR}/OptiMLTargets.cmake)
" @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/OptiMLConfig.cmake ${CMAKE_BINARY_DIR}/generated/OptiMLConfigVersion.cmake
  DESTINATION ${package})
