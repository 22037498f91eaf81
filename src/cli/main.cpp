#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/program.h"

namespace {

// A file that is opened later must not take the place of a standard stream that the caller closed.
void open_standard_streams() {
    int descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
    if (descriptor > STDERR_FILENO) close(descriptor);
}

}  // namespace

int main(int argument_count, char** arguments) {
    open_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit then fails as on a full disk
    const int code = optiml::cli::run_program(argument_count, arguments);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fputs("error: the results cannot be written to the standard output\n", stderr);
    return code == optiml::cli::kDone ? optiml::cli::kEnvironment : code;
}
