// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The numbers and pointers that an object consists of.
#ifndef AUSPEX_LIB_FRONTEND_STRUCTMEMBERS_H
#define AUSPEX_LIB_FRONTEND_STRUCTMEMBERS_H

#include "WrittenVariables.h"
#include "auspex/Kernel/KernelSummary.h"

namespace auspex {

struct StructMember {
  /// Without a name where the source gives it none, and where it is the whole.
  Argument::Member member;
  clang::QualType type;
  /// From the object to the member.
  llvm::SmallVector<VariablePart, 2> parts;
};

/// Those of \p type, in members, arrays and base classes too, as far as they
/// have addresses; not what is in unions. The first ones of many.
std::vector<StructMember> membersOf(clang::QualType type,
                                    const clang::ASTContext &context);

} // namespace auspex

#endif
