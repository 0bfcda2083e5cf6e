// Two instances of a template count as one kernel.
template <typename T> __global__ void scale(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 2;
}

void run(float *x, double *y, int n) {
  scale<<<32, 128>>>(x, n);
  scale<<<(n + 127) / 128, 128>>>(y, n);
}
