// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LibraryCalls.h"

#include "clang/AST/DeclTemplate.h"

#include "auspex/Kernel/LaunchConfig.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace auspex;

static llvm::StringRef calleeName(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const clang::IdentifierInfo *name =
      callee ? callee->getIdentifier() : nullptr;
  return name ? name->getName() : "";
}

std::optional<LaunchCall::Kind>
LaunchCall::kindOf(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  bool takesSizes =
      name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel";
  if (takesSizes && call.getNumArgs() >= 5)
    return Sizes;
  if (name == "cudaLaunchKernelExC" && call.getNumArgs() == 3)
    return Configuration;
  if (name == "cudaLaunchKernelEx" && call.getNumArgs() >= 2)
    return Arguments;
  return std::nullopt;
}

static std::optional<Expr> gpuPropertyNamed(llvm::StringRef name) {
  // What CUDA documents for every GPU since compute capability 2.0.
  constexpr int64_t WarpSize = 32, MaxThreadsPerBlock = 1024,
                    SharedPerBlock = 48 << 10, RegistersPerBlock = 64 << 10;
  return llvm::StringSwitch<std::optional<Expr>>(name)
      .Cases({"multiProcessorCount", "cudaDevAttrMultiProcessorCount",
              "CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT"},
             Expr::symbol(SMCountSymbol))
      .Cases({"maxThreadsPerMultiProcessor",
              "cudaDevAttrMaxThreadsPerMultiProcessor",
              "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR"},
             Expr::symbol(MaxThreadsPerSMSymbol))
      .Cases({"maxThreadsPerBlock", "cudaDevAttrMaxThreadsPerBlock",
              "CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK"},
             Expr(MaxThreadsPerBlock))
      .Cases({"sharedMemPerBlock", "cudaDevAttrMaxSharedMemoryPerBlock",
              "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK"},
             Expr(SharedPerBlock))
      // Since 3.5, but for 5.3 and 6.2.
      .Cases({"regsPerBlock", "cudaDevAttrMaxRegistersPerBlock",
              "CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK"},
             Expr(RegistersPerBlock))
      .Cases(
          {"warpSize", "cudaDevAttrWarpSize", "CU_DEVICE_ATTRIBUTE_WARP_SIZE"},
          Expr(WarpSize))
      .Default(std::nullopt);
}

std::optional<Expr> auspex::gpuProperty(const clang::FieldDecl &member,
                                        uint64_t element) {
  if (!member.getIdentifier() ||
      member.getParent()->getName() != "cudaDeviceProp" || element > 2)
    return std::nullopt;
  LaunchLimits limits;
  return llvm::StringSwitch<std::optional<Expr>>(member.getName())
      .Case("maxGridSize", Expr(limits.grid[element]))
      .Case("maxThreadsDim", Expr(limits.block[element]))
      .Default(std::nullopt);
}

std::optional<Expr> auspex::gpuProperty(const clang::FieldDecl &member) {
  const clang::IdentifierInfo *name = member.getIdentifier();
  return name && member.getParent()->getName() == "cudaDeviceProp"
             ? gpuPropertyNamed(name->getName())
             : std::nullopt;
}

std::optional<Expr> auspex::gpuProperty(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  if ((name != "cudaDeviceGetAttribute" && name != "cuDeviceGetAttribute") ||
      call.getNumArgs() != 3)
    return std::nullopt;
  auto *attribute =
      llvm::dyn_cast<clang::DeclRefExpr>(call.getArg(1)->IgnoreParenImpCasts());
  return attribute ? gpuPropertyNamed(attribute->getDecl()->getName())
                   : std::nullopt;
}

const clang::Expr *auspex::addressed(const clang::Expr *address) {
  auto *taken =
      llvm::dyn_cast<clang::UnaryOperator>(address->IgnoreParenCasts());
  return taken && taken->getOpcode() == clang::UO_AddrOf
             ? taken->getSubExpr()->IgnoreParens()
             : nullptr;
}

const clang::Expr *auspex::objectAt(const clang::Expr *address) {
  if (const clang::Expr *object = addressed(address))
    return object;
  address = address->IgnoreParenCasts();
  return address->getType()->isConstantArrayType() ? address : nullptr;
}

/// The constant of an enumeration that \p expr names; empty if it is none.
static llvm::StringRef nameOfConstant(const clang::Expr &expr) {
  auto *mention =
      llvm::dyn_cast<clang::DeclRefExpr>(expr.IgnoreParenImpCasts());
  return mention && llvm::isa<clang::EnumConstantDecl>(mention->getDecl())
             ? mention->getDecl()->getName()
             : llvm::StringRef();
}

