target_link_libraries(optiml_report ${scope} optiml_runs optiml_diagnosis nlohmann_json::nlohmann_json)
set(precompiled json)
