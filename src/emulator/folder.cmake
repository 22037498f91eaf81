include(Devices)
target_link_libraries(optiml_emulator ${scope} optiml_ptx tomlplusplus::tomlplusplus)
optiml_embed_devices(optiml_emulator)
include(${CMAKE_CURRENT_LIST_DIR}/arithmetic/levels.cmake)
