; Which case of a switch is taken is a guard as long as an expression has room
; for it. Of 65 cases that lead to one place nothing is known but that, and no
; time is spent on joining them.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s

; CHECK:      kernel few
; CHECK:        block b1, if max([arg1 == 5], [arg1 == 2])
; CHECK:        block b2, if [arg1 == 9]
; CHECK:        block b3, if min([arg1 != 9], [arg1 != 5], [arg1 != 2])
; CHECK:        block b4, if 1

; CHECK:      kernel many
; CHECK:        block b1, if [data0 != 0]
; CHECK:        block b2, if [data1 != 0]
; CHECK:        block b3, if 1
; CHECK:        data0: complex, uniform
; CHECK-NEXT:   data1: complex, uniform

; The largest numbers of a small type are negative ones.
; CHECK:      kernel small
; CHECK:        block b1, if [arg1 + 1 == 0]

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @few(ptr addrspace(1) %p, i32 %n) {
entry:
  switch i32 %n, label %other [
    i32 2, label %both
    i32 5, label %both
    i32 9, label %nine
  ]

both:
  store i32 1, ptr addrspace(1) %p
  br label %exit

nine:
  store i32 2, ptr addrspace(1) %p
  br label %exit

other:
  store i32 3, ptr addrspace(1) %p
  br label %exit

exit:
  ret void
}

define ptx_kernel void @many(ptr addrspace(1) %p, i32 %n) {
entry:
  switch i32 %n, label %other [
    i32 0, label %one
    i32 7, label %one
    i32 14, label %one
    i32 21, label %one
    i32 28, label %one
    i32 35, label %one
    i32 42, label %one
    i32 49, label %one
    i32 56, label %one
    i32 63, label %one
    i32 70, label %one
    i32 77, label %one
    i32 84, label %one
    i32 91, label %one
    i32 98, label %one
    i32 105, label %one
    i32 112, label %one
    i32 119, label %one
    i32 126, label %one
    i32 133, label %one
    i32 140, label %one
    i32 147, label %one
    i32 154, label %one
    i32 161, label %one
    i32 168, label %one
    i32 175, label %one
    i32 182, label %one
    i32 189, label %one
    i32 196, label %one
    i32 203, label %one
    i32 210, label %one
    i32 217, label %one
    i32 224, label %one
    i32 231, label %one
    i32 238, label %one
    i32 245, label %one
    i32 252, label %one
    i32 259, label %one
    i32 266, label %one
    i32 273, label %one
    i32 280, label %one
    i32 287, label %one
    i32 294, label %one
    i32 301, label %one
    i32 308, label %one
    i32 315, label %one
    i32 322, label %one
    i32 329, label %one
    i32 336, label %one
    i32 343, label %one
    i32 350, label %one
    i32 357, label %one
    i32 364, label %one
    i32 371, label %one
    i32 378, label %one
    i32 385, label %one
    i32 392, label %one
    i32 399, label %one
    i32 406, label %one
    i32 413, label %one
    i32 420, label %one
    i32 427, label %one
    i32 434, label %one
    i32 441, label %one
    i32 448, label %one
  ]

one:
  store i32 1, ptr addrspace(1) %p
  br label %exit

other:
  store i32 2, ptr addrspace(1) %p
  br label %exit

exit:
  ret void
}

define ptx_kernel void @small(ptr addrspace(1) %p, i8 %n) {
entry:
  switch i8 %n, label %exit [
    i8 255, label %last
  ]

last:
  store i32 1, ptr addrspace(1) %p
  br label %exit

exit:
  ret void
}
