#include "cli/interrupt.h"

#include <csignal>

namespace optiml::cli {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_signal(int) { noted = 1; }

}  // namespace

void note_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // and no SA_RESTART: a wait is cut short
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return noted != 0; }

}  // namespace optiml::cli
