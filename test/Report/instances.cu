// Instances of a template of which there is the same to say are shown once.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100-40GB | FileCheck %s --check-prefix=TEXT
// TEXT:      {{^}}void ns::copy<float, 2>(float*, float const*)
// TEXT-NEXT: {{^}}void ns::copy<int, 2>(int*, int const*)
// TEXT-NEXT:   predicted {{.*}} for ns::copy on A100-40GB
// TEXT-NOT:  for ns::copy
// TEXT:      {{^}}void ns::copy<double, 2>(double*, double const*)
// TEXT-NEXT:   predicted {{.*}} for ns::copy<double, 2> on A100-40GB

// RUN: auspex predict %s --gpu A100-40GB --format=json | FileCheck %s --check-prefix=JSON
// JSON-COUNT-3: "demangled": "void ns::copy

// RUN: %clang_cuda_device -O2 -S %s -o /dev/null %clang_plugin \
// RUN:   -Rpass-analysis=auspex 2>&1 | FileCheck %s --check-prefix=REMARKS
// REMARKS:     remark: predicted {{.*}} for ns::copy on A100-40GB
// REMARKS-NOT: for ns::copy on
// REMARKS:     remark: predicted {{.*}} for ns::copy<double, 2> on A100-40GB

namespace ns {
template <typename T, int N> __global__ void copy(T *to, const T *from) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < N; ++k)
    to[N * i + k] = from[N * i + k];
}
} // namespace ns

template <typename T> void run(void *to, const void *from) {
  ns::copy<T, 2><<<64, 256>>>(static_cast<T *>(to),
                              static_cast<const T *>(from));
}

void runAll(void *to, const void *from) {
  run<float>(to, from);
  run<int>(to, from);
  run<double>(to, from);
}
