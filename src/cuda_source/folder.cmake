# clang is linked statically, so that the program runs on machines without it; only this folder sees its headers.
include(Clang)
target_link_libraries(optiml_cuda_source ${scope} optiml_base)
optiml_link_clang(optiml_cuda_source)
