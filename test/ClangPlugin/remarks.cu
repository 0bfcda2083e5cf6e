// What stands on the screen, at every level of optimisation: for each kernel and
// launch a first line, then facts, then advice.
//
// DEFINE: %{compile} = %clang_cuda_device %clang_plugin -S %s -o /dev/null
// RUN: %{compile} -O1 -Rpass-analysis=auspex -Rpass-missed=auspex 2>&1 | FileCheck %s
// RUN: %{compile} -O2 -Rpass-analysis=auspex -Rpass-missed=auspex 2>&1 | FileCheck %s
// RUN: %{compile} -O3 -Rpass-analysis=auspex -Rpass-missed=auspex 2>&1 | FileCheck %s
//
// Each kind by itself.
// RUN: %{compile} -O2 -Rpass-analysis=auspex 2>&1 | FileCheck %s --check-prefix=FACTS
// RUN: %{compile} -O2 -Rpass-missed=auspex 2>&1 | FileCheck %s --check-prefix=ADVICE
// RUN: %{compile} -O2 -Rpass-analysis=inline -Rpass=auspex 2>&1 \
// RUN:   | FileCheck %s --allow-empty --check-prefix=NONE

// CHECK: remarks.cu:[[#@LINE+5]]:1: remark: predicted {{[0-9.]+ us}} for columns on A100-40GB, {{[0-9.]+ %}} of its limit ({{.*}}); occupancy 100 %, limited by warps; grid 864x1x1 and block 256x1x1 from the source (remarks.cu:[[#@LINE+9]]); 100 % of accesses understood [-Rpass-analysis=auspex]
// CHECK: remarks.cu:[[#@LINE+4]]:1: remark: 64 of 64 warps an SM in 8 blocks, limited by warps; {{[0-9]+}} registers a thread (estimated) [-Rpass-analysis=auspex]
// CHECK: remarks.cu:[[#@LINE+4]]:{{[0-9]+}}: remark: load of 4 B a lane: 4 sectors a request, the fewest for its width [-Rpass-analysis=auspex]
// CHECK: remarks.cu:[[#@LINE+3]]:{{[0-9]+}}: remark: store of 4 B a lane: 32 sectors a request, 4 if its lanes were side by side [-Rpass-analysis=auspex]
// CHECK: remarks.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: store of 4 B a lane touches 32 sectors a request where 4 would do: {{.*}} less [-Rpass-missed=auspex]
__global__ void columns(const float *in, float *out) {
  out[threadIdx.x * 1024 + blockIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
}
// CHECK-NOT: remark
void run(const float *in, float *out) { columns<<<864, 256>>>(in, out); }

// FACTS: remark: predicted
// FACTS-NOT: -Rpass-missed
// ADVICE-NOT: -Rpass-analysis
// ADVICE: [-Rpass-missed=auspex]
// NONE-NOT: remark
