// For nvcc comparisons of one value stay a chain, without branches where all
// they choose is a value, and a switch is a tree of branches, without a table.
// Control instructions and comparisons of each kernel's path, and what is
// fetched from constant memory:
// RUN: auspex predict %s --format=json -o %t.json --gpu A100-40GB
// RUN: %python -c "import json; \
// RUN:   [print(p['demangled'].split('(')[0], \
// RUN:    *(p['inputs']['operational']['mix'].get(c, 0) \
// RUN:      for c in ('control', 'compare', 'load_constant'))) \
// RUN:    for p in json.load(open(r'%t.json'))['predictions']]" \
// RUN:   | FileCheck %s
// CHECK-DAG: encode 1 8 0
// CHECK-DAG: isSpace 1 4 0
// CHECK-DAG: calculate 4 5 0
// CHECK-DAG: weigh {{[12][0-9]}} {{[4-9]}} 0

__global__ void encode(const char *in, unsigned char *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  char c = in[i];
  out[i] = c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : c == 'T' ? 3 : 4;
}

__global__ void isSpace(const char *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  char c = in[i];
  out[i] = c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

__global__ void calculate(const int *kinds, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int kind = kinds[i];
  float a = x[i], b = y[i], r;
  if (kind == 0)
    r = a + b;
  else if (kind == 1)
    r = a * a * b - a * b;
  else if (kind == 2)
    r = b * b * b * a - a;
  else if (kind == 3)
    r = a * a * a * a - b * b;
  else
    r = 0;
  y[i] = r;
}

__global__ void weigh(const int *kinds, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float r;
  switch (kinds[i]) {
  case 0: r = 1.5f; break;
  case 1: r = 2.25f; break;
  case 2: r = 7; break;
  case 3: r = -4; break;
  case 4: r = 3; break;
  case 5: r = 5.5f; break;
  default: r = 0;
  }
  y[i] = r;
}

int main() {
  constexpr int N = 1 << 20, Block = 256;
  char *text;
  unsigned char *codes;
  int *kinds;
  float *x, *y;
  cudaMalloc(&text, N);
  cudaMalloc(&codes, N);
  cudaMalloc(&kinds, N * sizeof(int));
  cudaMalloc(&x, N * sizeof(float));
  cudaMalloc(&y, N * sizeof(float));
  encode<<<N / Block, Block>>>(text, codes);
  isSpace<<<N / Block, Block>>>(text, kinds);
  calculate<<<N / Block, Block>>>(kinds, x, y);
  weigh<<<N / Block, Block>>>(kinds, y);
}
