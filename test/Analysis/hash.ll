; 32-bit arithmetic is taken not to wrap around, with nsw or without: indices do
; not. Products of hash functions and random number generators do, and so do
; numbers that are too large at the smallest indices: they are remainders.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: kernel index
; CHECK-NEXT:    store 1 B global arg0 + arg1*tid.x + 7
; CHECK-NEXT:    store 1 B global arg0 + arg1*tid.x + 7
; CHECK-NEXT:    store 1 B global arg0 + arg1*tid.x - 7
define ptx_kernel void @index(ptr addrspace(1) %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %safe = mul nsw i32 %thread, %n
  %safeSum = add nsw i32 %safe, 7
  %safeIndex = sext i32 %safeSum to i64
  %first = getelementptr i8, ptr addrspace(1) %p, i64 %safeIndex
  store i8 0, ptr addrspace(1) %first
  %product = mul i32 %thread, %n
  %sum = add i32 %product, 7
  %index = sext i32 %sum to i64
  %second = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 0, ptr addrspace(1) %second
  %difference = sub i32 %product, 7
  %unsigned = zext i32 %difference to i64
  %third = getelementptr i8, ptr addrspace(1) %p, i64 %unsigned
  store i8 0, ptr addrspace(1) %third
  ret void
}

; (tid.x * 2654435761) >> 20 and (tid.x * 1664525 + 1013904223) >> 16 & 1023, where
; 2654435761 is -1640531535 + 2^32. The second stays below 2^32 for all 1024 threads.
; CHECK-LABEL: kernel hash
; CHECK-NEXT:    store 1 B global arg0 + floordiv(mod(-1640531535*tid.x, 4294967296), 1048576)
; CHECK-NEXT:    store 1 B global arg0 + mod(floordiv(1664525*tid.x + 62303, 65536) + 110, 1024)
define ptx_kernel void @hash(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %product = mul i32 %thread, -1640531535
  %high = lshr i32 %product, 20
  %first = getelementptr i8, ptr addrspace(1) %p, i32 %high
  store i8 0, ptr addrspace(1) %first
  %scaled = mul i32 %thread, 1664525
  %random = add i32 %scaled, 1013904223
  %shifted = lshr i32 %random, 16
  %small = and i32 %shifted, 1023
  %second = getelementptr i8, ptr addrspace(1) %p, i32 %small
  store i8 0, ptr addrspace(1) %second
  ret void
}

; The optimiser's way to write (tid.x - 3 | n) * 16: 2^28 - 3 has the low 28 bits
; of -3.
; CHECK-LABEL: kernel demandedBits
; CHECK-NEXT:    store 1 B global arg0 + 16*mod(or(arg1, tid.x + 268435453) + 134217728, 268435456) - 2147483648
define ptx_kernel void @demandedBits(ptr addrspace(1) %p, i32 %n) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = add i32 %thread, 268435453
  %both = or i32 %before, %n
  %scaled = shl i32 %both, 4
  %index = sext i32 %scaled to i64
  %element = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 0, ptr addrspace(1) %element
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
