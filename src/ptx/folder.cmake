target_link_libraries(optiml_ptx ${scope} optiml_base)
