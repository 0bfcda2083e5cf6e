// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchReader.h"

#include "StructMembers.h"
#include "auspex/Kernel/MemoryLimits.h"
#include "clang/AST/ASTContext.h"

using namespace auspex;

static std::optional<Dim3> numbers(const std::array<Expr, 3> &sizes) {
  if (!llvm::all_of(sizes, [](const Expr &e) { return e.isConstant(); }))
    return std::nullopt;
  return Dim3{*sizes[0].constant(), *sizes[1].constant(), *sizes[2].constant()};
}

namespace {
/// Whether a parameter is one argument in the device code, and what. A complex
/// number becomes two arguments; those after it have other numbers.
enum class ParameterKind { Number, Pointer, Struct, Other, Several };
} // namespace

static ParameterKind kindOf(clang::QualType type) {
  if (type->isAnyComplexType())
    return ParameterKind::Several;
  bool isNumber =
      type->isIntegralOrEnumerationType() || type->isRealFloatingType();
  return isNumber                ? ParameterKind::Number
         : type->isPointerType() ? ParameterKind::Pointer
         : type->isRecordType()  ? ParameterKind::Struct
                                 : ParameterKind::Other;
}

/// A number that names a texture or a surface.
static bool isTexture(clang::QualType type) {
  auto *named = type->getAs<clang::TypedefType>();
  llvm::StringRef name = named ? named->getDecl()->getName() : "";
  return name == "cudaTextureObject_t" || name == "cudaSurfaceObject_t";
}

void LaunchReader::read(const clang::CUDAKernelCallExpr &call,
                        const clang::FunctionDecl &kernel,
                        LaunchConfig &launch) {
  variables.clear();
  used.clear();
  const clang::CallExpr &config = *call.getConfig();
  auto part = [&](unsigned i) {
    return i < config.getNumArgs() ? config.getArg(i) : nullptr;
  };
  readGrid(part(0), launch);
  readBlock(part(1), launch);
  readShared(part(2), launch);
  readArguments(call, /*first=*/0, kernel, launch);
  readVariables(kernel, launch);
}

void LaunchReader::read(const clang::CallExpr &call, LaunchCall::Kind kind,
                        const clang::FunctionDecl &kernel,
                        LaunchConfig &launch) {
  variables.clear();
  used.clear();
  if (kind == LaunchCall::Sizes) {
    readGrid(call.getArg(1), launch);
    readBlock(call.getArg(2), launch);
    readShared(call.getArg(4), launch);
  } else {
    readConfiguration(call.getArg(0), launch);
  }
  if (kind == LaunchCall::Arguments)
    readArguments(call, /*first=*/2, kernel, launch);
  else
    readArgumentsAt(call.getArg(LaunchCall::addresses(kind)), kernel, launch);
  readVariables(kernel, launch);
}

void LaunchReader::readGrid(const HostPlace &place, LaunchConfig &launch) {
  std::optional<std::array<Expr, 3>> sizes = evaluator.sizes(place);
  if (sizes && numbers(*sizes))
    launch.grid = {*numbers(*sizes), origin()};
  else if (sizes)
    launch.gridOfArguments = {*sizes, origin()};
  else
    launch.hangsOn = evaluator.openPart(place);
}

void LaunchReader::readBlock(const HostPlace &place, LaunchConfig &launch) {
  std::optional<std::array<Expr, 3>> sizes = evaluator.sizes(place);
  if (sizes && numbers(*sizes))
    launch.block = {*numbers(*sizes), origin()};
  else if (launch.hangsOn.empty())
    launch.hangsOn = evaluator.openPart(place);
}

/// Without an expression there is none.
void LaunchReader::readShared(const HostPlace &place, LaunchConfig &launch) {
  std::optional<int64_t> bytes = place.expr ? evaluator.integer(place) : 0;
  if (bytes && *bytes >= 0)
    launch.dynamicShared = {static_cast<uint64_t>(*bytes), origin()};
}

