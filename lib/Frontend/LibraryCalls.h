// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of libraries of which is known what they do.
#ifndef AUSPEX_LIB_FRONTEND_LIBRARYCALLS_H
#define AUSPEX_LIB_FRONTEND_LIBRARYCALLS_H

#include "auspex/Expr/Expr.h"
#include "clang/AST/ExprCXX.h"

#include <optional>

namespace auspex {

/// Whether \p function is one of std, or a member of a class there. False for
/// null.
bool isOfLibrary(const clang::FunctionDecl *function);
/// Whether its name says what it does: a builtin, or a function of std or of a
/// header of the system.
bool isWellKnown(const clang::FunctionDecl &function);
/// Whether \p type is of std.
bool isOfLibrary(const clang::CXXRecordDecl *type);

/// Whether it is an array, or a container of the library that is as long as the
/// list that initialises it.
bool isList(clang::QualType type);

/// What std::forward, std::move and std::as_const pass on; null if \p call is
/// none of them.
const clang::Expr *passedOn(const clang::CallExpr &call);

/// The constructor that \p call, of the library, calls with its own arguments,
/// as std::make_unique, std::make_shared and emplace_back do, where their
/// number says which one that is. Null for other calls.
const clang::CXXConstructorDecl *constructorBehind(const clang::CallExpr &call);

/// The calls of the runtime library that launch a kernel. Null if \p call is
/// none, or has fewer arguments than it needs.
struct LaunchCall {
  enum Kind {
    /// cudaLaunchKernel, cudaLaunchCooperativeKernel: (kernel, grid, block,
    /// addresses of the arguments, shared, stream).
    Sizes,
    /// cudaLaunchKernelExC: (configuration, kernel, addresses).
    Configuration,
    /// cudaLaunchKernelEx: (configuration, kernel, arguments...).
    Arguments
  };
  static std::optional<Kind> kindOf(const clang::CallExpr &call);
  /// Which argument holds the addresses of the arguments; none for Arguments.
  static unsigned addresses(Kind kind) { return kind == Sizes ? 3 : 2; }
};

/// What the program asks the library of its GPU: the symbol of LaunchConfig.h
/// for what hangs on which GPU it is, a number for what does not. None for
/// anything else.
std::optional<Expr> gpuProperty(const clang::FieldDecl &memberOfDeviceProp);
/// The same of an element of a member that is an array.
std::optional<Expr> gpuProperty(const clang::FieldDecl &memberOfDeviceProp,
                                uint64_t element);
/// The same for a call of cudaDeviceGetAttribute or cuDeviceGetAttribute, which
/// writes it through its first argument.
std::optional<Expr> gpuProperty(const clang::CallExpr &call);

/// What is copied to a variable of the GPU, of the same type, and how many
/// bytes of it.
struct SymbolCopy {
  const clang::DeclRefExpr *symbol;
  const clang::Expr *value, *bytes;
  /// The value is a pointer to what is copied.
  bool isPointee = false;
};
/// None if \p call is none of cudaMemcpyToSymbol, or of another kind.
std::optional<SymbolCopy> symbolCopy(const clang::CallExpr &call);

/// The arguments of \p call, of the runtime library, that are addresses of what
/// it only reads.
llvm::SmallVector<const clang::Expr *, 1>
addressesRead(const clang::CallExpr &call);
/// A call of cudaMemcpy, not from the host, or of cudaMemset: what on the GPU
/// it reads and writes, what of the host it writes, null if that is nothing,
/// and how much.
struct DeviceCopy {
  llvm::SmallVector<const clang::Expr *, 2> onDevice;
  const clang::Expr *toHost = nullptr;
  const clang::Expr *bytes;
};
/// None if \p call is none of these, or its kind is not known.
std::optional<DeviceCopy> deviceCopy(const clang::CallExpr &call);

/// The object of `&object`; null if \p address is something else.
const clang::Expr *addressed(const clang::Expr *address);
/// What is at \p address, as far as it has a name: the x of `&x`, or an array.
/// Null for others.
const clang::Expr *objectAt(const clang::Expr *address);

/// The number of bytes that \p call has the library allocate, which writes
/// their address through its first argument: cudaMalloc and the like. Null if
/// it is no such call.
const clang::Expr *allocatedBytes(const clang::CallExpr &call);

/// Whether what \p call, one of those, allocates is memory of the host.
bool allocatesOnHost(const clang::CallExpr &call);
/// The address in the host's memory that \p call, of cudaHostGetDevicePointer,
/// writes the GPU's name of through its first argument. Null if it is no such
/// call.
const clang::Expr *addressOfHost(const clang::CallExpr &call);

/// How many bytes a row has at least of what \p call, of cudaMallocPitch, has
/// the library allocate, which writes the address through its first argument
/// and how far rows are apart through the second. Null if it is no such call.
const clang::Expr *pitchedBytes(const clang::CallExpr &call);
/// Rows of \p bytes are so far apart on every GPU of today.
Expr pitchOf(const Expr &bytes);

/// The kernel that \p call asks for how many of its blocks an SM has room for,
/// which is written through the first argument:
/// cudaOccupancyMaxActiveBlocksPerMultiprocessor. Null if it is no such call.
const clang::Expr *kernelOfActiveBlocks(const clang::CallExpr &call);

/// Whether \p call is of sscanf, which reads its first argument by the format
/// that is the second and writes through the others.
bool isScan(const clang::CallExpr &call);

/// Whether \p call is `stream >> x` of the library for a number x.
bool isExtraction(const clang::CallExpr &call);

/// Whether \p call is one of cudaOccupancyMaxPotentialBlockSize, which writes
/// the blocks that fill the device and the threads of a block through its first
/// two arguments.
bool isOccupancyCall(const clang::CallExpr &call);

} // namespace auspex

#endif
