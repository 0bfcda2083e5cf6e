// A short loop in another one, of a trip count that is not known when it is
// compiled. nvcc makes four copies of a turn, and ptxas, where it can tell how
// many turns are left, a version of sixteen, one of eight and one of four, with
// tests before each. The turns that are left of four stand one after the other.
// (nvcc 11.8 for 8.0: 306, 402, 370, 530, 714 and 1538 instructions a warp.)

// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python %S/Inputs/classes.py %t.json all | FileCheck %s
// CHECK:      {{^}}rows {{29[0-9]|30[0-9]}}{{$}}
// CHECK-NEXT: {{^}}rows {{3[89][0-9]|40[0-9]}}{{$}}
// CHECK-NEXT: {{^}}rows {{3[67][0-9]}}{{$}}
// CHECK-NEXT: {{^}}rows {{5[0-3][0-9]}}{{$}}
// CHECK-NEXT: {{^}}rows {{[67][0-9][0-9]}}{{$}}
// CHECK-NEXT: {{^}}rows {{15[0-4][0-9]|14[89][0-9]}}{{$}}
__global__ void rows(const float *in, float *out, int rows, int width) {
  __shared__ float tile[2048];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < width; ++i)
      sum += tile[i * 32 + threadIdx.x] * tile[i];
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 1024);
  cudaMalloc(&out, 1024);
  rows<<<1, 32>>>(in, out, 8, 4);
  rows<<<1, 32>>>(in, out, 8, 6);
  rows<<<1, 32>>>(in, out, 8, 8);
  rows<<<1, 32>>>(in, out, 8, 16);
  rows<<<1, 32>>>(in, out, 8, 24);
  rows<<<1, 32>>>(in, out, 8, 64);
}
