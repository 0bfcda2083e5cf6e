// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources that include <cuda.h> for the version, or out of habit; the
// driver's interface is not there.
#include "cuda_runtime.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION CUDART_VERSION
#endif
