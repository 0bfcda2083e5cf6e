// A loop whose constant trip count the unroll factor divides keeps one counter,
// one comparison and one branch for eight copies of its body: the code stands
// for eight iterations. The loop's other side is no branch of its own.
//
// RUN: %clang_cuda_device -O2 -S -o /dev/null %s %clang_plugin \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: FileCheck %s < %t.json
extern "C" __global__ void k(float *a) {
  float x = a[threadIdx.x];
  // CHECK: "loop": 0,
  // CHECK: {"unroll":8,"mix":{"fp32":8,"int_add":1,"compare":1,"control":1}
  for (int j = 0; j < 4096; ++j)
    x = x * x + 0.5f;
  a[threadIdx.x] = x;
}