/// The members of a cudaLaunchConfig_t, of which the address is passed.
void LaunchReader::readConfiguration(const clang::Expr *address,
                                     LaunchConfig &launch) {
  auto *taken =
      llvm::dyn_cast<clang::UnaryOperator>(address->IgnoreParenImpCasts());
  const clang::Expr *object = taken && taken->getOpcode() == clang::UO_AddrOf
                                  ? taken->getSubExpr()->IgnoreParens()
                                  : nullptr;
  const clang::RecordDecl *record =
      object ? object->getType()->getAsRecordDecl() : nullptr;
  if (!record)
    return;
  for (const clang::FieldDecl *field : record->fields()) {
    HostPlace value(object, VariablePart{field});
    if (field->getName() == "gridDim")
      readGrid(value, launch);
    else if (field->getName() == "blockDim")
      readBlock(value, launch);
    else if (field->getName() == "dynamicSmemBytes")
      readShared(value, launch);
  }
}

void LaunchReader::readArgument(const std::string &symbol,
                                const HostPlace &place, LaunchConfig &launch) {
  if (std::optional<int64_t> value = evaluator.integer(place))
    launch.arguments[symbol] = {*value, origin()};
  if (std::optional<double> value = evaluator.floating(place))
    launch.floatArguments[symbol] = {*value, origin()};
  for (const VariableVersion &variable : evaluator.variables(place))
    variables.emplace_back(variable, Expr::symbol(symbol));
}

/// Whether the pointer at \p place is null, and what it points to.
void LaunchReader::readObject(const std::string &symbol, const HostPlace &place,
                              LaunchConfig &launch) {
  if (evaluator.integer(place) == 0)
    launch.arguments[symbol] = {0, origin()};
  if (std::optional<int64_t> bytes = evaluator.objectInBytes(place);
      bytes && *bytes > 0 && *bytes <= MostBytes)
    launch.objectsInBytes[symbol] = {static_cast<uint64_t>(*bytes), origin()};
  if (evaluator.isInHostMemory(place))
    launch.inHostMemory.insert(symbol);
  noteUse(symbol, place);
}

/// `p` of `p + 4` and of `&p[4]`.
static const clang::Expr *beginOf(const clang::Expr *address) {
  address = address->IgnoreParenCasts();
  if (auto *sum = llvm::dyn_cast<clang::BinaryOperator>(address);
      sum && sum->isAdditiveOp())
    return beginOf(sum->getLHS()->getType()->isPointerType() ? sum->getLHS()
                                                             : sum->getRHS());
  auto *element =
      llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(addressed(address));
  return element ? beginOf(element->getBase()) : address;
}

/// The pointer at \p place is an argument of the launch.
void LaunchReader::noteUse(const std::string &symbol, const HostPlace &place) {
  HostPlace begin = place;
  UsedObject object{{}, symbol, std::nullopt};
  if (place.parts.empty()) {
    begin.expr = beginOf(place.expr);
    object.name = namedBy(begin.expr, nullptr);
  } else if (place.parts.size() == 1 && place.parts[0].member) {
    const clang::ValueDecl *whole = objectNamedBy(place.expr);
    if (whole && !place.parts[0].inner)
      object.name = {whole, place.parts[0].member};
  }
  if (std::optional<int64_t> bytes = evaluator.objectInBytes(begin);
      bytes && *bytes >= 0)
    object.bytes = *bytes;
  else if (evaluator.integer(place) == 0)
    object.bytes = 0;
  used.push_back(std::move(object));
}

std::vector<UsedObject> LaunchReader::usedBy(const DeviceCopy &copy) {
  std::vector<UsedObject> result;
  std::optional<int64_t> bytes = evaluator.integer(copy.bytes);
  for (auto [number, address] : llvm::enumerate(copy.onDevice)) {
    UsedObject &object = result.emplace_back();
    object.name = namedBy(beginOf(address), nullptr);
    object.symbol = std::to_string(number);
    if (bytes && *bytes >= 0)
      object.bytes = *bytes;
  }
  return result;
}

