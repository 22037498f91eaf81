// Any text as a task file and as an expression: it parses or is an error with a place, and what parses can be used.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "task/candidate.h"
#include "task/resolved.h"
#include "task/task.h"

using namespace optiml;
using namespace optiml::task;

namespace {

// Answers to every name, so that any 'source' key can be read.
class AnyDisk final : public Disk {
public:
    Result<std::string> read(const std::filesystem::path&) const override { return std::string(64, 'x'); }
    Status write(const std::filesystem::path&, std::string_view) override { return {}; }
    bool exists(const std::filesystem::path&) const override { return true; }
    Status check_writable(const std::filesystem::path&) const override { return {}; }
};

void require(bool condition) {
    if (!condition) std::abort();
}

void use_expression(std::string_view text) {
    const auto expression = Expression::parse(text, {"fuzz", 1, 1});
    if (!expression) return;
    const auto again = Expression::parse(expression->canonical_text());
    require(again.has_value() && *again == *expression);
    const Sizes sizes{{"n", 7}, {"m", INT64_MAX}};
    const auto value = expression->evaluate(sizes), same = again->evaluate(sizes);
    require(value.has_value() == same.has_value() && (!value || *value == *same));
}

void use_task(std::string_view text) {
    const AnyDisk disk;
    const auto task = parse_task(text, "fuzz/fuzz.toml", disk);
    if (!task) {
        require(!task.error().message.empty() && !task.error().where.file.empty() && !task.error().remedy.empty());
        return;
    }
    static_cast<void>(original_of(*task).digest());
    for (const Sizes& sizes : edge_sizes(*task, task->plan, 3)) {
        const auto plan = resolve(*task, task->plan, sizes);
        require(plan.has_value());
        for (const Argument& argument : task->arguments) {
            if (argument.role == Role::scalar || argument.role == Role::output) continue;
            const auto generator = generator_of(*task, argument, sizes, ValuePattern::declared, 0, disk);
            std::uint8_t bytes[8 * 16];
            const auto extent = argument.extent.evaluate(sizes);
            if (generator) (*generator)(0, std::min<std::uint64_t>(16, static_cast<std::uint64_t>(*extent)), bytes);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    use_expression(text);
    use_task(text);
    return 0;
}
