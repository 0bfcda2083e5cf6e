// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorWork.h"

#include "auspex/Kernel/Matrices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;
using llvm::StringRef;

/// Time of a product of such elements over that of halves, by the rates of
/// NVIDIA's whitepapers; 0 for what are no elements. Double precision is that
/// of 8.0 and 9.0.
static double timeOverHalves(StringRef element) {
  return llvm::StringSwitch<double>(element)
      .Cases({"f16", "bf16"}, 1)
      .Case("tf32", 2)
      .Case("f64", 16)
      .Cases({"s8", "u8", "e4m3", "e5m2", "e3m2", "e2m3"}, 0.5)
      .Cases({"s4", "u4", "e2m1"}, 0.25)
      .Case("b1", 0.0625)
      .Default(0);
}

std::optional<TensorWork> auspex::tensorWork(StringRef instruction,
                                             llvm::ArrayRef<StringRef> words) {
  if (!llvm::is_contained({"mma", "wmma", "wgmma"}, instruction))
    return std::nullopt;
  if (llvm::is_contained(words, "load") || llvm::is_contained(words, "store"))
    return std::nullopt;
  MatrixShape shape;
  // Intrinsics for halves name the types of the sums alone.
  StringRef element = "f16";
  bool sumsInSingle = false, isSparse = false;
  for (StringRef word : words) {
    if (auto stated = parseMatrixShape(word))
      shape = *stated;
    else if (word == "f32")
      sumsInSingle = true;
    else if (word == "sp" || word.starts_with("sp::"))
      isSparse = true;
    else if (element == "f16" && timeOverHalves(word) > 0)
      element = word;
  }
  if (shape.m == 0)
    return std::nullopt;

  double products = double(shape.m) * shape.n * shape.k;
  // Each quarter of the warp multiplies matrices of its own.
  if (shape.k == 4 && shape.m == 8 && element == "f16")
    products *= 4;
  // The four warps of a group do it together.
  if (instruction == "wgmma")
    products /= 4;
  // Of four elements of A two are 0, and left out.
  if (isSparse)
    products /= 2;
  // Of these the intrinsics do not name the sums.
  sumsInSingle |= element == "bf16" || element == "tf32";
  return TensorWork{sumsInSingle ? InstructionClass::TensorFp32
                                 : InstructionClass::Tensor,
                    products * timeOverHalves(element) / (16 * 8 * 8)};
}
