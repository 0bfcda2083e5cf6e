// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources that include <cuda_profiler_api.h>.
#include "cuda_runtime.h"
