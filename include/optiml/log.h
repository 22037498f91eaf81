#pragma once
// The seam through which libraries speak: they never print. Commands decide where lines go.

#include <string_view>

namespace optiml {

enum class LogLevel { debug, info, warning };

class Log {
public:
    virtual ~Log() = default;
    virtual void write(LogLevel level, std::string_view line) = 0;
};

class SilentLog final : public Log {
public:
    void write(LogLevel, std::string_view) override {}
};

}  // namespace optiml
