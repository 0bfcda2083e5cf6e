// A thread scales one element, or four side by side.
template <int Fold> __global__ void scale(float *x) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * Fold;
  for (int i = 0; i < Fold; ++i)
    x[first + i] *= 2;
}

void run(float *x) {
  scale<1><<<4096, 256>>>(x);
  scale<4><<<1024, 256>>>(x);
}
