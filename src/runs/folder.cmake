target_link_libraries(optiml_runs ${scope} optiml_base SQLite::SQLite3)
