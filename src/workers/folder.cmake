target_link_libraries(optiml_workers ${scope} optiml_evaluation optiml_process nlohmann_json::nlohmann_json)
set(precompiled json)
