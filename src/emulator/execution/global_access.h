#pragma once
// From requests to spans of pages, with bounds and alignment checked on the way.

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Fills executor.spans for the request's lanes. Lanes whose access is out of bounds or misaligned are reported and taken out of the
// request. merge_equal: neighbouring lanes at the same address share a span (loads only).
// `request.space` is global, constant or shared.
void form_spans(Executor& executor, const Operation& operation, Request& request, bool merge_equal);

}  // namespace optiml::emulator