llvm::SmallVector<const clang::Expr *, 1>
auspex::addressesRead(const clang::CallExpr &call) {
  llvm::SmallVector<const clang::Expr *, 1> addresses;
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!calleeName(call).starts_with("cudaMemcpy") ||
      !callee->getASTContext().getSourceManager().isInSystemHeader(
          callee->getLocation()))
    return addresses;
  for (const clang::ParmVarDecl *parameter : callee->parameters()) {
    unsigned number = parameter->getFunctionScopeIndex();
    bool isRead = parameter->getType()->isPointerType() &&
                  parameter->getType()->getPointeeType().isConstQualified();
    if (isRead && number < call.getNumArgs())
      addresses.push_back(call.getArg(number));
  }
  return addresses;
}

std::optional<DeviceCopy> auspex::deviceCopy(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  name.consume_back("Async");
  if (call.getNumArgs() < 3)
    return std::nullopt;
  const clang::Expr *to = call.getArg(0), *from = call.getArg(1);
  DeviceCopy copy;
  copy.bytes = call.getArg(2);
  if (name == "cudaMemset")
    copy.onDevice = {to};
  else if (name != "cudaMemcpy" || call.getNumArgs() < 4)
    return std::nullopt;
  else if (llvm::StringRef kind = nameOfConstant(*call.getArg(3));
           kind == "cudaMemcpyDeviceToDevice")
    copy.onDevice = {to, from};
  else if (kind == "cudaMemcpyDeviceToHost")
    copy = {{from}, to, copy.bytes};
  else
    return std::nullopt;
  return copy;
}

/// Whether objects of \p a and \p b hold the same, as far as both go.
static bool isAlike(clang::QualType a, clang::QualType b) {
  auto part = [](clang::QualType type) {
    const clang::ArrayType *array = type->getAsArrayTypeUnsafe();
    return (array ? array->getElementType() : type)
        .getCanonicalType()
        .getUnqualifiedType();
  };
  return a->isConstantArrayType() == b->isConstantArrayType() &&
         part(a) == part(b);
}

std::optional<SymbolCopy> auspex::symbolCopy(const clang::CallExpr &call) {
  constexpr unsigned Symbol = 0, Source = 1, Size = 2, Offset = 3;
  llvm::StringRef name = calleeName(call);
  if ((name != "cudaMemcpyToSymbol" && name != "cudaMemcpyToSymbolAsync") ||
      call.getNumArgs() <= Size)
    return std::nullopt;
  auto isZero = [](const clang::Expr *expr) {
    auto *literal =
        llvm::dyn_cast<clang::IntegerLiteral>(expr->IgnoreParenImpCasts());
    return llvm::isa<clang::CXXDefaultArgExpr>(expr) ||
           (literal && literal->getValue().isZero());
  };
  auto *symbol = llvm::dyn_cast<clang::DeclRefExpr>(
      call.getArg(Symbol)->IgnoreParenCasts());
  bool fromBegin = call.getNumArgs() <= Offset || isZero(call.getArg(Offset));
  if (!symbol || !fromBegin)
    return std::nullopt;
  const clang::Expr *bytes = call.getArg(Size);
  const clang::Expr *address = call.getArg(Source)->IgnoreParenCasts();
  if (const clang::Expr *object = objectAt(address))
    return isAlike(object->getType(), symbol->getType())
               ? std::optional(SymbolCopy{symbol, object, bytes})
               : std::nullopt;
  clang::QualType pointee = address->getType()->getPointeeType();
  return !pointee.isNull() && isAlike(pointee, symbol->getType())
             ? std::optional(
                   SymbolCopy{symbol, address, bytes, /*isPointee=*/true})
             : std::nullopt;
}

bool auspex::isScan(const clang::CallExpr &call) {
  return calleeName(call) == "sscanf" && call.getNumArgs() >= 2;
}

bool auspex::isExtraction(const clang::CallExpr &call) {
  auto *operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  return operation && operation->getOperator() == clang::OO_GreaterGreater &&
         call.getNumArgs() == 2 &&
         call.getArg(1)->getType()->isArithmeticType() &&
         isOfLibrary(call.getDirectCallee());
}

