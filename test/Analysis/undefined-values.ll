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

; What is set on one way only is that, wherever it is used.
; RUN: %opt_auspex -passes='print<auspex-access>' %s \
; RUN:   | FileCheck %s --check-prefix=WAYS
; WAYS-LABEL: kernel ways
; WAYS-NEXT:    b{{[0-9]+}} store 4 B global arg0 + 40*tid.x
define ptx_kernel void @ways(ptr addrspace(1) %x) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isFirst = icmp ult i32 %tid, 8
  br i1 %isFirst, label %set, label %join
set:
  %ten = mul nuw nsw i32 %tid, 10
  br label %join
join:
  %index = phi i32 [ %ten, %set ], [ undef, %entry ]
  br i1 %isFirst, label %use, label %done
use:
  %place = getelementptr float, ptr addrspace(1) %x, i32 %index
  store float 0.0, ptr addrspace(1) %place
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
