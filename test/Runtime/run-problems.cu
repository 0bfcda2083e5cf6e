// auspex run with programs that do not end well, and wrong usage.
// RUN: %auspex_clang -g %s -o %t

// A kernel that never ends is stopped, and what ran before is told.
// RUN: not auspex run --gpu A100 --time-limit 2 -- %t endless 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: auspex: kernel {{.*}}endless
// ENDLESS: 2 launches, predicted
// ENDLESS-DAG: once {{ *}}1x1x1
// ENDLESS-DAG: endless {{ *}}3x1x1
// ENDLESS: endless was stopped: 3 of 3 blocks did not come to their end; the time is that of what ran
// ENDLESS: error: {{.*}}: stopped after 2 s
// RUN: not timeout --signal=INT 10 auspex run --gpu A100 -o %t.json -- %t endless 2>&1 | FileCheck %s --check-prefix=INTERRUPT
// INTERRUPT: endless was stopped
// INTERRUPT: error: {{.*}}: interrupted
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// JSON: "kernel": "{{.*}}endless
// JSON: "warpInstructions": {{[1-9]}}
// JSON: "unfinishedBlocks": 3

// RUN: not auspex run --gpu A100 -- %t outside 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: auspex: kernel 'outside(int*)', {{.*}}run-problems.cu:[[@LINE+39]]
// OUTSIDE: 1 launch, predicted
// OUTSIDE: error: {{.*}}: exited with 3

// A program that does not look is told all the same.
// RUN: not auspex run --gpu A100 -- %t ignored 2>&1 | FileCheck %s --check-prefix=IGNORED
// IGNORED: auspex: kernel 'outside(int*)'
// IGNORED: 1 launch, predicted
// IGNORED: error: {{.*}}: a launch failed: what is told ends there

// What ran before an assertion of the host is told.
// RUN: not auspex run --gpu A100 -- %t late 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: 1 launch, predicted
// LATE: error: {{.*}}: killed by signal 6 (Aborted){{$}}

// RUN: not auspex run --gpu A100 -- %t crash 2>&1 | FileCheck %s --check-prefix=CRASH
// CRASH: error: {{.*}} signal 11

// RUN: auspex run --gpu A100 -- %t nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: auspex run -- %t nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING-NOT: error
// NOTHING: note: the program launched no kernel
// RUN: not auspex run -- %t early 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: {{.*}}: killed by signal 4 (Illegal instruction) before it used anything of the CUDA runtime that Auspex could see

// RUN: not auspex run 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: error: run needs a program, behind '--': auspex run [options] -- ./program arguments
// RUN: not auspex run -- /nonexistent/program 2>&1 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: error: /nonexistent/program: there is no such program
// RUN: not auspex run --time-limit=-1 -- true 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: --time-limit: expected a number of seconds above 0
// RUN: not auspex run -- true 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: true: it used nothing of the CUDA runtime that Auspex could see; build it with auspex-clang++

#include <csignal>
#include <cstdlib>
#include <cstring>

__global__ void once(int *data) { data[threadIdx.x] = 1; }
__global__ void outside(int *data) { data[threadIdx.x + (1 << 24)] = 1; }
__global__ void endless(volatile int *data) {
  while (data[0] >= 0)
    data[1] = 1;
}

int main(int, char **arguments) {
  const char *what = arguments[1];
  if (!std::strcmp(what, "early"))
    std::raise(SIGILL);
  int *data;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  if (!std::strcmp(what, "nothing"))
    return 0;
  once<<<1, 32>>>(data);
  if (!std::strcmp(what, "late"))
    std::abort();
  if (!std::strcmp(what, "ignored")) {
    outside<<<1, 32>>>(data);
    return 0;
  }
  if (!std::strcmp(what, "crash"))
    std::raise(SIGSEGV);
  if (!std::strcmp(what, "outside"))
    outside<<<1, 32>>>(data);
  if (!std::strcmp(what, "endless"))
    endless<<<3, 32>>>(data);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
