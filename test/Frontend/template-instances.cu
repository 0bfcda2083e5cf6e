// Every instance of a template states its own launches of its own kernel; the
// template itself states none.
//
// RUN: %read_launches %s 2>&1 | FileCheck %s

template <int Threads> struct Launcher {
  template <class T> __global__ static void kernel(T *data, int n) {}

  template <class T> static void run(T *data) {
    constexpr int n = 1 << 10;
    kernel<<<n / Threads, Threads, Threads * sizeof(T)>>>(data, n);
  }
};

template <class T> __global__ void k(T *data) {}

template <class T> void notInstantiated(T *data) { k<int><<<1, 1>>>(nullptr); }

// CHECK: launch _ZN8LauncherILi64EE6kernelIfEEvPT_i: grid 16x1x1, block 64x1x1, shared 256, arg1=1024 (source)
// CHECK: launch _ZN8LauncherILi128EE6kernelIdEEvPT_i: grid 8x1x1, block 128x1x1, shared 1024, arg1=1024 (source)
// CHECK-NOT: {{^}}launch
// CHECK: signature _ZN8LauncherILi64EE6kernelIfEEvPT_i: [float * data] [int n] template instance
// CHECK: arguments _ZN8LauncherILi64EE6kernelIfEEvPT_i: data n
void run(float *f, double *d) {
  Launcher<64>::run(f);
  Launcher<128>::run(d);
}
