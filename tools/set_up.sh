# Sourced by ./demo and ./test: installs what is missing and builds. Does nothing slow when nothing is missing.
# Debian 12 and Ubuntu 24.04, as root or with sudo.
set -euo pipefail
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$project"

packages=(
    g++ cmake ninja-build ccache pkg-config lld git python3 python3-pip
    clang-19 libclang-19-dev llvm-19-dev
    libz3-dev libzstd-dev zlib1g-dev  # what LLVM's static libraries name
    libisl-dev libexpected-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libsqlite3-dev libxxhash-dev
    libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev
)
# Only ./test needs these.
test_packages=(clang-tidy-19 libclang-rt-19-dev)

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
        echo "These need root, and there is no sudo: $*" >&2
        return 1
    fi
}

install_packages() {
    local missing=() package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return 0
    echo "Installing: ${missing[*]}"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# NVRTC, CUPTI and the CUDA headers where there is no toolkit; nvdisasm also beside toolkits that come without it.
install_cuda_compiler() {
    local home=${OPTIML_CUDA_HOME:-${CUDA_HOME:-/usr/local/cuda}} wanted=()
    if ! { compgen -G "$home/lib64/libnvrtc.so*" && [ -e "$home/include/cuda_runtime.h" ]; } >/dev/null; then
        wanted+=(nvidia-cuda-nvrtc nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl nvidia-cuda-profiler-api)
    fi
    if ! { compgen -G "$home/lib64/libnvperf_host.so*" && [ -e "$home/include/cupti_range_profiler.h" ]; } >/dev/null; then
        wanted+=(nvidia-cuda-cupti)
    fi
    [ -x "$home/bin/nvdisasm" ] || wanted+=(nvidia-cuda-nvdisasm)
    local package missing=()
    for package in "${wanted[@]}"; do
        compgen -G ".toolchain/${package//-/_}-*.dist-info" >/dev/null || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] && return 0
    echo "Bringing the CUDA compiler's packages into .toolchain: ${wanted[*]}"
    # All together, since they share a folder that pip replaces as a whole. One major version for all: the newest 13.x.
    rm -rf .toolchain
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --target .toolchain "${wanted[@]/%/>=13,<14}"
}

configure() {
    local preset=$1
    shift
    [ -e "build/$preset/build.ninja" ] || cmake --preset "$preset" "$@" >"build-$preset.log" 2>&1 || {
        cat "build-$preset.log" >&2
        return 1
    }
    rm -f "build-$preset.log"
}
