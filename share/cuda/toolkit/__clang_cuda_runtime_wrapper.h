// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// clang's wrapper of a toolkit with the names that programs like to define
/// (-DN=1024, -Dgrid_width=4096) put aside: nvcc includes none of the headers
/// that use them. Its "cuda.h" is the toolkit's (quoted/cuda.h).
#pragma clang system_header

#pragma push_macro("C")
#pragma push_macro("F2")
#pragma push_macro("MAT")
#pragma push_macro("N")
#pragma push_macro("T")
#pragma push_macro("U")
#pragma push_macro("V")
#pragma push_macro("X")
#pragma push_macro("X1")
#pragma push_macro("X2")
#pragma push_macro("Y")
#pragma push_macro("bias")
#pragma push_macro("grid_height")
#pragma push_macro("grid_width")
#pragma push_macro("image")
#pragma push_macro("input")
#pragma push_macro("layer")
#pragma push_macro("padding")
#pragma push_macro("pi")
#pragma push_macro("state")
#pragma push_macro("swizzle")
#undef C
#undef F2
#undef MAT
#undef N
#undef T
#undef U
#undef V
#undef X
#undef X1
#undef X2
#undef Y
#undef bias
#undef grid_height
#undef grid_width
#undef image
#undef input
#undef layer
#undef padding
#undef pi
#undef state
#undef swizzle

#define AUSPEX_IN_CLANG_WRAPPER
#include_next <__clang_cuda_runtime_wrapper.h>
#undef AUSPEX_IN_CLANG_WRAPPER

#pragma pop_macro("C")
#pragma pop_macro("F2")
#pragma pop_macro("MAT")
#pragma pop_macro("N")
#pragma pop_macro("T")
#pragma pop_macro("U")
#pragma pop_macro("V")
#pragma pop_macro("X")
#pragma pop_macro("X1")
#pragma pop_macro("X2")
#pragma pop_macro("Y")
#pragma pop_macro("bias")
#pragma pop_macro("grid_height")
#pragma pop_macro("grid_width")
#pragma pop_macro("image")
#pragma pop_macro("input")
#pragma pop_macro("layer")
#pragma pop_macro("padding")
#pragma pop_macro("pi")
#pragma pop_macro("state")
#pragma pop_macro("swizzle")
