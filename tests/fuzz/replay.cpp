// Runs a fuzz target over the files of its corpus and small changes to each: every prefix length in steps, single bytes replaced, and
// halves swapped. Deterministic, so that a failure can be repeated; a crash or a sanitizer's report fails the test.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& text) { LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()); }

void run_with_changes(const std::string& text, std::uint64_t stream) {
    run(text);
    if (text.empty()) return;
    for (std::uint64_t i = 0; i < 40; ++i) run(text.substr(0, text.size() * i / 40));
    const std::string alphabet = "\"'[]{}=,.#\n -+*/%^()0129eE_nx\\\t\xff";
    for (std::uint64_t i = 0; i < 200; ++i) {
        std::string changed = text;
        const std::size_t at = optiml::random_bits(stream, 3 * i) % text.size();
        const char byte = alphabet[optiml::random_bits(stream, 3 * i + 1) % alphabet.size()];
        switch (optiml::random_bits(stream, 3 * i + 2) % 3) {
            case 0: changed[at] = byte; break;
            case 1: changed.insert(at, 1, byte); break;
            default: changed.erase(at, 1); break;
        }
        run(changed);
    }
    run(text.substr(text.size() / 2) + text.substr(0, text.size() / 2));
}

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int count, char** arguments) {
    std::uint64_t files = 0;
    const auto replay = [&](const std::filesystem::path& path) { run_with_changes(content_of(path), ++files); };
    for (int i = 1; i < count; ++i) {
        if (std::filesystem::is_directory(arguments[i])) {
            for (const auto& entry : std::filesystem::directory_iterator(arguments[i])) replay(entry.path());
        } else {
            replay(arguments[i]);
        }
    }
    std::printf("%llu files replayed\n", static_cast<unsigned long long>(files));
    return files == 0 ? 1 : 0;
}
