#!/usr/bin/env bash
# clang-tidy over the sources, or over the files given. What was clean is remembered by content, so a second run is quick; a first one
# takes the files changed last and stops after TIDY_SECONDS (default 150), saying how many it left.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=build/tidy
mkdir -p "$cache"
files=("$@")
if [ ${#files[@]} = 0 ]; then
    # What sees clang's or the test library's headers takes a minute a file, so those are left to the compiler's warnings.
    mapfile -t files < <(git log --name-only --format= -- 'src/*.cpp' | awk '!seen[$0]++' | grep -v '_test\.cpp$' | grep -v '^src/cuda_source/' |
        while read -r file; do [ -e "$file" ] && echo "$file"; done)
fi
headers=$(git ls-files 'src/*.h' .clang-tidy cmake | xargs cat | sha256sum | cut -c1-16)
end=$(($(date +%s) + ${TIDY_SECONDS:-150}))
check_one() {
    local file=$1 key
    [ "$(date +%s)" -lt "$end" ] || { echo "$file" >>"$cache/left"; return 0; }
    key=$( { echo "$headers"; cat "$file"; } | sha256sum | cut -c1-32)
    [ -e "$cache/$key" ] && return 0
    timeout 300 clang-tidy-19 --quiet -p build/dev --extra-arg=-Wno-unknown-warning-option "$file" 2>/dev/null && touch "$cache/$key"
}
export -f check_one
export cache headers end
rm -f "$cache/left"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check_one "$1"' _
left=$( [ -e "$cache/left" ] && wc -l <"$cache/left" || echo 0)
echo "clang-tidy: $((${#files[@]} - left)) files clean, $left left for another time"
