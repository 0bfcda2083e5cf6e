// Classes that own memory and are moved, passed by reference; objects behind
// pointers; what the GPU says, kept in objects.

// RUN: auspex predict %s --gpu A100-40GB 2>&1 | FileCheck %s

#include <algorithm>
#include <memory>
#include <utility>

template <int number> __global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= number;
}

class Buffer {
public:
  explicit Buffer(int n) : n(n) { cudaMalloc(&values, n * sizeof(float)); }
  Buffer(Buffer &&other)
      : n(std::exchange(other.n, 0)),
        values(std::exchange(other.values, nullptr)) {}
  Buffer &operator=(Buffer &&other) {
    std::swap(n, other.n);
    std::swap(values, other.values);
    return *this;
  }
  ~Buffer() { cudaFree(values); }
  int size() const { return n; }
  float *data() { return values; }

private:
  int n;
  float *values;
};

// CHECK-DAG: for scale<1> {{.*}} grid 24x1x1 and block 256x1x1 from the source
static void run(Buffer &buffer) {
  scale<1><<<buffer.size() / 256, 256>>>(buffer.data(), buffer.size());
}

struct Problem {
  int n;
  explicit Problem(int n) : n(n) {}
};

struct Device {
  int sms, threads;
  Device() { cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0); }
  void ask() {
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
  }
};

template <class Kernel, class... Arguments>
static void launch(int grid, Kernel kernel, Arguments &&...arguments) {
  kernel<<<grid, 256>>>(std::forward<Arguments>(arguments)...);
}
static void halve(int &size) { size /= 2; }
class Task {
public:
  explicit Task(int n) : n(n), m(n) { cudaMalloc(&values, n * sizeof(float)); }
  // CHECK-DAG: predicted {{.*}} for scale<6> {{.*}} grid 20x1x1 and block 256x1x1 from the source
  void run() { launch(n / 256, scale<6>, values, n); }
  // CHECK-DAG: for scale<7> {{.*}} grid {{[0-9]+}}x1x1 assumed
  void runLess() {
    halve(m);
    launch(m / 256, scale<7>, values, m);
  }

private:
  int n, m;
  float *values;
};

int main() {
  Task task(5 << 10);
  task.run();
  task.runLess();
  Buffer buffer(6 << 10);
  run(buffer);
  auto small = std::make_unique<Problem>(2 << 10);
  Problem *large = new Problem(9 << 10);
  // CHECK-DAG: for scale<2> {{.*}} grid 8x1x1 and block 256x1x1 from the source
  scale<2><<<small->n / 256, 256>>>(buffer.data(), small->n);
  // CHECK-DAG: for scale<3> {{.*}} grid 36x1x1 and block 256x1x1 from the source
  scale<3><<<large->n / 256, 256>>>(buffer.data(), large->n);
  Device device;
  device.ask();
  // CHECK-DAG: for scale<4> {{.*}} grid 432x1x1 and block 256x1x1 from the source
  scale<4><<<device.sms * 4, device.threads / 4>>>(buffer.data(), 1 << 20);
  // CHECK-DAG: for scale<5> {{.*}} grid 24x1x1 and block 64x1x1 from the source
  scale<5><<<24, std::min({256, 64, large->n})>>>(buffer.data(), 1 << 10);
}
