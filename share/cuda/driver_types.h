// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources that include <driver_types.h>.
#include "cuda_runtime.h"
