// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For sources that include <device_launch_parameters.h>.
#include "cuda_runtime.h"
