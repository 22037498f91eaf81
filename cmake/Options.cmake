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
# Warnings are the developers' (presets dev, asan, fuzz). Users build Release, perhaps with a compiler whose warnings nobody has seen; and at
# -O3 g++ 12 warns of what is not there.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(OPTIML_WARNINGS -w)
endif()

option(OPTIML_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
if(OPTIML_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

option(OPTIML_FUZZ "Fuzz targets as libFuzzer programs (clang only)" OFF)
if(OPTIML_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_program(LLD_PROGRAM NAMES ld.lld ld.lld-19)
if(LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)
