target_link_libraries(optiml_experts ${scope} optiml_transforms)
