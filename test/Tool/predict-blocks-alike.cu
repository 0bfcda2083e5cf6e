// A kernel that does not ask which block it is does the same in each: half the
// threads in two blocks would do all of the work twice.
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s
// CHECK: decode
// CHECK-NOT: [block-size]

__global__ void decode(const char *text, const unsigned char *digits,
                       unsigned char *bytes, unsigned char *sums, int n) {
  for (int i = threadIdx.x; i < n / 2; i += blockDim.x)
    bytes[i] = digits[text[2 * i]] << 4 | digits[text[2 * i + 1]];
  if (threadIdx.x == 0)
    for (int i = 0; i < n / 2; ++i)
      sums[i] ^= bytes[i & 31];
}

int main() {
  constexpr int N = 512;
  char *text;
  unsigned char *digits, *bytes, *sums;
  cudaMalloc(&text, N);
  cudaMalloc(&digits, 256);
  cudaMalloc(&bytes, N / 2);
  cudaMalloc(&sums, N / 2);
  decode<<<1, 256>>>(text, digits, bytes, sums, N);
}