/// The numbers and pointers in \p object, which is the argument or variable \p
/// root.
void LaunchReader::readMembers(const std::string &root, clang::QualType type,
                               const clang::Expr *object,
                               LaunchConfig &launch) {
  for (const StructMember &one : membersOf(type, context)) {
    std::string symbol = root + "." + std::to_string(one.member.byte);
    HostPlace place(object, one.parts);
    if (one.member.kind != Argument::Kind::Pointer)
      readArgument(symbol, place, launch);
    else if (one.type->isPointerType())
      readObject(symbol, place, launch);
  }
}

/// What is in the variables of the GPU that \p kernel reads.
void LaunchReader::readVariables(const clang::FunctionDecl &kernel,
                                 LaunchConfig &launch) {
  std::vector<std::pair<VariableVersion, Expr>> ofArguments = variables;
  for (const clang::DeclRefExpr *mention :
       deviceVariables.mentionedBy(kernel)) {
    std::string symbol =
        "@" + names.of(llvm::cast<clang::VarDecl>(mention->getDecl()));
    readMembers(symbol, mention->getType(), mention, launch);
    if (mention->getType()->isArrayType())
      used.push_back(
          {namedBy(mention, nullptr), symbol,
           context.getTypeSizeInChars(mention->getType()).getQuantity()});
  }
  // The grid hangs on what the kernel is given.
  variables = std::move(ofArguments);
}

/// \p value gives the expression for a parameter of a type, or null.
void LaunchReader::readArguments(
    const clang::FunctionDecl &kernel, LaunchConfig &launch,
    llvm::function_ref<const clang::Expr *(unsigned, clang::QualType)> value) {
  for (unsigned i = 0; i < kernel.getNumParams(); ++i) {
    clang::QualType type = kernel.getParamDecl(i)->getType();
    ParameterKind kind = kindOf(type);
    std::string symbol = "arg" + std::to_string(i);
    bool isRead =
        kind != ParameterKind::Other && kind != ParameterKind::Several;
    const clang::Expr *expr = isRead ? value(i, type) : nullptr;
    if (isTexture(type) || (!expr && kind != ParameterKind::Number))
      used.push_back({{}, symbol, std::nullopt});
    if (kind == ParameterKind::Several)
      return;
    if (expr && kind == ParameterKind::Number)
      readArgument(symbol, expr, launch);
    else if (expr && kind == ParameterKind::Pointer)
      readObject(symbol, expr, launch);
    else if (expr)
      readMembers(symbol, type, expr, launch);
  }
}

/// The arguments of \p call from number \p first on.
void LaunchReader::readArguments(const clang::CallExpr &call, unsigned first,
                                 const clang::FunctionDecl &kernel,
                                 LaunchConfig &launch) {
  readArguments(kernel, launch, [&](unsigned i, clang::QualType) {
    return first + i < call.getNumArgs() ? call.getArg(first + i) : nullptr;
  });
}

/// The arguments whose addresses are in the array \p expr.
void LaunchReader::readArgumentsAt(const clang::Expr *expr,
                                   const clang::FunctionDecl &kernel,
                                   LaunchConfig &launch) {
  readArguments(kernel, launch, [&](unsigned i, clang::QualType type) {
    const clang::Expr *address = evaluator.elementValue(expr, i);
    return address ? variableAt(address, type) : nullptr;
  });
}

/// The variable of \p type that `&variable` leads to; null if it is none.
const clang::Expr *LaunchReader::variableAt(const clang::Expr *address,
                                            clang::QualType type) const {
  auto *variable =
      llvm::dyn_cast_or_null<clang::DeclRefExpr>(addressed(address));
  return variable && context.hasSameUnqualifiedType(variable->getType(), type)
             ? variable
             : nullptr;
}
