#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up, builds, and predicts a CUDA kernel: no GPU, no CUDA toolkit.
set -euo pipefail
. "$(dirname "$0")/setup.sh"

echo "building (a few minutes the first time)"
ninja -C "$build" auspex AuspexClang AuspexPasses >/dev/null

run() {
  echo
  echo "\$ $*"
  "$@"
}

export PATH="$build/bin:$PATH" CUDA_PATH=
cd "$source"

# Every launch of a file, on two GPUs.
run auspex predict examples/transpose.cu --gpu A100-40GB --gpu RTX-4090 \
  --format=table

# The same while clang compiles: remarks at the lines they are about.
run clang++-22 --config=share/cuda/without-toolkit.cfg \
  --cuda-gpu-arch=sm_80 --cuda-device-only -S -O2 \
  -fplugin="$build/lib/AuspexClang.so" \
  -Rpass-analysis=auspex -Rpass-missed=auspex \
  examples/transpose.cu -o /dev/null

# What a remark means.
run auspex explain BankConflict
