# Compilers, warnings and build types. Dev is optimised (the emulator is too slow to test without) with line tables only.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Dev CACHE STRING "Dev, Release or Debug" FORCE)
endif()
set(CMAKE_CXX_FLAGS_DEV "-O2 -g1")
set(CMAKE_C_FLAGS_DEV "-O2 -g1")
# A CUDA mul followed by an add must stay two roundings on the host: no contraction anywhere.
add_compile_options(-ffp-contract=off -fno-math-errno)
# g++ 12's plain -Wshadow takes an enumerator of a scoped enumeration for a shadowing declaration.
set(OPTIML_WARNINGS -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers -Werror)
# clang blames us for a deprecated function that libstdc++ 12 itself uses in std::stable_sort.
list(APPEND OPTIML_WARNINGS $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow> $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# Warnings are the developers' (presets dev, sanitize). Users build Release, perhaps with a compiler whose warnings nobody has seen; and at
# -O3 g++ 12 warns of what is not there.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(OPTIML_WARNINGS -w)
endif()

# What tests compile to is run once: compiling it well takes longer than running it.
# (At -O1 g++ 12 warns of bounds of std::string that hold.)
set(OPTIML_TEST_OPTIONS -O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)

option(OPTIML_SANITIZE "Address and undefined-behaviour sanitizers; with clang, fuzz targets become libFuzzer programs" OFF)
if(OPTIML_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEV "-O1 -g1")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    set(OPTIML_FUZZ ON)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()

option(OPTIML_UNITY "Compile several sources in one; OFF finds what a source forgot to include" ON)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache asks for with precompiled headers; and it learns what a source reads from the compiler, not by preprocessing it before.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${CCACHE_PROGRAM})
endif()

find_program(LLD_PROGRAM NAMES ld.lld ld.lld-19)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)
