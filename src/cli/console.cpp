#include "cli/console.h"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

namespace optiml::cli {
namespace {

std::size_t terminal_width() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string_view name_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::user: return "user";
        case ErrorKind::environment: return "environment";
        case ErrorKind::faulty_original: return "faulty_original";
        case ErrorKind::internal: return "internal";
    }
    return "internal";
}

}  // namespace

Console::Console() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Console::result(std::string_view text) {
    clear_status();
    fmt::print(stdout, "{}{}", text, text.ends_with('\n') ? "" : "\n");
    std::fflush(stdout);
}

void Console::note(std::string_view text) {
    clear_status();
    fmt::print(stderr, "{}\n", text);
}

void Console::status(std::string_view text) {
    if (!is_terminal_) return;
    fmt::print(stderr, "\r{}\x1b[K", text.substr(0, terminal_width() - 1));
    std::fflush(stderr);
    status_shown_ = true;
}

void Console::clear_status() {
    if (!status_shown_) return;
    fmt::print(stderr, "\r\x1b[K");
    status_shown_ = false;
}

void Console::error(const Error& error) {
    note("error: " + error.text());
    if (!json_) return;
    result(nlohmann::json{{"error",
                           {{"kind", name_of(error.kind)},
                            {"message", error.message},
                            {"file", error.where.file},
                            {"line", error.where.line},
                            {"column", error.where.column},
                            {"remedy", error.remedy}}}}
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Console::write(LogLevel level, std::string_view line) {
    if (level == LogLevel::debug && !verbose_) return;
    note(level == LogLevel::warning ? fmt::format("warning: {}", line) : std::string(line));
}

}  // namespace optiml::cli
