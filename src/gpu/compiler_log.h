#pragma once
// Reads what NVRTC and the ptxas inside it print.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/compiler.h"

namespace optiml::gpu {

// "kernel.cu(3): error: ..." with continuation lines joined; errors without a place get line 0. ptxas information is left out.
// options: that the compiler was given, which it does not quote where it complains of them.
std::vector<CompilerMessage> compiler_messages(std::string_view log, const std::vector<std::string>& options = {});

// The line on which a kernel declares its first shared array, else that of its name; 0: neither is there. Good for messages: it looks at
// words alone.
std::uint32_t line_of_shared_array(std::string_view source, std::string_view kernel);

// The first line that holds one of the words; 0: none does.
std::uint32_t line_of_word(std::string_view source, const std::vector<std::string>& words);

// Figures by lowered name from `--ptxas-options=-v`: registers, stack frame, spills, static shared memory.
std::map<std::string, CompiledKernel> ptxas_figures(std::string_view log);

}  // namespace optiml::gpu
