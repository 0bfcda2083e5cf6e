// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources that include <cuda_runtime.h> by themselves.
#ifdef __CUDA__
#include "auspex_cuda.h"
#else
#include "auspex_runtime.h"
#endif
