// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the expressions of one launch say of its configuration and arguments.
#ifndef AUSPEX_LIB_FRONTEND_LAUNCHREADER_H
#define AUSPEX_LIB_FRONTEND_LAUNCHREADER_H

#include "DeviceVariables.h"
#include "HostEvaluator.h"
#include "LibraryCalls.h"
#include "MangledNames.h"
#include "UsedMemory.h"
#include "auspex/Kernel/LaunchConfig.h"

namespace auspex {

/// Reads under what the evaluator supposes. What is not known stays as it is.
class LaunchReader {
public:
  LaunchReader(const clang::ASTContext &context, HostEvaluator &evaluator,
               DeviceVariables &deviceVariables, const MangledNames &names)
      : context(context), evaluator(evaluator),
        deviceVariables(deviceVariables), names(names) {}

  /// `kernel<<<...>>>(...)`, which has a configuration.
  void read(const clang::CUDAKernelCallExpr &call,
            const clang::FunctionDecl &kernel, LaunchConfig &launch);
  /// A call of the runtime library.
  void read(const clang::CallExpr &call, LaunchCall::Kind kind,
            const clang::FunctionDecl &kernel, LaunchConfig &launch);

  /// The variables that are arguments of the launch read last, with their
  /// symbols.
  llvm::ArrayRef<std::pair<VariableVersion, Expr>> argumentVariables() const {
    return variables;
  }

  /// The memory that it is given.
  llvm::ArrayRef<UsedObject> usedObjects() const { return used; }
  /// That which \p copy reads and writes.
  std::vector<UsedObject> usedBy(const DeviceCopy &copy);

private:
  const clang::ASTContext &context;
  HostEvaluator &evaluator;
  DeviceVariables &deviceVariables;
  const MangledNames &names;
  std::vector<std::pair<VariableVersion, Expr>> variables;
  std::vector<UsedObject> used;

  LaunchOrigin origin() const {
    return evaluator.supposesNoArguments() ? LaunchOrigin::Defaults
                                           : LaunchOrigin::Source;
  }
  void readGrid(const HostPlace &place, LaunchConfig &launch);
  void readBlock(const HostPlace &place, LaunchConfig &launch);
  void readShared(const HostPlace &place, LaunchConfig &launch);
  void readConfiguration(const clang::Expr *address, LaunchConfig &launch);
  void readArgument(const std::string &symbol, const HostPlace &place,
                    LaunchConfig &launch);
  void readObject(const std::string &symbol, const HostPlace &place,
                  LaunchConfig &launch);
  void noteUse(const std::string &symbol, const HostPlace &place);
  void readMembers(const std::string &root, clang::QualType type,
                   const clang::Expr *object, LaunchConfig &launch);
  void readVariables(const clang::FunctionDecl &kernel, LaunchConfig &launch);
  void readArguments(
      const clang::FunctionDecl &kernel, LaunchConfig &launch,
      llvm::function_ref<const clang::Expr *(unsigned, clang::QualType)> value);
  void readArguments(const clang::CallExpr &call, unsigned first,
                     const clang::FunctionDecl &kernel, LaunchConfig &launch);
  void readArgumentsAt(const clang::Expr *array,
                       const clang::FunctionDecl &kernel, LaunchConfig &launch);
  const clang::Expr *variableAt(const clang::Expr *address,
                                clang::QualType type) const;
};

} // namespace auspex

#endif
