; Integer operations of which the assembler makes one instruction: all of them
; since Maxwell.

; REQUIRES: plugins
; RUN: %opt_auspex -passes='print<auspex-summary>' %s | FileCheck %s
; RUN: sed 's/^\(define.*\) {/\1 "target-cpu"="sm_35" {/' %s > %t.ll
; RUN: %opt_auspex -passes='print<auspex-summary>' %t.ll \
; RUN:   | FileCheck %s --check-prefix=KEPLER

target triple = "nvptx64-nvidia-cuda"

; IADD3 takes three: four sums are two of them.
; CHECK-LABEL: kernel sums
; KEPLER-LABEL: kernel sums
; KEPLER: int_add 4, move
; CHECK: int_add 2, move
define ptx_kernel void @sums(ptr %out, i32 %a, i32 %b, i32 %c, i32 %d, i32 %e) {
  %1 = add i32 %a, %b
  %2 = sub i32 %1, %c
  %3 = add i32 %2, %d
  %4 = sub i32 %3, %e
  store i32 %4, ptr %out
  ret void
}
; What is used for itself is an instruction.
; CHECK-LABEL: kernel sums_used
; CHECK: int_add 2, move
define ptx_kernel void @sums_used(ptr %out, i32 %a, i32 %b, i32 %c) {
  %1 = add i32 %a, %b
  %2 = sub i32 %1, %c
  store i32 %1, ptr %out
  %next = getelementptr i32, ptr %out, i64 1
  store i32 %2, ptr %next
  ret void
}
; LEA shifts and adds, of 64 bits in two instructions; nothing adds two shifted
; numbers.
; CHECK-LABEL: kernel shifted
; CHECK: int_add 3, shift 1, move
define ptx_kernel void @shifted(ptr %out, i32 %a, i32 %b, i32 %c, i64 %d) {
  %1 = shl i32 %a, 3
  %2 = shl i32 %b, 5
  %3 = add i32 %1, %2
  %4 = shl i64 %d, 4
  %to = getelementptr i8, ptr %out, i64 %4
  store i32 %3, ptr %to
  ret void
}
; LOP3 takes three.
; CHECK-LABEL: kernel logic
; KEPLER-LABEL: kernel logic
; KEPLER: logic 4, move
; CHECK: logic 2, move
define ptx_kernel void @logic(ptr %out, i32 %a, i32 %b, i32 %c, i32 %d, i32 %e) {
  %1 = and i32 %a, %b
  %2 = or i32 %1, %c
  %3 = xor i32 %2, %d
  %4 = and i32 %3, %e
  store i32 %4, ptr %out
  ret void
}
; A comparison takes a condition in: of three, three instructions.
; CHECK-LABEL: kernel conditions
; CHECK: compare 4, move
; CHECK-NOT: logic
define ptx_kernel void @conditions(ptr %out, i32 %a, i32 %b, i32 %c) {
  %1 = icmp slt i32 %a, 7
  %2 = icmp slt i32 %b, %a
  %3 = icmp slt i32 %c, %b
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = zext i1 %5 to i32
  store i32 %6, ptr %out
  ret void
}
; A product of 64 bits with a number of 32 has two partial products.
; CHECK-LABEL: kernel products
; CHECK: int_add 2, int_mul 2, move
define ptx_kernel void @products(ptr %out, i64 %stride, i32 %row) {
  %next = add i32 %row, 1
  %1 = zext i32 %next to i64
  %2 = mul i64 %stride, %1
  store i64 %2, ptr %out
  ret void
}
; LOP3 compares its result with 0.
; CHECK-LABEL: kernel tested
; KEPLER-LABEL: kernel tested
; KEPLER: compare 1, logic 1, move
; CHECK: block b0
; CHECK-NEXT: logic 1, move 2, control 1
define ptx_kernel void @tested(ptr %out, i32 %a, i32 %b, float %c, float %d) {
  %1 = and i32 %a, %b
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %store, label %done
store:
  %3 = fadd float %c, %d
  store float %3, ptr %out
  br label %done
done:
  ret void
}
; R2P moves seven bits into predicates at once; the rest are the exclusive ors
; and the selections.
; CHECK-LABEL: kernel bits
; CHECK: compare 7, logic 8, move 3
define ptx_kernel void @bits(ptr %out, i32 %a, i32 %b) {
  %t0 = and i32 %a, 1
  %z0 = icmp eq i32 %t0, 0
  %x0 = xor i32 %b, 3000009
  %r0 = select i1 %z0, i32 %b, i32 %x0
  %t1 = and i32 %a, 2
  %z1 = icmp eq i32 %t1, 0
  %x1 = xor i32 %r0, 4000012
  %r1 = select i1 %z1, i32 %r0, i32 %x1
  %t2 = and i32 %a, 4
  %z2 = icmp eq i32 %t2, 0
  %x2 = xor i32 %r1, 5000015
  %r2 = select i1 %z2, i32 %r1, i32 %x2
  %t3 = and i32 %a, 8
  %z3 = icmp eq i32 %t3, 0
  %x3 = xor i32 %r2, 6000018
  %r3 = select i1 %z3, i32 %r2, i32 %x3
  %t4 = and i32 %a, 16
  %z4 = icmp eq i32 %t4, 0
  %x4 = xor i32 %r3, 7000021
  %r4 = select i1 %z4, i32 %r3, i32 %x4
  %t5 = and i32 %a, 32
  %z5 = icmp eq i32 %t5, 0
  %x5 = xor i32 %r4, 8000024
  %r5 = select i1 %z5, i32 %r4, i32 %x5
  %t6 = and i32 %a, 64
  %z6 = icmp eq i32 %t6, 0
  %x6 = xor i32 %r5, 9000027
  %r6 = select i1 %z6, i32 %r5, i32 %x6
  store i32 %r6, ptr %out
  ret void
}
; LEA.HI shifts to the right, or two numbers joined, and adds; what is taken
; away has to be shifted before.
; CHECK-LABEL: kernel shifted_right
; KEPLER-LABEL: kernel shifted_right
; KEPLER: int_add 4, shift 4, move
; CHECK: int_add 4, shift 1, move
define ptx_kernel void @shifted_right(ptr %out, i32 %a, i32 %b, i32 %c) {
  %1 = lshr i32 %a, 3
  %2 = add i32 %1, %b
  store volatile i32 %2, ptr %out
  %3 = ashr i32 %b, 3
  %4 = sub i32 %3, %c
  store volatile i32 %4, ptr %out
  %5 = call i32 @llvm.fshl.i32(i32 %c, i32 %c, i32 7)
  %6 = add i32 %5, %a
  store volatile i32 %6, ptr %out
  %7 = lshr i32 %c, 5
  %8 = sub i32 %a, %7
  store volatile i32 %8, ptr %out
  ret void
}
declare i32 @llvm.fshl.i32(i32, i32, i32)
; LOP3 does any logic of three numbers: the majority, a choice, a mask and its
; opposite. Four are two of them.
; CHECK-LABEL: kernel logic_of_three
; KEPLER-LABEL: kernel logic_of_three
; KEPLER: logic 13, move
; CHECK: logic 5, move
define ptx_kernel void @logic_of_three(ptr %out, i32 %a, i32 %b, i32 %c, i32 %d) {
  %1 = and i32 %a, %b
  %2 = and i32 %a, %c
  %3 = and i32 %b, %c
  %4 = xor i32 %1, %2
  %5 = xor i32 %4, %3
  store volatile i32 %5, ptr %out
  %6 = xor i32 %c, %d
  %7 = and i32 %6, %b
  %8 = xor i32 %7, %d
  store volatile i32 %8, ptr %out
  %9 = xor i32 %b, 65280
  %10 = xor i32 %9, -1
  %11 = or i32 %10, %d
  store volatile i32 %11, ptr %out
  %12 = or i32 %a, %d
  %13 = or i32 %b, %c
  %14 = and i32 %12, %13
  store volatile i32 %14, ptr %out
  ret void
}
