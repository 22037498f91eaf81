#pragma once
// What commands print: results on stdout, all else on stderr. On a terminal progress is one line that is rewritten.

#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"

namespace optiml::cli {

class Console final : public Log {
public:
    Console();

    void set_json(bool json) { json_ = json; }
    bool json() const { return json_; }
    void set_verbose(bool verbose) { verbose_ = verbose; }
    bool is_terminal() const { return is_terminal_; }

    // The result: text for people, or exactly one JSON object for programs.
    void result(std::string_view text);
    // A line beside the result.
    void note(std::string_view text);
    // Replaces the live line; nothing where stderr is no terminal.
    void status(std::string_view text);
    void error(const Error& error);
    void write(LogLevel level, std::string_view line) override;

private:
    void clear_status();

    bool json_ = false;
    bool verbose_ = false;
    bool is_terminal_ = false;
    bool status_shown_ = false;
};

}  // namespace optiml::cli
