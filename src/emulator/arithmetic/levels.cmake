# arithmetic/vector/*.cpp are compiled once for each level of x86-64; lanes.cpp picks the best one that the CPU offers.
# Their code is in a namespace of the level's name, so that no inline function of one level can stand in for another's.
set(level_options_baseline "")
set(level_options_v3 -march=x86-64-v3 -mtune=haswell)
set(level_options_v4 -march=x86-64-v4 -mtune=skylake-avx512 -mprefer-vector-width=512)
file(GLOB level_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/vector/*.cpp)
foreach(level baseline v3 v4)
  set(lanes optiml_emulator_lanes_${level})
  add_library(${lanes} OBJECT ${level_sources})
  target_include_directories(${lanes} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${lanes} PRIVATE fmt::fmt tl::expected)
  target_compile_definitions(${lanes} PRIVATE OPTIML_LEVEL=${level})
  target_compile_options(${lanes} PRIVATE ${OPTIML_WARNINGS} -O3 -fno-trapping-math ${level_options_${level}}
    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)  # a loop that does not vectorise is slower, not wrong
  target_sources(optiml_emulator PRIVATE $<TARGET_OBJECTS:${lanes}>)
endforeach()
