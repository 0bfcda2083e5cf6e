; Arithmetic in types smaller than int wraps around, and so do masks, which the
; optimiser writes as such types: the expression is a remainder. What is passed
; or read in a small type is in range.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; The mask is around the whole sum: 27 & 31 is 27, but (27 + 5) & 31 is 0.
; CHECK-LABEL: kernel mask
; CHECK-NEXT:    store 1 B global arg0 + mod(tid.x + 5, 32)
; CHECK-NEXT:    store 1 B global arg0 + mod(33*tid.x, 1024)
define ptx_kernel void @mask(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add i32 %thread, 5
  %low = and i32 %sum, 31
  call void @at(ptr addrspace(1) %p, i32 %low)
  %product = mul i32 %thread, 33
  %wide = and i32 %product, 1023
  call void @at(ptr addrspace(1) %p, i32 %wide)
  ret void
}

; (unsigned char)(3 * tid.x), (signed char)(3 * tid.x) and, of two shorts,
; (unsigned short)(70 * tid.x + 3 * ctaid.x).
; CHECK-LABEL: kernel conversions
; CHECK-NEXT:    store 1 B global arg0 + mod(3*tid.x, 256)
; CHECK-NEXT:    store 1 B global arg0 + mod(3*tid.x + 128, 256) - 128
; CHECK-NEXT:    store 1 B global arg0 + mod(3*ctaid.x + 70*tid.x, 65536)
define ptx_kernel void @conversions(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread8 = trunc i32 %thread to i8
  %product8 = mul i8 %thread8, 3
  %unsigned8 = zext i8 %product8 to i32
  call void @at(ptr addrspace(1) %p, i32 %unsigned8)
  %signed8 = sext i8 %product8 to i32
  call void @at(ptr addrspace(1) %p, i32 %signed8)
  %thread16 = trunc i32 %thread to i16
  %product16 = mul i16 %thread16, 70
  %block16 = trunc i32 %block to i16
  %offset16 = mul i16 %block16, 3
  %sum16 = add i16 %product16, %offset16
  %unsigned16 = zext i16 %sum16 to i32
  call void @at(ptr addrspace(1) %p, i32 %unsigned16)
  ret void
}

; The same as shifts to the top of a word and back.
; CHECK-LABEL: kernel shifts
; CHECK-NEXT:    store 1 B global arg0 + mod(3*tid.x, 256)
; CHECK-NEXT:    store 1 B global arg0 + mod(3*tid.x + 128, 256) - 128
; CHECK-NEXT:    store 1 B global arg0 + 4*mod(3*tid.x + 128, 256) - 512
; CHECK-NEXT:    store 1 B global arg0 + mod(arg1, 8)
define ptx_kernel void @shifts(ptr addrspace(1) %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %top = mul i32 %thread, 50331648 ; 3 << 24
  %unsigned = lshr i32 %top, 24
  call void @at(ptr addrspace(1) %p, i32 %unsigned)
  %signed = ashr i32 %top, 24
  call void @at(ptr addrspace(1) %p, i32 %signed)
  %words = ashr i32 %top, 22
  call void @at(ptr addrspace(1) %p, i32 %words)
  %topOfArgument = shl i32 %n, 29
  %low = lshr i32 %topOfArgument, 29
  call void @at(ptr addrspace(1) %p, i32 %low)
  ret void
}

; Division, comparison and minimum ask for the number, not for any number that
; leaves the same remainder: (3 * tid.x & 255) / 2, min(3 * tid.x & 255, 9).
; CHECK-LABEL: kernel uses
; CHECK-NEXT:    store 1 B global arg0 + floordiv(mod(3*tid.x, 256), 2)
; CHECK-NEXT:    store 1 B global arg0 + min(mod(3*tid.x, 256), 9)
; CHECK-NEXT:    store 1 B global arg0 + [mod(3*tid.x, 256) <= 4]
; CHECK-NEXT:    store 1 B global arg0 + [mod(3*tid.x + 128, 256) <= 132]
define ptx_kernel void @uses(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %thread8 = trunc i32 %thread to i8
  %product = mul i8 %thread8, 3
  %half = udiv i8 %product, 2
  %half32 = zext i8 %half to i32
  call void @at(ptr addrspace(1) %p, i32 %half32)
  %least = call i8 @llvm.umin.i8(i8 %product, i8 9)
  %least32 = zext i8 %least to i32
  call void @at(ptr addrspace(1) %p, i32 %least32)
  %below = icmp ult i8 %product, 5
  %below32 = zext i1 %below to i32
  call void @at(ptr addrspace(1) %p, i32 %below32)
  %signedBelow = icmp slt i8 %product, 5
  %signedBelow32 = zext i1 %signedBelow to i32
  call void @at(ptr addrspace(1) %p, i32 %signedBelow32)
  ret void
}

; A counter may be larger than the mask: i & 3 in a loop of n.
; CHECK-LABEL: kernel counter
; CHECK-NEXT:    store 1 B global arg0 + mod(i0, 4)
define ptx_kernel void @counter(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = and i32 %i, 3
  call void @at(ptr addrspace(1) %p, i32 %low)
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: kernel arguments
; CHECK-NEXT:    store 1 B global arg0 + arg1
; CHECK-NEXT:    store 1 B global arg0 + arg1
; CHECK-NEXT:    store 1 B global arg0 + arg2
; CHECK-NEXT:    store 1 B global arg0 + -arg2
; CHECK-NEXT:    store 1 B global arg0 + mod(arg1 + 1, 256)
define ptx_kernel void @arguments(ptr addrspace(1) %p, i8 %byte, i1 %bit) {
  %unsigned = zext i8 %byte to i32
  call void @at(ptr addrspace(1) %p, i32 %unsigned)
  %signed = sext i8 %byte to i32
  call void @at(ptr addrspace(1) %p, i32 %signed)
  %one = zext i1 %bit to i32
  call void @at(ptr addrspace(1) %p, i32 %one)
  %allOnes = sext i1 %bit to i32
  call void @at(ptr addrspace(1) %p, i32 %allOnes)
  %next = add i8 %byte, 1
  %next32 = zext i8 %next to i32
  call void @at(ptr addrspace(1) %p, i32 %next32)
  ret void
}

define void @at(ptr addrspace(1) %p, i32 %index) {
  %element = getelementptr i8, ptr addrspace(1) %p, i32 %index
  store i8 0, ptr addrspace(1) %element
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i8 @llvm.umin.i8(i8, i8)
