#pragma once
// Results and errors. A failed candidate is an outcome (evaluation/evaluation.h), never one of these.

#include <cstdint>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace optiml {

enum class ErrorKind {
    user,             // wrong usage or input: exit code 2
    environment,      // something is missing on this machine: exit code 3
    faulty_original,  // the kernel to be optimised is itself wrong: exit code 4
    internal,         // our bug: exit code 70
};

// Where in the user's text something stands. Lines and columns count from 1; 0 means unknown.
struct SourceLocation {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;

    bool operator==(const SourceLocation&) const = default;
};

struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string message;
    SourceLocation where;
    std::string remedy;  // what the user can do; empty where nothing sensible is known

    // "file:line:column: message\n  remedy", leaving out what is unknown.
    std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

tl::unexpected<Error> user_error(std::string message, SourceLocation where = {}, std::string remedy = {});
tl::unexpected<Error> environment_error(std::string message, std::string remedy = {});
tl::unexpected<Error> internal_error(std::string message);

}  // namespace optiml
