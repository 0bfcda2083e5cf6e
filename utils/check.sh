#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up, builds, and runs every test.
set -euo pipefail
. "$(dirname "$0")/setup.sh"

echo "checking the format"
git -C "$source" ls-files '*.cpp' '*.h' 'examples/*.cu' 'utils/measure/*.cu' |
  (cd "$source" && xargs clang-format-22 --dry-run --Werror)

echo "building and testing"
ninja -C "$build"
ninja -C "$build" check
