target_link_libraries(optiml_optimizer ${scope} optiml_experts optiml_search optiml_workers optiml_report
  nlohmann_json::nlohmann_json)
set(precompiled json)
