target_link_libraries(optiml_evaluation ${scope} optiml_task optiml_gpu optiml_emulator nlohmann_json::nlohmann_json)
set(precompiled json)