const clang::Expr *auspex::allocatedBytes(const clang::CallExpr &call) {
  bool allocates =
      llvm::StringSwitch<bool>(calleeName(call))
          .Cases({"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                  "cudaMallocHost", "cudaHostAlloc"},
                 true)
          .Default(false);
  return allocates && call.getNumArgs() >= 2 ? call.getArg(1) : nullptr;
}

bool auspex::allocatesOnHost(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  return name == "cudaMallocHost" || name == "cudaHostAlloc";
}

const clang::Expr *auspex::addressOfHost(const clang::CallExpr &call) {
  return calleeName(call) == "cudaHostGetDevicePointer" &&
                 call.getNumArgs() >= 2
             ? call.getArg(1)
             : nullptr;
}

const clang::Expr *auspex::pitchedBytes(const clang::CallExpr &call) {
  return calleeName(call) == "cudaMallocPitch" && call.getNumArgs() == 4
             ? call.getArg(2)
             : nullptr;
}

Expr auspex::pitchOf(const Expr &bytes) {
  constexpr int64_t Alignment = 512;
  return Expr(Alignment) *
         Expr::floorDiv(bytes + Expr(Alignment - 1), Expr(Alignment));
}

const clang::Expr *auspex::kernelOfActiveBlocks(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  constexpr llvm::StringLiteral Name =
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  bool asks = name == Name || name == (Name + "WithFlags").str();
  return asks && call.getNumArgs() >= 3 ? call.getArg(1) : nullptr;
}

bool auspex::isOccupancyCall(const clang::CallExpr &call) {
  return calleeName(call) == "cudaOccupancyMaxPotentialBlockSize" &&
         call.getNumArgs() >= 3;
}

const clang::Expr *auspex::passedOn(const clang::CallExpr &call) {
  llvm::StringRef name = calleeName(call);
  bool passesOn = name == "forward" || name == "move" || name == "as_const";
  return passesOn && call.getNumArgs() == 1 &&
                 isOfLibrary(call.getDirectCallee())
             ? call.getArg(0)
             : nullptr;
}

/// In std, or in a namespace of it such as std::chrono.
static bool isInStd(const clang::Decl &decl) {
  const clang::DeclContext *space = decl.getDeclContext();
  while (space && !space->isStdNamespace())
    space = space->getParent();
  return space;
}

bool auspex::isOfLibrary(const clang::CXXRecordDecl *type) {
  return type && isInStd(*type);
}

/// The type that is made by a call of \p function; null if none is known to be.
static const clang::CXXRecordDecl *
typeMadeBy(const clang::FunctionDecl &function) {
  if (!function.getIdentifier())
    return nullptr;
  llvm::StringRef name = function.getName();
  auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const clang::TemplateArgumentList *arguments = nullptr;
  if (name == "make_unique" || name == "make_shared") {
    arguments = function.getTemplateSpecializationArgs();
  } else if (method && (name == "emplace_back" || name == "emplace_front")) {
    auto *container = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(
        method->getParent());
    arguments = container ? &container->getTemplateArgs() : nullptr;
  }
  return arguments && arguments->size() > 0 &&
                 arguments->get(0).getKind() == clang::TemplateArgument::Type
             ? arguments->get(0).getAsType()->getAsCXXRecordDecl()
             : nullptr;
}

const clang::CXXConstructorDecl *
auspex::constructorBehind(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  const clang::CXXRecordDecl *type = callee ? typeMadeBy(*callee) : nullptr;
  if (!type || !type->hasDefinition())
    return nullptr;
  bool isCopy = call.getNumArgs() == 1 &&
                call.getArg(0)->getType()->getAsCXXRecordDecl() == type;
  if (isCopy)
    return nullptr;
  const clang::CXXConstructorDecl *found = nullptr;
  for (const clang::CXXConstructorDecl *constructor : type->ctors()) {
    if (constructor->isCopyOrMoveConstructor() || constructor->isVariadic() ||
        constructor->getMinRequiredArguments() > call.getNumArgs() ||
        constructor->getNumParams() < call.getNumArgs())
      continue;
    if (found)
      return nullptr;
    found = constructor;
  }
  return found;
}

bool auspex::isList(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return type->isConstantArrayType() ||
         (isOfLibrary(record) &&
          (record->getName() == "vector" || record->getName() == "array" ||
           record->getName() == "initializer_list"));
}

bool auspex::isOfLibrary(const clang::FunctionDecl *function) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method ? isOfLibrary(method->getParent())
                : function && isInStd(*function);
}

bool auspex::isWellKnown(const clang::FunctionDecl &function) {
  const clang::SourceManager &sources =
      function.getASTContext().getSourceManager();
  return function.getBuiltinID() || isInStd(function) ||
         sources.isInSystemHeader(function.getLocation());
}
