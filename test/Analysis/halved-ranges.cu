// Binary searches: data choose the half, but hardly how many there are.

// REQUIRES: plugins
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-summary;json>' > %t.json
// RUN: %python %S/Inputs/halved-ranges.py < %t.json | FileCheck %s
// CHECK:      lower: 1 to 10 trips
// CHECK-NEXT: inner: 8 to 8 trips
// CHECK-NEXT: found: 1 to 11 trips
// CHECK-NEXT: textbook: 1 to 11 trips
// CHECK-NEXT: bracket: 1 to 10 trips
// CHECK-NEXT: lengths: 1 to 10 trips
// CHECK-NEXT: distance: 1 to 10 trips
// CHECK-NEXT: thirds: unknown
// CHECK-NEXT: roundedUp: 1 to 10 trips

// Between both counts the prediction gives a range.
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB;launch=_Z5lowerPKfPiif=grid:108;block:256;arg2=100>' \
// RUN:   | FileCheck %s --check-prefix=TIME
// TIME:     predicted {{.*}} ({{.*}} to {{.*}}) for lower on A100-40GB
// TIME:     open: the trip count of the loop depends on a floating-point value{{$}}

// Most searches that may end early end late: a prediction of 8 to 9 turns each.
// RUN: %clang_cuda_device -O1 -emit-llvm -S %s -o - \
// RUN:   | %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB;launch=_Z5foundPKfPiif=grid:108;block:256;arg2=256>' \
// RUN:   | FileCheck %s --check-prefix=LATE
// LATE: open: the trip count of the loop depends on {{.*}}where a search comes to its end

__global__ void lower(const float *x, int *y, int n, float v) {
  int low = 0, high = n;
  while (low < high) {
    int mid = (low + high) >> 1;
    if (x[mid] < v)
      low = mid + 1;
    else
      high = mid;
  }
  y[threadIdx.x] = low;
}

// As many steps whatever is found.
__global__ void inner(const float *x, int *y, int n, float v) {
  unsigned low = 0, high = 255;
  while (low < high) {
    unsigned mid = low + (high - low) / 2;
    if (x[mid] < v)
      low = mid + 1;
    else
      high = mid;
  }
  y[threadIdx.x] = low;
}

// It may end before.
__global__ void found(const float *x, int *y, int n, float v) {
  int low = 0, high = n - 1, at = -1;
  while (low <= high) {
    int mid = (low + high) / 2;
    if (x[mid] == v) {
      at = mid;
      break;
    }
    if (x[mid] < v)
      low = mid + 1;
    else
      high = mid - 1;
  }
  y[threadIdx.x] = at;
}

// The bounds are chosen by comparisons of which each rules the other out.
__global__ void textbook(const float *__restrict__ x, int *__restrict__ y,
                         int n, float v) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int mid = low + (high - low) / 2;
    if (x[mid] == v) {
      low = mid;
      break;
    }
    if (x[mid] < v)
      low = mid + 1;
    else
      high = mid - 1;
  }
  y[threadIdx.x] = low;
}

__global__ void bracket(const float *x, int *y, int n, float v) {
  int low = 0, high = n;
  while (high - low > 1) {
    int mid = (low + high) / 2;
    if (x[mid] < v)
      low = mid;
    else
      high = mid;
  }
  y[threadIdx.x] = low;
}

__global__ void lengths(const float *x, int *y, int n, float v) {
  const float *first = x;
  int left = n;
  while (left > 0) {
    int half = left >> 1;
    if (first[half] < v) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  y[threadIdx.x] = static_cast<int>(first - x);
}

// The length is carried beside the bounds.
__global__ void distance(const float *x, int *y, int n, float v) {
  int low = 0, high = n, length = high - low;
  while (length > 1) {
    int mid = low + length / 2;
    if (x[mid] < v)
      low = mid;
    else
      high = mid;
    length = high - low;
  }
  y[threadIdx.x] = low;
}

__global__ void thirds(const float *x, int *y, int n, float v) {
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 3;
    if (x[mid] < v)
      low = mid + 1;
    else
      high = mid;
  }
  y[threadIdx.x] = low;
}

// Nobody chooses: the larger half is left.
__global__ void roundedUp(const float *x, float *y, int n) {
  float sum = 0;
  for (int length = n; length > 1; length = (length + 1) / 2)
    sum += x[length];
  y[threadIdx.x] = sum;
}
