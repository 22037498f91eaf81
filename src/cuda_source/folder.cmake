# clang is linked statically, so that the program runs on machines without it; only src/cuda_source/clang sees its headers.
include(Clang)
target_link_libraries(optiml_cuda_source ${scope} optiml_base)
optiml_link_clang(optiml_cuda_source)
target_link_libraries(optiml_cuda_source PRIVATE ${ISL_LIBRARY})
# clang is built without run-time type information, and its headers do not pass our warnings. They poison their allocator's memory where
# sanitizers are on, of which the library that we link knows nothing.
file(GLOB clang_sources ${folder}/clang/*.cpp)
set_source_files_properties(${clang_sources} PROPERTIES COMPILE_OPTIONS "-fno-rtti;-Wno-unused-parameter;-fno-sanitize=all")
