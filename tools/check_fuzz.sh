#!/usr/bin/env bash
# A short libFuzzer run of the targets named (default: ptx_parser, whose build is light; ./test replays all corpora anyway).
# SECONDS_EACH (default 20) a target. For a real hunt run build/sanitize/tests/fuzz/NAME_fuzz on a corpus folder of your own.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(ptx_parser)
[ -e build/sanitize/build.ninja ] || cmake --preset sanitize >/dev/null
cmake --build --preset sanitize --target "${targets[@]/%/_fuzz}" -- --quiet
for target in "${targets[@]}"; do
    corpus=$(mktemp -d)
    trap 'rm -rf "$corpus"' EXIT
    log="$corpus.log"
    echo "fuzzing $target"
    if ! "build/sanitize/tests/fuzz/${target}_fuzz" -max_total_time="${SECONDS_EACH:-20}" -timeout=10 -rss_limit_mb=3000 -print_final_stats=1 \
        -artifact_prefix=build/sanitize/ "$corpus" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
        tail -40 "$log"
        exit 1
    fi
    grep -E 'stat::number_of_executed_units' "$log"
    rm -rf "$corpus" "$log"
done
