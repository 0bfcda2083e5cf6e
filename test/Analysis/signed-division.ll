; Signed division rounds towards 0 and the remainder has the dividend's sign, as
; in C; that is a plain floordiv and mod where the dividend cannot be negative.
; Arguments are taken to be sizes: not negative, as divisors positive.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel positive
; CHECK-NEXT:    store 1 B global arg0 + floordiv(tid.x, 12)
; CHECK-NEXT:    store 1 B global arg0 + mod(arg1 + tid.x, 32)
; CHECK-NEXT:    store 1 B global arg0 + floordiv(tid.x, arg1)
; CHECK-NEXT:    store 1 B global arg0 + -floordiv(tid.x, 4)
; CHECK-NEXT:    store 1 B global arg0 + mod(tid.x, 4)
define ptx_kernel void @positive(ptr addrspace(1) %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %quotient = sdiv i32 %thread, 12
  call void @at(ptr addrspace(1) %p, i32 %quotient)
  %sum = add i32 %thread, %n
  %remainder = srem i32 %sum, 32
  call void @at(ptr addrspace(1) %p, i32 %remainder)
  %row = sdiv i32 %thread, %n
  call void @at(ptr addrspace(1) %p, i32 %row)
  %back = sdiv i32 %thread, -4
  call void @at(ptr addrspace(1) %p, i32 %back)
  %ofBack = srem i32 %thread, -4
  call void @at(ptr addrspace(1) %p, i32 %ofBack)
  ret void
}

; For thread 0, -1 / 2 is 0: floordiv(-1 + 1, 2), where floordiv(-1, 2) is -1.
; And -1 % 4 is -1: 0 - 4 * floordiv(0 + 3 + 3, 4) + 3. Thread 1: 0 / 2 and 0 % 4.
; CHECK-LABEL: kernel negative
; CHECK-NEXT:    store 1 B global arg0 + floordiv(tid.x + [tid.x <= 0] + 1, 2) - 1
; CHECK-NEXT:    store 1 B global arg0 + tid.x - 4*floordiv(tid.x + 3*[tid.x <= 0] + 3, 4) + 3
define ptx_kernel void @negative(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = sub nsw i32 %thread, 1
  %quotient = sdiv i32 %before, 2
  call void @at(ptr addrspace(1) %p, i32 %quotient)
  %remainder = srem i32 %before, 4
  call void @at(ptr addrspace(1) %p, i32 %remainder)
  ret void
}

define void @at(ptr addrspace(1) %p, i32 %index) {
  %element = getelementptr i8, ptr addrspace(1) %p, i32 %index
  store i8 0, ptr addrspace(1) %element
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
