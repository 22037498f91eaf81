target_link_libraries(optiml_emulator ${scope} optiml_ptx tomlplusplus::tomlplusplus)
