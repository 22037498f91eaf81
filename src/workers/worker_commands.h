#pragma once
// The commands that start workers: in the sandbox, where that works and takes nothing from them that they need.

#include <string>
#include <vector>

namespace optiml::workers {

// program: optiml.
std::vector<std::string> build_worker_command(const std::string& program);

// With the nodes of NVIDIA's devices. Not in the sandbox where hardware counters are for administrators only and we are one: in there
// nobody is.
std::vector<std::string> device_worker_command(const std::string& program, int ordinal);

// The same without a sandbox.
std::vector<std::string> plain_build_worker_command(const std::string& program);
std::vector<std::string> plain_device_worker_command(const std::string& program, int ordinal);

}  // namespace optiml::workers
