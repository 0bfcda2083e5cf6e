// A kernel costs the same whatever else its file has, a kernel too of more
// instructions than passes of quadratic time are run for.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -o %t.alone.ll
// RUN: %clang_cuda_device -O2 -emit-llvm -S %s -DLARGE -o %t.beside.ll
// RUN: %opt_auspex -passes='print<auspex-summary;json>' %t.alone.ll \
// RUN:   > %t.alone.json
// RUN: %opt_auspex -passes='print<auspex-summary;json>' %t.beside.ll \
// RUN:   > %t.beside.json
// RUN: %python -c "import json, sys; \
// RUN:   one, two = (json.load(open(name))['kernels'] for name in sys.argv[1:]); \
// RUN:   assert len(two) == 2 and one[0] == two[0], 'differs'" \
// RUN:   %t.alone.json %t.beside.json

__global__ void small(const float *in, float *out, int rows, int pitch) {
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum += in[row * pitch + threadIdx.x] * in[row * (pitch + 4) + blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#ifdef LARGE
#define TEN(x) x x x x x x x x x x
__global__ void large(volatile float *out) {
  TEN(TEN(TEN(TEN(*out += 1;))))
}
#endif
