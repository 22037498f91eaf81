target_link_libraries(optiml_base PUBLIC PkgConfig::xxhash Threads::Threads)
