; Fetches from textures and reads and writes of surfaces: the object is the
; argument or the member that holds the handle, the bytes those of the components
; that are read, and of the address nothing is known.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>,print<auspex-access>' %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: understood: 0 % of accesses
; CHECK-LABEL: kernel k{{$}}
; CHECK-NEXT:    b0 load 4 B texture arg0 + unknown (texture){{$}}
; CHECK-NEXT:    b0 load 16 B texture arg1.8 + unknown (texture){{$}}
; CHECK-NEXT:    b0 load 8 B texture arg0 + unknown (texture){{$}}
; CHECK-NEXT:    b0 load 4 B texture arg2 + unknown (texture){{$}}
; CHECK-NEXT:    b0 store 8 B texture arg2 + unknown (texture){{$}}
; CHECK-NEXT:    b0 store 4 B texture ? + unknown (texture){{$}}
define ptx_kernel void @k(i64 %texture, ptr byval({ i64, i64 }) %both, i64 %surface) {
  %one = call { float, float, float, float } asm "tex.2d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,r,r"(i64 %texture, i32 1, i32 2)
  %x = extractvalue { float, float, float, float } %one, 0
  call void asm sideeffect "", "f"(float %x)
  %p = getelementptr i8, ptr %both, i64 8
  %member = load i64, ptr %p
  %all = call { i32, i32, i32, i32 } asm "tex.1d.v4.u32.f32 {$0, $1, $2, $3}, [$4, {$5}];", "=r,=r,=r,=r,l,f"(i64 %member, float 1.0)
  %a0 = extractvalue { i32, i32, i32, i32 } %all, 0
  %a1 = extractvalue { i32, i32, i32, i32 } %all, 1
  %a2 = extractvalue { i32, i32, i32, i32 } %all, 2
  %a3 = extractvalue { i32, i32, i32, i32 } %all, 3
  call void asm sideeffect "", "r,r,r,r"(i32 %a0, i32 %a1, i32 %a2, i32 %a3)
  %gathered = call { float, float, float, float } asm "tld4.r.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %texture, float 1.0, float 2.0)
  %g = extractvalue { float, float, float, float } %gathered, 1
  %h = extractvalue { float, float, float, float } %gathered, 3
  call void asm sideeffect "", "f,f"(float %g, float %h)
  %word = call i32 asm sideeffect "suld.b.2d.b32.trap {$0}, [$1, {$2, $3}];", "=r,l,r,r"(i64 %surface, i32 0, i32 0)
  call void asm sideeffect "sust.b.2d.v2.b32.zero [$0, {$1, $2}], {$3, $4};", "l,r,r,r,r"(i64 %surface, i32 0, i32 0, i32 1, i32 2)
  %other = zext i32 %word to i64
  call void asm sideeffect "sust.b.1d.b32.trap [$0, {$1}], {$2};", "l,r,r"(i64 %other, i32 0, i32 1)
  ret void
}
