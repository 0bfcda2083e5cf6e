; What is 0 in every launch leaves nothing of data: threads have no bits beyond
; those of 1023.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel masked
; CHECK-NEXT:  b0 load 4 B global arg0 + 4*tid.x
; CHECK-NEXT:  b0 store 4 B global arg0 + 0{{$}}
; CHECK-NEXT:  b0 store 4 B global arg0 + unknown (indirect)
define ptx_kernel void @masked(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %thread
  %data = load i32, ptr addrspace(1) %from
  %none = lshr i32 %thread, 10
  %zero = and i32 %data, %none
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %zero
  store i32 1, ptr addrspace(1) %to
  %some = lshr i32 %thread, 9
  %bit = and i32 %data, %some
  %open = getelementptr i32, ptr addrspace(1) %p, i32 %bit
  store i32 1, ptr addrspace(1) %open
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
