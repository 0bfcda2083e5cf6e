// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Runtime.h"

using namespace auspex::cuda;

#define AUSPEX_CUDA_STUB(NAME)                                                 \
  AUSPEX_CUDA Error NAME() { return notThere(#NAME); }
#include "Stubs.def"
