// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that separate.cu calls.
__device__ float weigh(float distance) { return 1 / (1 + distance * distance); }
