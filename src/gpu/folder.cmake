target_link_libraries(optiml_gpu ${scope} optiml_process ${CMAKE_DL_LIBS})
