; A large struct that is passed by value and copied to local memory, byte by byte.
; Reading a parameter is an access only where it is indexed, as here.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-access>' %s | FileCheck %s

; CHECK:      kernel copy
; CHECK-NEXT:   b1 load 1 B constant arg0 + i0
; CHECK-NEXT:   b1 store 1 B local %copy + i0
; CHECK-NEXT:   b2 load 8 B local %copy + 8*tid.x
; CHECK-NEXT:   b2 store 8 B global arg1 + 0
; CHECK-NOT:  {{.}}

target triple = "nvptx64-nvidia-cuda"

%struct.Large = type { [250 x i64] }

define ptx_kernel void @copy(ptr byval(%struct.Large) align 8 %from, ptr addrspace(1) %to) {
  %copy = alloca %struct.Large, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copy, ptr align 8 %from, i64 2000, i1 false)
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %element = getelementptr i64, ptr %copy, i32 %thread
  %value = load i64, ptr %element
  store i64 %value, ptr addrspace(1) %to
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
