target_link_libraries(optiml_task ${scope} optiml_cuda_source tomlplusplus::tomlplusplus)
