#!/usr/bin/env bash
# The unit tests under the address and undefined-behaviour sanitizers. clang's own libraries are not instrumented, so the folders
# that link them (cuda_source and all above it) are left to the plain build, and so is the emulator, whose tests take too long here.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/asan/build.ninja ] || cmake --preset asan >/dev/null
programs=(base_test process_test ptx_test search_test diagnosis_test runs_test)
present=()
for program in "${programs[@]}"; do
    ninja -C build/asan -t query "$program" >/dev/null 2>&1 && present+=("$program")
done
cmake --build --preset asan --target "${present[@]}" -- --quiet
for program in "${present[@]}"; do
    echo "sanitizers: $program"
    ASAN_OPTIONS=detect_leaks=1 "build/asan/$program" --gtest_brief=1
done
