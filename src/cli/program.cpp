#include "cli/program.h"

#include <exception>
#include <optional>

#include "cli/command.h"
#include "cli/version.h"

namespace optiml::cli {
namespace {

constexpr const char* kExitCodes = R"(
Exit codes: 0 done, 1 the answer is no (verify), 2 wrong usage or input, 3 the machine lacks something (see optiml doctor),
4 the original kernel is faulty, 70 a bug in OptiML, 130 interrupted (the run can be resumed).)";

bool asks_for_json(int argument_count, const char* const* arguments) {
    for (int i = 1; i < argument_count; ++i) {
        if (std::string_view(arguments[i]) == "--json") return true;
    }
    return false;
}

// The first argument, where it looks like a command and is none: the parser would only say that a command is required.
std::optional<Error> unknown_command(const CLI::App& app, int argument_count, const char* const* arguments) {
    if (argument_count < 2 || arguments[1][0] == '-') return std::nullopt;
    std::string known;
    for (const CLI::App* command : app.get_subcommands({})) {
        if (command->get_name() == arguments[1]) return std::nullopt;
        known += " " + command->get_name();
    }
    return Error{ErrorKind::user, std::string("there is no command '") + arguments[1] + "'", {}, "There are:" + known};
}

int run_action(const Action& action, Console& console) {
    const Result<int> outcome = action(console);
    if (outcome) return *outcome;
    console.error(outcome.error());
    return exit_code_of(outcome.error().kind);
}

}  // namespace

int exit_code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::user: return kUsage;
        case ErrorKind::environment: return kEnvironment;
        case ErrorKind::faulty_original: return kFaultyOriginal;
        case ErrorKind::internal: return kBug;
    }
    return kBug;
}

int run_program(int argument_count, const char* const* arguments) {
    Console console;
    console.set_json(asks_for_json(argument_count, arguments));
    CLI::App app("Takes a CUDA kernel and returns a faster one: verified, profiled and explained, with or without a GPU.", "optiml");
    app.footer(kExitCodes);
    app.set_version_flag("--version", std::string("optiml ") + kVersion);
    app.require_subcommand(1);
    Action chosen;
    add_optimize(app, chosen);
    add_verify(app, chosen);
    add_profile(app, chosen);
    add_diagnose(app, chosen);
    add_explain(app, chosen);
    add_resume(app, chosen);
    add_runs(app, chosen);
    add_suite(app, chosen);
    add_doctor(app, chosen);
    add_calibrate(app, chosen);
    add_evaluate(app, chosen);
    add_worker(app, chosen);
    add_run_once(app, chosen);
    if (const auto error = unknown_command(app, argument_count, arguments)) {
        console.error(*error);
        return kUsage;
    }
    try {
        app.parse(argument_count, arguments);
        return run_action(chosen, console);
    } catch (const CLI::Success& help_or_version) {
        return app.exit(help_or_version);
    } catch (const CLI::ParseError& wrong) {
        console.error({ErrorKind::user, wrong.what(), {}, "See optiml --help, or optiml COMMAND --help."});
        return kUsage;
    } catch (const std::exception& bug) {
        console.error({ErrorKind::internal, bug.what(), {}, "This is a bug in OptiML."});
        return kBug;
    }
}

}  // namespace optiml::cli
