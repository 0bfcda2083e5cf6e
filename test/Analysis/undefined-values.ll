; A value that nothing sets is called that.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-prediction;gpu=A100-40GB>' %s | FileCheck %s
; CHECK: the address of the store depends on a value that nothing sets

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %x) {
  %place = getelementptr float, ptr %x, i64 undef
  store float 0.0, ptr %place
  ret void
}
