target_link_libraries(optiml_search ${scope} optiml_base)
