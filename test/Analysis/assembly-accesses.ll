; Inline assembly that reads and writes memory: by a pointer, by an integer that
; one was made of, with a displacement, at a register that holds an operand, under
; a predicate, which is said. What is calculated in the text stays unknown.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x float] undef

; CHECK-LABEL: kernel k (
; CHECK: load_global 3, store_global 1, atomic_global 3, load_shared 1, store_shared 1, copy_async 1
; CHECK-LABEL: kernel k{{$}}
; CHECK-NEXT:    b0 load 16 B global arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 store 4 B global arg0 + 16*tid.x + 32{{$}}
; CHECK-NEXT:    b0 load 8 B shared @tile + 8*tid.x{{$}}
; CHECK-NEXT:    b0 store 4 B shared @tile + 8*tid.x - 4{{$}}
; CHECK-NEXT:    b0 atomic add 4 B global arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 atomic xchg 8 B global arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 atomic fadd 4 B global arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 store 16 B shared @tile + 8*tid.x{{$}}
; CHECK-NEXT:    b0 load 16 B global past L1 arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 load 4 B global arg0 + 16*tid.x{{$}}
; CHECK-NEXT:    b0 load 4 B global {{.*}}unknown (inline-asm)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr [16 x i8], ptr addrspace(1) %p, i32 %thread
  %generic = addrspacecast ptr addrspace(1) %own to ptr
  %base = ptrtoint ptr addrspace(3) @tile to i64
  %narrow = trunc i64 %base to i32
  %offset = mul i32 %thread, 8
  %shared = add i32 %narrow, %offset
  %a = call { float, float, float, float } asm sideeffect "ld.global.nc.L2::128B.v4.f32 {$0, $1, $2, $3}, [$4];", "=f,=f,=f,=f,l"(ptr %generic)
  call void asm sideeffect "st.global.cs.u32 [$0+32], $1;", "l,r"(ptr %generic, i32 1)
  %b = call i64 asm sideeffect "{ .reg .u64 t; cvt.u64.u32 t, $1; ld.shared.b64 $0, [t]; }", "=l,r"(i32 %shared)
  call void asm sideeffect "st.shared.f16x2 [$0 + -4], $1;", "r,r"(i32 %shared, i32 1)
  call void asm sideeffect "red.global.add.u32 [$0], $1;", "l,r"(ptr %generic, i32 1)
  %c = call i64 asm sideeffect "atom.global.exch.b64 $0, [$1], $2;", "=l,l,l"(ptr %generic, i64 1)
  call void asm sideeffect "red.global.add.noftz.f16x2 [$0], $1;", "l,r"(ptr %generic, i32 1)
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2;", "r,l,n"(i32 %shared, ptr %generic, i32 16)
  ; Committing and waiting copies nothing.
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 0)
  call void asm sideeffect "cp.async.wait_all;", ""()
  %d = call i32 asm sideeffect "{ .reg .pred q; setp.ne.b32 q, $2, 0; @q ld.global.u32 $0, [$1]; }", "=r,l,r"(ptr %generic, i32 %thread)
  %e = call i32 asm sideeffect "{ .reg .u64 t; mad.wide.u32 t, $2, 4, $1; ld.global.u32 $0, [t]; }", "=r,l,r"(ptr %generic, i32 %thread)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
