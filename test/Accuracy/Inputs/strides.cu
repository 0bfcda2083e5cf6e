// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One load of a warp from `columns` lanes side by side, then as many `pitch`
// elements further on, and so forth; one column is a plain stride. Nothing is
// stored, so that the load is all that L1 has to do.

template <typename T>
__device__ void load(const volatile T *in, int columns, int pitch) {
  int lane = threadIdx.x;
  in[lane % columns + lane / columns * pitch];
}

__global__ void loadFloats(const float *in, int columns, int pitch) {
  load(in, columns, pitch);
}

__global__ void loadDoubles(const double *in, int columns, int pitch) {
  load(in, columns, pitch);
}
