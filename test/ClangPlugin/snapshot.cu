// The snapshot is the code that the analysis saw: accesses have the summary's
// numbers, the lines of the source are there, and so are the variables that the
// host may touch. The compilation itself is the same.
//
// RUN: %clang_cuda_device %clang_plugin -O2 -c -emit-llvm %s -o %t.with.bc \
// RUN:   -fplugin-arg-auspex-snapshot=%t.bc
// RUN: %clang_cuda_device -O2 -c -emit-llvm %s -o %t.without.bc
// RUN: cmp %t.with.bc %t.without.bc
// RUN: llvm-dis %t.bc -o - | FileCheck %s
// RUN: llvm-dis %t.bc -o - | FileCheck %s --check-prefix=INLINED

// CHECK-DAG: @table = {{.*}}addrspace(4) externally_initialized
// CHECK-DAG: @counter = {{.*}}addrspace(1) externally_initialized
__constant__ float table[16];
__device__ int counter;

static __device__ __noinline__ float look(int i) { return table[i]; }

// CHECK: define {{.*}}ptx_kernel void @{{.*}}kernel
// CHECK: load float, ptr addrspace(4) {{.*}} !dbg {{.*}}, !auspex.access [[FIRST:![0-9]+]]
// CHECK: store float {{.*}} !auspex.access [[SECOND:![0-9]+]]
// CHECK: atomicrmw add {{.*}} !auspex.access [[THIRD:![0-9]+]]
// INLINED-NOT: call {{.*}}look
__global__ void kernel(float *out, int n) {
  if (threadIdx.x < n)
    out[threadIdx.x] = look(threadIdx.x);
  atomicAdd(&counter, 1);
}

// CHECK: !auspex.summaries = !{[[SUMMARIES:![0-9]+]]}
// CHECK-DAG: [[SUMMARIES]] = !{!"{\0A  \22schemaVersion\22: 1{{.*}}kernel(float*, int)
// CHECK-DAG: [[FIRST]] = !{i32 0}
// CHECK-DAG: [[SECOND]] = !{i32 1}
// CHECK-DAG: [[THIRD]] = !{i32 2}
