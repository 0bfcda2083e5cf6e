; Sine and cosine reduce large arguments on a slow path, with a table: they are
; unlikely, and whether there is a sine at all is another question.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@__cudart_i2opi_f = internal addrspace(1) constant [6 x i32] zeroinitializer

; CHECK-LABEL: kernel wave
; CHECK:         block b2, if min([data[[SMALL:[0-9]+]] == 0], [data[[ANY:[0-9]+]] != 0])
; CHECK:         divergent branch in b0: [data[[ANY]] != 0]
; CHECK:         divergent branch in b1: [data[[SMALL]] != 0]
; CHECK:         data[[ANY]]: indirect, probability 0.5{{$}}
; CHECK:         data[[SMALL]]: float, probability 1{{$}}
define ptx_kernel void @wave(ptr %x, ptr %flags) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr %flags, i32 %tid
  %flag = load i32, ptr %place
  %any = icmp sgt i32 %flag, 3
  br i1 %any, label %sine, label %done

sine:
  %at = getelementptr float, ptr %x, i32 %tid
  %value = load float, ptr %at
  %size = call float @llvm.fabs.f32(float %value)
  %isSmall = fcmp ult float %size, 1.056150e+05
  br i1 %isSmall, label %polynomial, label %slow

slow:
  %isInfinite = fcmp oeq float %size, 0x7FF0000000000000
  br i1 %isInfinite, label %polynomial, label %reduce

reduce:
  %bits = bitcast float %value to i32
  %word = and i32 %bits, 3
  %entry = getelementptr i32, ptr addrspace(1) @__cudart_i2opi_f, i32 %word
  %part = load i32, ptr addrspace(1) %entry
  %reduced = sitofp i32 %part to float
  br label %polynomial

polynomial:
  %argument = phi float [ %value, %sine ], [ %value, %slow ], [ %reduced, %reduce ]
  %result = fmul float %argument, 2.0
  store float %result, ptr %at
  br label %done

done:
  ret void
}

; The comparisons made before a loop, once for all its turns.
; CHECK-LABEL: kernel again
; CHECK:         block b2 in loop i0, if [data[[SMALL:[0-9]+]] == 0]
; CHECK:         data[[SMALL]]: float, probability 1{{$}}
define ptx_kernel void @again(ptr %x) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr %x, i32 %tid
  %value = load float, ptr %at
  %size = call float @llvm.fabs.f32(float %value)
  %isSmall = fcmp ult float %size, 1.056150e+05
  %isInfinite = fcmp oeq float %size, 0x7FF0000000000000
  %isEither = or i1 %isSmall, %isInfinite
  %isFast = freeze i1 %isEither
  br label %turn

turn:
  %i = phi i32 [ 0, %0 ], [ %next, %polynomial ]
  br i1 %isFast, label %polynomial, label %reduce

reduce:
  %bits = bitcast float %value to i32
  %word = and i32 %bits, 3
  %entry = getelementptr i32, ptr addrspace(1) @__cudart_i2opi_f, i32 %word
  %part = load i32, ptr addrspace(1) %entry
  %reduced = sitofp i32 %part to float
  br label %polynomial

polynomial:
  %argument = phi float [ %value, %turn ], [ %reduced, %reduce ]
  %result = fmul float %argument, 2.0
  store volatile float %result, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 100
  br i1 %more, label %turn, label %done

done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fabs.f32(float)
