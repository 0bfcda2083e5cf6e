; Unsigned constants beyond the largest signed one are no negative numbers: by
; such ones compilers and people divide.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; tid.x / 3, as the upper half of a product.
; CHECK:       kernel product
; CHECK:         block b1, if [floordiv(2863311531*tid.x, 8589934592) >= 2]
define ptx_kernel void @product(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %high = call i32 @llvm.nvvm.mulhi.ui(i32 %thread, i32 -1431655765)
  %third = lshr i32 %high, 1
  %enough = icmp ugt i32 %third, 1
  br i1 %enough, label %then, label %exit
then:
  store i8 0, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}

; CHECK:       kernel quotient
; CHECK:         arg0 + floordiv(4294967295, tid.x + 1)
define ptx_kernel void @quotient(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %divisor = add i32 %thread, 1
  %quotient = udiv i32 -1, %divisor
  %index = zext i32 %quotient to i64
  %place = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 0, ptr addrspace(1) %place
  ret void
}

; All bits but tid.x's: a negative number.
; CHECK:       kernel complement
; CHECK:         arg0 + xor(tid.x, -256)
define ptx_kernel void @complement(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bits = xor i32 %thread, -256
  %index = sext i32 %bits to i64
  %place = getelementptr i8, ptr addrspace(1) %p, i64 %index
  store i8 0, ptr addrspace(1) %place
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
