// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// For sources that include <cuda_runtime.h>: found with -idirafter, that is
/// where no toolkit has one.
#include "auspex_cuda.h"
