# Writes a source file that holds every devices/*.toml as a raw string, and adds it to TARGET.
function(optiml_embed_devices target)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/devices/*.toml)
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND entries "        {\"${name}\", R\"TOML(${text})TOML\"},\n")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/generated/device_files.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#include \"emulator/device_files.h\"

namespace optiml::emulator {

const std::vector<DeviceFile>& device_files() {
    static const std::vector<DeviceFile> files = {
@entries@    };
    return files;
}

}  // namespace optiml::emulator
")
  target_sources(${target} PRIVATE ${source})
endfunction()
