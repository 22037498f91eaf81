target_link_libraries(optiml_diagnosis ${scope} optiml_base)
