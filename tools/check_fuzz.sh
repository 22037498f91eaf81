#!/usr/bin/env bash
# A short run of every fuzz target (SECONDS_EACH, default 20). For a real hunt: build/fuzz/tests/fuzz/NAME CORPUS.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz_targets -- --quiet
for program in build/fuzz/tests/fuzz/*_fuzz; do
    name=$(basename "$program")
    corpus=$(mktemp -d)
    echo "fuzzing $name"
    "$program" -max_total_time="${SECONDS_EACH:-20}" -timeout=10 -rss_limit_mb=3000 -verbosity=0 -print_final_stats=1 \
        "$corpus" "tests/fuzz/corpus/$name" 2>&1 | grep -E 'stat::number_of_executed_units|ERROR|SUMMARY' || true
    rm -rf "$corpus"
    [ "${PIPESTATUS[0]}" = 0 ] || exit 1
done
