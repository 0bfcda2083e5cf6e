; Unsigned comparisons of numbers that may be negative: those are the large ones.
; Two comparisons merged into one come apart again.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; 4 <= tid.x && tid.x < 12
; CHECK-LABEL: kernel merged
; CHECK:         block b1, if min([tid.x <= 11], [tid.x >= 4])
define ptx_kernel void @merged(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %moved = add i32 %thread, -4
  %inside = icmp ult i32 %moved, 8
  br i1 %inside, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; The opposite.
; CHECK-LABEL: kernel outside
; CHECK:         block b1, if max([tid.x <= 3], [tid.x >= 12])
define ptx_kernel void @outside(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %moved = add i32 %thread, -4
  %inside = icmp ugt i32 %moved, 7
  br i1 %inside, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; n < 0xfffffff0: whatever is not negative, and what is below -16.
; CHECK-LABEL: kernel below
; CHECK:         block b1, if max([arg1 >= 0], [arg1 + 17 <= 0])
define ptx_kernel void @below(ptr addrspace(1) %p, i32 %n) {
  %small = icmp ult i32 %n, -16
  br i1 %small, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; n > 0xfffffff0: -15 to -1.
; CHECK-LABEL: kernel above
; CHECK:         block b1, if min([arg1 < 0], [arg1 + 15 >= 0])
define ptx_kernel void @above(ptr addrspace(1) %p, i32 %n) {
  %large = icmp ugt i32 %n, -16
  br i1 %large, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; Indices are not negative.
; CHECK-LABEL: kernel index
; CHECK:         block b1, if [ctaid.x*ntid.x + tid.x < arg1]
define ptx_kernel void @index(ptr addrspace(1) %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %block, %threads
  %index = add i32 %before, %thread
  %inside = icmp ult i32 %index, %n
  br i1 %inside, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
