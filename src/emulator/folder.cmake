include(Devices)
target_link_libraries(optiml_emulator ${scope} optiml_ptx tomlplusplus::tomlplusplus)
optiml_embed_devices(optiml_emulator)
include(${CMAKE_CURRENT_LIST_DIR}/arithmetic/levels.cmake)
# Loops over lanes that are to become vector code; see execution/vectorized.h.
foreach(source checks/history_scan execution/request execution/rows)
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/${source}.cpp PROPERTIES COMPILE_OPTIONS -O3)
endforeach()
set(apart machine_code/anchors.cpp machine_code/opcode_table.cpp)  # their kinds of machine instructions have the names of others
