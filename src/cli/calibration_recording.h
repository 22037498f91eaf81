#pragma once
// optiml calibrate DIR --record: the kernels of a calibration folder on a GPU, their figures into DIR/CARD.jsonl.

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/console.h"

namespace optiml::cli {

struct RecordingRequest {
    std::filesystem::path folder;  // with kernels/, and a .jsonl that says what is to be run
    std::string entries;           // that file; empty: entries.jsonl, else the card's, else the only one there is
    std::string filter;            // only entries whose id holds this text; others of the card's file stay as they are
    int ordinal = 0;
};

// Exit code: kNo where an entry failed. Errors: (user) the folder; (environment) no GPU, no counters.
Result<int> record_calibration(const RecordingRequest& request, Console& console);

}  // namespace optiml::cli
