; The rows that ldmatrix and stmatrix touch, and the words of wmma.
; REQUIRES: plugins
; RUN: %opt_auspex -passes="print<auspex-access>" %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [1024 x half] undef, align 32

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3))
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.row.f16.p0(ptr)

; CHECK-LABEL: kernel rows
; CHECK-NEXT: b0 load 16 B by 16 lanes shared @tile + 32*tid.x{{$}}
; CHECK-NEXT: b0 load 16 B shared @tile + 32*tid.x{{$}}
; CHECK-NEXT: b0 store 16 B by 8 lanes shared @tile + 32*tid.x{{$}}
define ptx_kernel void @rows(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [16 x half], ptr addrspace(3) @tile, i32 %tid
  %two = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %row)
  %four = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %row)
  call void asm sideeffect "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$0], {$1};", "l,r"(ptr addrspace(3) %row, i32 0)
  %a = extractvalue { i32, i32 } %two, 0
  %b = extractvalue { i32, i32, i32, i32 } %four, 3
  %sum = add i32 %a, %b
  store i32 %sum, ptr %out
  ret void
}

; Words of neighbours in memory: halves that are not neighbours in a register
; are transposed after.
; CHECK-LABEL: kernel words
; CHECK-NEXT: b0 load 4 B global arg0 + 2*arg2*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4){{$}}
; CHECK-NEXT: b0 load 4 B global arg0 + 16*arg2 + 2*arg2*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4){{$}}
; CHECK-COUNT-2: b0 load 4 B global arg0
; CHECK-NEXT: b0 load 4 B global arg1 + 32*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4){{$}}
; CHECK-NEXT: b0 load 4 B global arg1 + 32*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4) + 256{{$}}
; CHECK-NEXT: b0 load 4 B global arg1 + 32*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4) + 16{{$}}
; CHECK-NEXT: b0 load 4 B global arg1 + 32*floordiv(mod({{.*}}, 32), 4) + 4*mod({{.*}}, 4) + 272{{$}}
; CHECK-NEXT: b0 store 4 B
define ptx_kernel void @words(ptr %a, ptr %b, i32 %stride, ptr %out) {
  %as = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %a, i32 %stride)
  %bs = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.row.f16.p0(ptr %b)
  %x = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %as, 0
  %y = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %bs, 0
  %sum = fadd <2 x half> %x, %y
  store <2 x half> %sum, ptr %out
  ret void
}
