#!/usr/bin/env bash
# clang-tidy over the sources. With arguments: only those files. Results are kept by content, so that a second run is quick.
set -euo pipefail
cd "$(dirname "$0")/.."
cache=build/tidy
mkdir -p "$cache"
files=("$@")
if [ ${#files[@]} = 0 ]; then
    # What sees clang's or the test library's headers takes a minute a file, so those are left to the compiler's warnings.
    mapfile -t files < <(git ls-files 'src/*.cpp' | grep -v '_test\.cpp$' | grep -v '^src/cuda_source/')
fi
headers=$(git ls-files 'src/*.h' .clang-tidy cmake | xargs cat | sha256sum | cut -c1-16)
check_one() {
    local file=$1 key
    key=$( { echo "$headers"; cat "$file"; } | sha256sum | cut -c1-32)
    [ -e "$cache/$key" ] && return 0
    timeout 300 clang-tidy-19 --quiet -p build/dev "$file" 2>/dev/null && touch "$cache/$key"
}
export -f check_one
export cache headers
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check_one "$1"' _
echo "clang-tidy: ${#files[@]} files clean"
