target_link_libraries(optiml_process ${scope} optiml_base)
