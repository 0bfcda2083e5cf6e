__constant__ int rows;

__global__ void rowSums(const float *in, float *out) {
  float sum = 0;
  for (int i = blockIdx.x; i < rows; i += gridDim.x)
    sum += in[i * blockDim.x + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
