// An instance with enumerators goes by the name that the source gives it, and
// by the numbers in its mangled name.

// REQUIRES: plugins
// RUN: auspex predict %s --gpu A100 --launch 'k<Order::Same, 3>=grid:7,block:64' \
// RUN:   --launch 'k<(ns::Order)-3,3>=grid:8,block:64' \
// RUN:   --launch 'ns::many<ns::Plain,ns::First,ns::Second>=grid:9,block:64' \
// RUN:   --launch 'inType<Box<Order::Other>>=grid:10,block:64' | FileCheck %s
// CHECK: void ns::k<(ns::Order)0, 3u>(int*)
// CHECK: grid 7x1x1 and block 64x1x1 from the command line
// CHECK: void ns::k<(ns::Order)-3, 3u>(int*)
// CHECK: grid 8x1x1 and block 64x1x1 from the command line
// CHECK: void ns::many<ns::Plain, (ns::Plain)0, (ns::Plain)1>(int*)
// CHECK: grid 9x1x1 and block 64x1x1 from the command line
// CHECK: void ns::inType<ns::Box<(ns::Order)-3>>(int*)
// CHECK: grid 10x1x1 and block 64x1x1 from the command line

// RUN: not auspex predict %s --gpu A100 --launch 'k<Order::Sane, 3>=grid:7' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: there is no kernel 'k<Order::Sane, 3>'; did you mean ns::k<ns::Order::Same, 3U>

// RUN: %clang_cuda_device %clang_plugin -O2 -S %s -o /dev/null \
// RUN:   -fplugin-arg-auspex-summary=%t.json
// RUN: FileCheck %s --check-prefix=SUMMARY < %t.json
// SUMMARY: "spelling": "ns::k<ns::Order::Same, 3U>",
// SUMMARY-NOT: "spelling": "ns::plain
namespace ns {
enum class Order { Same, Other = -3 };
enum Plain : unsigned char { First, Second };
template <Order> struct Box {};

template <Order O, unsigned N> __global__ void k(int *out) { out[N] = int(O); }
template __global__ void k<Order::Same, 3>(int *);
template __global__ void k<Order::Other, 3>(int *);
template <class T, T... Values> __global__ void many(int *out) {
  int i = 0;
  ((out[i++] = Values), ...);
}
template __global__ void many<Plain, First, Second>(int *);
template <class T> __global__ void inType(int *out) { *out = sizeof(T); }
template __global__ void inType<Box<Order::Other>>(int *);
template <int N> __global__ void plain(int *out) { *out = N; }
template __global__ void plain<2>(int *);
} // namespace ns
