// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory of the GPU launches and copies use.
#ifndef AUSPEX_LIB_FRONTEND_USEDMEMORY_H
#define AUSPEX_LIB_FRONTEND_USEDMEMORY_H

#include "PlaceNames.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace auspex {

/// What a launch is given, or a copy reads or writes.
struct UsedObject {
  /// What the call names it; empty where that is an expression.
  Name name;
  /// Which argument of the call it is.
  std::string symbol;
  /// At most, none if that is not known.
  std::optional<uint64_t> bytes;
};

/// By the calls that have the GPU use it.
class UsedMemory {
public:
  /// Of \p call, as it is come to on the way of number \p way.
  void note(const clang::Expr &call, unsigned way,
            llvm::ArrayRef<UsedObject> objects);

  /// Of one that the program allocates for what has \p name: the size of what
  /// this holds where exchanges leave that open.
  void noteAllocation(const Name &name, uint64_t bytes);

  /// The bytes, at most, of what \p others use and \p call does not; none if
  /// that is not known of one. An object with two names counts twice, also
  /// where the names are parameters or members and calls give them several
  /// objects.
  std::optional<uint64_t>
  bytesBeside(const clang::Expr &call,
              llvm::ArrayRef<const clang::Expr *> others) const;

private:
  /// The name, and where several objects may have it the way to the call; or
  /// the argument.
  struct Key {
    std::pair<const clang::ValueDecl *, const clang::ValueDecl *> name;
    unsigned way = 0;
    const clang::Expr *call = nullptr;
    std::string symbol = "";
    auto operator<=>(const Key &) const = default;
  };
  using Objects = std::map<Key, std::optional<uint64_t>>;
  llvm::DenseMap<const clang::Expr *, Objects> ofCalls;
  /// By the variable or member, the largest.
  llvm::DenseMap<const clang::ValueDecl *, uint64_t> allocations;
};

} // namespace auspex

#endif
