; Parallelism within a warp as GPUPerf defines it: instructions over groups of
; independent ones, and the memory requests from a load to its first use. The
; path holds what waits for each other.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
; {load, load, load, load} {fadd, fadd} {fadd} {store, ret}: 9 / 4. At the first
; use of the loads 4, 3, 2 and 1 requests are under way.
; CHECK-LABEL: kernel together
; CHECK: fp32 3, {{.*}}load_global 4, store_global 1
; CHECK-NEXT: ilp 2.25, mlp 2.5, longest path: fp32 2, load_global 1, store_global 1
define ptx_kernel void @together(ptr noalias %in, ptr noalias %out) {
  %p1 = getelementptr float, ptr %in, i64 32
  %p2 = getelementptr float, ptr %in, i64 64
  %p3 = getelementptr float, ptr %in, i64 96
  %a = load float, ptr %in
  %b = load float, ptr %p1
  %c = load float, ptr %p2
  %d = load float, ptr %p3
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  store float %sum, ptr %out
  ret void
}
; Each load needs the one before: {load} {load} {load} {load} {store, ret}.
; CHECK-LABEL: kernel one_by_one
; CHECK: ilp 1.2, mlp 1, longest path: load_global 4, store_global 1
define ptx_kernel void @one_by_one(ptr noalias %in, ptr noalias %out) {
  %a = load ptr, ptr %in
  %b = load ptr, ptr %a
  %c = load ptr, ptr %b
  %d = load float, ptr %c
  store float %d, ptr %out
  ret void
}
; CHECK-LABEL: kernel chain
; CHECK: ilp 1.2, mlp 1, longest path: fp32 4, store_global 1
define ptx_kernel void @chain(ptr %out, float %a) {
  %1 = fadd float %a, %a
  %2 = fadd float %1, %a
  %3 = fadd float %2, %a
  %4 = fadd float %3, %a
  store float %4, ptr %out
  ret void
}
; Seven additions, three deep: {4} {2} {1} {store, ret}.
; CHECK-LABEL: kernel tree
; CHECK: fp32 7,
; CHECK-NEXT: ilp 2.25, mlp 1, longest path: fp32 3, store_global 1
define ptx_kernel void @tree(ptr %out, float %a, float %b, float %c, float %d) {
  %1 = fadd float %a, %b
  %2 = fadd float %c, %d
  %3 = fadd float %a, %c
  %4 = fadd float %b, %d
  %5 = fadd float %1, %2
  %6 = fadd float %3, %4
  %7 = fadd float %5, %6
  store float %7, ptr %out
  ret void
}
