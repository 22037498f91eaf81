# Headers from outside that many sources read, compiled once. None of ours is among them: they are made anew only with the compiler.
# A set serves targets that are compiled with the same flags; -Winvalid-pch tells of one that is not.

# optiml_precompiled_set(NAME [EXECUTABLE] LINKS library... HEADERS header... [OPTIONS option...])
function(optiml_precompiled_set name)
  cmake_parse_arguments(set "EXECUTABLE" "" "LINKS;HEADERS;OPTIONS" ${ARGN})
  set(target optiml_precompiled_${name})
  set(empty ${CMAKE_BINARY_DIR}/generated/precompiled_${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${target} OBJECT ${empty})
  # clang would write the time into it, and ccache never know it again.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_link_libraries(${target} PRIVATE ${set_LINKS})
  target_compile_options(${target} PRIVATE ${OPTIML_WARNINGS} ${set_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${set_HEADERS})
  if(set_EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
endfunction()

# optiml_use_precompiled(TARGET NAME)
function(optiml_use_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM optiml_precompiled_${name})
endfunction()

set(standard_headers <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstdlib> <cstring> <filesystem> <fstream> <functional> <iterator>
  <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map>
  <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
optiml_precompiled_set(standard LINKS fmt::fmt tl::expected HEADERS ${standard_headers})
optiml_precompiled_set(json LINKS fmt::fmt tl::expected nlohmann_json::nlohmann_json HEADERS ${standard_headers} <nlohmann/json.hpp>)
optiml_precompiled_set(tests EXECUTABLE LINKS fmt::fmt tl::expected nlohmann_json::nlohmann_json GTest::gtest GTest::gmock
  HEADERS ${standard_headers} <nlohmann/json.hpp> <gtest/gtest.h> <gmock/gmock.h>
  OPTIONS ${OPTIML_TEST_OPTIONS})
