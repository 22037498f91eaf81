# optiml_folder(NAME): one library target optiml_NAME from src/NAME/*.cpp, one test program from src/NAME/*_test.cpp, and one that
# needs a GPU from src/NAME/*_gpu_test.cpp.
# src/NAME/folder.cmake, where there is one, names what the folder links (target_link_libraries(optiml_NAME ...)), which set of
# precompiled headers it reads (set(precompiled json)), and sources that cannot be compiled in one with others (set(apart ...)).
#
# Sources of a library are compiled ten in one: most of a compiler's time goes into headers and templates that they share.
# The names in their unnamed namespaces must therefore differ within a folder.
include(GoogleTest)

function(optiml_folder name)
  set(folder ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/*/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$|/main\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  set(target optiml_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${target} ${scope} fmt::fmt tl::expected)
  if(sources)
    target_compile_options(${target} PRIVATE ${OPTIML_WARNINGS})
  endif()
  set(scope ${scope} PARENT_SCOPE)
  set(precompiled standard)
  set(apart "")
  if(EXISTS ${folder}/folder.cmake)
    include(${folder}/folder.cmake)
  endif()
  if(sources)
    optiml_use_precompiled(${target} ${precompiled})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${OPTIML_UNITY} UNITY_BUILD_BATCH_SIZE 10)
    list(TRANSFORM apart PREPEND ${folder}/)
    set_source_files_properties(${apart} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()

  set(gpu_tests ${tests})
  list(FILTER tests EXCLUDE REGEX "_gpu_test\\.cpp$")
  list(FILTER gpu_tests INCLUDE REGEX "_gpu_test\\.cpp$")
  # The folder gpu must not lend its name: the label gpu says that a GPU is needed.
  string(REGEX REPLACE "^gpu$" "gpu_library" label ${name})
  optiml_test_program(${name}_test ${label} "${tests}" LINKS ${target} rapidcheck)
  optiml_test_program(${name}_gpu_test gpu "${gpu_tests}" LINKS ${target})
endfunction()

# optiml_test_program(PROGRAM LABEL SOURCES LINKS library... [SECONDS n] [COST n]): one GoogleTest program. LABEL is CTest's; tests of label
# gpu say SKIP where there is no GPU. SECONDS is each test's time limit, 120 unless told. CTest starts tests of higher COST earlier.
function(optiml_test_program program label sources)
  if(NOT sources)
    return()
  endif()
  set(test_SECONDS 120)
  set(test_COST 0)
  cmake_parse_arguments(PARSE_ARGV 3 given "" "SECONDS;COST" "LINKS")
  foreach(property IN ITEMS SECONDS COST)
    if(given_${property})
      set(test_${property} ${given_${property}})
    endif()
  endforeach()
  add_executable(${program} ${sources})
  target_compile_options(${program} PRIVATE ${OPTIML_WARNINGS} ${OPTIML_TEST_OPTIONS})
  target_link_libraries(${program} PRIVATE ${given_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${program} PRIVATE OPTIML_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  optiml_use_precompiled(${program} tests)
  string(REGEX REPLACE "_test$" "" prefix ${program})
  gtest_discover_tests(${program} TEST_PREFIX ${prefix}.
    PROPERTIES LABELS ${label} TIMEOUT ${test_SECONDS} COST ${test_COST} DISCOVERY_TIMEOUT 60)
endfunction()
