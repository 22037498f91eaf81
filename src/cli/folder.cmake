target_link_libraries(optiml_cli ${scope} optiml_optimizer CLI11::CLI11)
