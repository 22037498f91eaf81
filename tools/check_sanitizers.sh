#!/usr/bin/env bash
# The unit tests under the address and undefined-behaviour sanitizers: check_sanitizers.sh [--all]. clang's own libraries are not
# instrumented, so the folders that link them (cuda_source and all above it) are left to the plain build. The emulator comes with --all:
# its tests run in 12 s, but to build it takes 8 minutes of one core.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/sanitize/build.ninja ] || cmake --preset sanitize >/dev/null
programs=(base_test process_test ptx_test search_test diagnosis_test runs_test)
[ "${1:-}" != --all ] || programs+=(emulator_test)
present=()
for program in "${programs[@]}"; do
    ninja -C build/sanitize -t query "$program" >/dev/null 2>&1 && present+=("$program")
done
cmake --build --preset sanitize --target "${present[@]}" -- --quiet
for program in "${present[@]}"; do
    echo "sanitizers: $program"
    ASAN_OPTIONS=detect_leaks=1 "build/sanitize/$program" --gtest_brief=1
done
