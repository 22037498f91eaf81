#pragma once

namespace optiml::cli {

// From now on the first ctrl-C (or SIGTERM) is only noted, so that work can end cleanly; the second ends the process as usual.
void note_interrupts();
bool interrupted();

}  // namespace optiml::cli
