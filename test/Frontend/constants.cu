// What the compiler can fold by itself is known: literals, constexpr, enumerators,
// sizeof, macros.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

constexpr int blockSize = 128;
constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
enum { Rows = 12, Columns = 8 };
enum class Mode : short { Fast = 3 };
#define THREADS (2 * 32)

__global__ void k(int n, bool flag, Mode mode, char letter, float x,
                  long long wide) {}

void run() {
  // CHECK: launch {{.*}}: grid 8x1x1, block 128x1x1, shared 0, arg0=1000, arg1=1, arg2=3, arg3=65, arg5=-5, arg4=1.0 (source) at {{.*}}constants.cu:[[#@LINE+1]]:3
  k<<<ceilDiv(1000, blockSize), blockSize>>>(1000, true, Mode::Fast, 'A', 1, -5);
  // CHECK: launch {{.*}}: grid 12x8x1, block 64x1x1, shared 512, arg0=4,
  k<<<dim3(Rows, Columns), THREADS, THREADS * sizeof(double)>>>(
      sizeof(float), false, Mode::Fast, 0, 1, 0);
}
