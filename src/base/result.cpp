#include "base/result.h"

#include <fmt/format.h>

namespace optiml {

std::string Error::text() const {
    std::string place;
    if (!where.file.empty()) place = where.file + ":";
    if (where.line != 0) place += fmt::format("{}:", where.line);
    if (where.line != 0 && where.column != 0) place += fmt::format("{}:", where.column);
    if (!place.empty()) place += " ";
    return place + message + (remedy.empty() ? "" : "\n  " + remedy);
}

tl::unexpected<Error> user_error(std::string message, SourceLocation where, std::string remedy) {
    return tl::make_unexpected(Error{ErrorKind::user, std::move(message), std::move(where), std::move(remedy)});
}

tl::unexpected<Error> environment_error(std::string message, std::string remedy) {
    return tl::make_unexpected(Error{ErrorKind::environment, std::move(message), {}, std::move(remedy)});
}

tl::unexpected<Error> internal_error(std::string message) {
    return tl::make_unexpected(Error{ErrorKind::internal, std::move(message), {}, "This is a bug in OptiML."});
}

}  // namespace optiml
