#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what is missing on Debian 12 and configures the build. demo.sh and
# check.sh source it; it leaves $source and $build behind.
set -euo pipefail

source="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${AUSPEX_BUILD:-$source/build}"

packages=(cmake ninja-build g++ ccache lld-22 llvm-22-dev llvm-22-tools
          libclang-22-dev clang-22 clang-format-22 libgtest-dev libzstd-dev
          zlib1g-dev libxml2-dev libz3-dev libisl-dev libmlir-22-dev python3)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok' ||
    missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null || {
    echo "error: LLVM 22 is not among this system's packages; see" \
         "https://apt.llvm.org for Debian 12" >&2
    exit 1
  }
fi

[ -f "$build/build.ninja" ] ||
  cmake -S "$source" -B "$build" --preset default >"${TMPDIR:-/tmp}/auspex-cmake.log" ||
  { cat "${TMPDIR:-/tmp}/auspex-cmake.log" >&2; exit 1; }
