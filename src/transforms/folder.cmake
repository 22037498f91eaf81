target_link_libraries(optiml_transforms ${scope} optiml_task optiml_diagnosis ${ISL_LIBRARY})
