; A product and a sum are one instruction where the code allows contraction, and
; nothing else needs the product.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: kernel contracted
; CHECK: fp32 1, move 2, control 1, store_global 1{{$}}
define ptx_kernel void @contracted(ptr %out, float %a, float %b) {
  %product = fmul contract float %a, %b
  %sum = fadd contract float %product, %a
  store float %sum, ptr %out
  ret void
}
; CHECK-LABEL: kernel separate
; CHECK: fp32 2, move 2, control 1, store_global 1{{$}}
define ptx_kernel void @separate(ptr %out, float %a, float %b) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %a
  store float %sum, ptr %out
  ret void
}
; The product is computed for itself: with it and the sum, three.
; CHECK-LABEL: kernel used_twice
; CHECK: fp32 3, move 2, control 1, store_global 1{{$}}
define ptx_kernel void @used_twice(ptr %out, float %a, float %b) {
  %product = fmul contract float %a, %b
  %sum = fadd contract float %product, %a
  %other = fmul contract float %product, %sum
  store float %other, ptr %out
  ret void
}
