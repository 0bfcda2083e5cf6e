// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What clang's wrapper of a toolkit means by "cuda.h": the toolkit's, where a
/// program has one of its own too. To all others it is what they would find.
#pragma clang system_header

#ifdef AUSPEX_IN_CLANG_WRAPPER
#include <crt/../cuda.h>
#else
#include_next <cuda.h>
#endif
