#!/usr/bin/env bash
# Makes the PTX files here anew from the .cu files beside them: compile.sh [NAME...]. Needs nvcc; the tests do not.
set -euo pipefail
cd "$(dirname "$0")"
for source in ${@:-*.cu}; do
  nvcc -ptx -arch=sm_90 -lineinfo -std=c++17 "${source%.cu}.cu" -o "${source%.cu}.ptx"
done
# Places are by file name alone, wherever the sources lie.
sed -i -E 's|^(\t\.file\t[0-9]+ ")[^"]*/|\1|' ./*.ptx
