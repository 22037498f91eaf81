#pragma once
// A toolkit whose programs are shell scripts, for as long as one of these lives.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/disk.h"
#include "process/scratch_folder.h"

namespace optiml::workers {

class FakeTool {
public:
    // The script finds in $log the file that the tool is told to write its log to, and in $folder a folder of its own.
    FakeTool(const std::string& name, const std::string& script) : folder_(std::move(*process::ScratchFolder::make())) {
        const auto program = folder_.path() / "bin" / name;
        std::filesystem::create_directories(program.parent_path());
        std::ofstream(program) << "#!/bin/sh\nfolder=" << folder_.path().string()
                               << "\necho \"$@\" >> $folder/calls\nwhile [ $# -gt 0 ]; do case $1 in --log-file) log=$2;; --tool) tool=$2;; esac; last=$1; shift; done\n"
                               << script;
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        ::setenv("OPTIML_CUDA_HOME", folder_.path().c_str(), 1);
    }
    ~FakeTool() { ::unsetenv("OPTIML_CUDA_HOME"); }
    FakeTool(const FakeTool&) = delete;
    FakeTool& operator=(const FakeTool&) = delete;

    void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
    // The arguments of each call, a line each.
    std::string calls() const { return RealDisk().read(folder_.path() / "calls").value_or(""); }

private:
    process::ScratchFolder folder_;
};

}  // namespace optiml::workers
