# CUDA's headers are needed to compile, its libraries only at run time. ./demo and ./test bring them into .toolchain where no toolkit is.
find_path(OPTIML_CUDA_INCLUDE cuda.h
  HINTS $ENV{OPTIML_CUDA_HOME} $ENV{CUDA_HOME} /usr/local/cuda ${CMAKE_SOURCE_DIR}/.toolchain/nvidia/cu13 PATH_SUFFIXES include REQUIRED)
target_include_directories(optiml_gpu SYSTEM PRIVATE ${OPTIML_CUDA_INCLUDE})
target_link_libraries(optiml_gpu ${scope} optiml_process ${CMAKE_DL_LIBS})
set_source_files_properties(${folder}/shared_limit_test.cpp PROPERTIES COMPILE_OPTIONS "-isystem${OPTIML_CUDA_INCLUDE}")
