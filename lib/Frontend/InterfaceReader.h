// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the host code of this file has to do with that of others.
#ifndef AUSPEX_LIB_FRONTEND_INTERFACEREADER_H
#define AUSPEX_LIB_FRONTEND_INTERFACEREADER_H

#include "HostWays.h"
#include "MangledNames.h"
#include "auspex/Kernel/HostInterface.h"

namespace auspex {

class InterfaceReader {
public:
  InterfaceReader(const clang::ASTContext &context, const MangledNames &names,
                  Callers &callers, HostEvaluator &evaluator, HostWays &ways)
      : context(context), names(names), callers(callers), evaluator(evaluator),
        ways(ways) {}

  /// The functions on the ways to \p site are entries.
  void noteWays(const Site &site);
  /// Keeps \p call, if it is of a function that another file may define.
  void noteCall(Site call);

  /// The interface; calls are evaluated here, after the launches, which share a
  /// number of steps with them.
  HostInterface take();

private:
  const clang::ASTContext &context;
  const MangledNames &names;
  Callers &callers;
  HostEvaluator &evaluator;
  HostWays &ways;
  std::vector<Site> calls;
  HostInterface result;
  llvm::DenseSet<const clang::FunctionDecl *> entries;

  void read(const Site &site);
  void noteEntry(const clang::FunctionDecl &function);
  HostCall readCall(const clang::Expr &call, const clang::FunctionDecl &callee);
  HostArgument readArgument(const clang::Expr &argument,
                            clang::QualType parameter);
  HostValue readValue(const HostPlace &place, clang::QualType type);
};

} // namespace auspex

#endif
