// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/Launches.h"

#include "AllCodeVisitor.h"
#include "HostEvaluator.h"
#include "PragmaLaunches.h"
#include "auspex/Kernel/KernelNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

namespace {

class LaunchVisitor : public AllCodeVisitor {
public:
  explicit LaunchVisitor(clang::ASTContext &context)
      : context(context), sources(context.getSourceManager()),
        mangler(context.createMangleContext()), evaluator(context) {}

  LaunchSet take() { return std::move(result); }
  std::vector<WrittenKernel> takeWrittenKernels() {
    std::vector<WrittenKernel> kernels;
    for (auto &entry : written)
      kernels.push_back(std::move(entry.second));
    return kernels;
  }

  // What a template says is said by its instances; of the template itself only
  // the place is noted.
  bool TraverseDecl(clang::Decl *declaration) override {
    auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (!function || !function->isDependentContext())
      return AllCodeVisitor::TraverseDecl(declaration);
    return VisitFunctionDecl(function);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    if (lambda->isGenericLambda())
      return traverseInstances(lambda);
    return AllCodeVisitor::TraverseLambdaExpr(lambda);
  }
  bool TraverseIfStmt(clang::IfStmt *statement) override {
    if (!statement->isConstexpr() ||
        statement->getCond()->isInstantiationDependent())
      return AllCodeVisitor::TraverseIfStmt(statement);
    std::optional<clang::Stmt *> taken =
        statement->getNondiscardedCase(context);
    if (!taken)
      return AllCodeVisitor::TraverseIfStmt(statement);
    return !*taken || TraverseStmt(*taken);
  }
  bool TraverseTypeLoc(clang::TypeLoc, bool) override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl *function) override {
    if (function->hasAttr<clang::CUDAGlobalAttr>() &&
        !function->isInvalidDecl())
      noteKernel(function);
    return true;
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) override {
    if (call->isInstantiationDependent() || call->containsErrors() ||
        !call->getConfig())
      return true;
    const clang::FunctionDecl *kernel = call->getDirectCallee();
    if (!kernel)
      kernel = evaluator.function(call->getCallee());
    SourceLocation location = sourceLocation(sources, call->getBeginLoc());
    if (kernel && kernel->hasAttr<clang::CUDAGlobalAttr>())
      noteLaunch(*call, kernel, std::move(location));
    else
      result.unknownKernels.push_back(std::move(location));
    return true;
  }

  // Launches by a call of the runtime library: (kernel, grid, block, arguments,
  // shared, stream).
  bool VisitCallExpr(clang::CallExpr *call) override {
    if (call->isInstantiationDependent() || call->containsErrors())
      return true;
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || !isLaunchFunction(*callee) || call->getNumArgs() < 5)
      return true;
    const clang::FunctionDecl *kernel =
        evaluator.function(withoutCasts(call->getArg(0)));
    SourceLocation location = sourceLocation(sources, call->getBeginLoc());
    if (!kernel || !kernel->hasAttr<clang::CUDAGlobalAttr>()) {
      result.unknownKernels.push_back(std::move(location));
      return true;
    }
    LaunchConfig launch = startLaunch(kernel, std::move(location));
    launch.grid = size(call->getArg(1));
    launch.block = size(call->getArg(2));
    noteShared(evaluator.integer(call->getArg(4)), launch);
    add(std::move(launch));
    return true;
  }

private:
  clang::ASTContext &context;
  const clang::SourceManager &sources;
  std::unique_ptr<clang::MangleContext> mangler;
  HostEvaluator evaluator;
  LaunchSet result;
  llvm::StringSet<> seen;
  /// By the declaration that is written in the source.
  llvm::MapVector<const clang::FunctionDecl *, WrittenKernel> written;

  /// As in the device code; host code calls the kernel's stub by another name.
  std::string mangledName(const clang::FunctionDecl *kernel) {
    if (!mangler->shouldMangleDeclName(kernel))
      return kernel->getNameAsString();
    std::string name;
    llvm::raw_string_ostream os(name);
    mangler->mangleName(
        clang::GlobalDecl(kernel, clang::KernelReferenceKind::Kernel), os);
    return name;
  }

  void noteKernel(const clang::FunctionDecl *kernel) {
    const clang::FunctionDecl *pattern =
        kernel->getTemplateInstantiationPattern();
    const clang::FunctionDecl *source = pattern ? pattern : kernel;
    WrittenKernel &entry = written[source->getCanonicalDecl()];
    if (!pattern) {
      const clang::FunctionTemplateDecl *whole =
          kernel->getDescribedFunctionTemplate();
      entry.begins.push_back(whole ? whole->getBeginLoc()
                                   : kernel->getBeginLoc());
    }
    if (kernel->isDependentContext())
      return;
    std::string name = mangledName(kernel);
    if (llvm::none_of(entry.instances, [&](const auto &instance) {
          return instance.first == name;
        }))
      entry.instances.emplace_back(name, kernel);
    if (kernel->isThisDeclarationADefinition())
      noteSignature(kernel, std::move(name));
  }

  void noteSignature(const clang::FunctionDecl *kernel, std::string name) {
    KernelSignature signature;
    signature.name = std::move(name);
    for (const clang::ParmVarDecl *parameter : kernel->parameters())
      signature.parameters.push_back(
          {parameter->getNameAsString(),
           parameter->getType().getAsString(context.getPrintingPolicy())});
    signature.isTemplateInstance = kernel->isTemplateInstantiation();
    signature.location = sourceLocation(sources, kernel->getLocation());
    result.kernels.push_back(std::move(signature));
  }

  std::optional<Stated<Dim3>> size(const clang::Expr *expr) {
    if (std::optional<Dim3> value = evaluator.dim3(expr))
      return Stated<Dim3>{*value, LaunchOrigin::Source};
    return std::nullopt;
  }

  static bool isLaunchFunction(const clang::FunctionDecl &function) {
    const clang::IdentifierInfo *name = function.getIdentifier();
    return name && (name->isStr("cudaLaunchKernel") ||
                    name->isStr("cudaLaunchCooperativeKernel"));
  }

  /// A kernel is passed as a pointer to void.
  static const clang::Expr *withoutCasts(const clang::Expr *expr) {
    expr = expr->IgnoreParenImpCasts();
    while (auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
      expr = cast->getSubExpr()->IgnoreParenImpCasts();
    return expr;
  }

  LaunchConfig startLaunch(const clang::FunctionDecl *kernel,
                           SourceLocation location) {
    LaunchConfig launch;
    launch.kernel = mangledName(kernel);
    launch.location = std::move(location);
    return launch;
  }

  static void noteShared(std::optional<int64_t> bytes, LaunchConfig &launch) {
    if (bytes && *bytes >= 0)
      launch.dynamicShared = {static_cast<uint64_t>(*bytes),
                              LaunchOrigin::Source};
  }

  void add(LaunchConfig launch) {
    if (seen.insert(key(launch)).second)
      result.launches.push_back(std::move(launch));
  }

  void noteLaunch(const clang::CUDAKernelCallExpr &call,
                  const clang::FunctionDecl *kernel, SourceLocation location) {
    LaunchConfig launch = startLaunch(kernel, std::move(location));
    const clang::CallExpr &config = *call.getConfig();
    if (config.getNumArgs() > 0)
      launch.grid = size(config.getArg(0));
    if (config.getNumArgs() > 1)
      launch.block = size(config.getArg(1));
    std::optional<int64_t> shared = 0;
    if (config.getNumArgs() > 2)
      shared = evaluator.integer(config.getArg(2));
    noteShared(shared, launch);
    readArguments(call, *kernel, launch);
    add(std::move(launch));
  }

  void readArguments(const clang::CUDAKernelCallExpr &call,
                     const clang::FunctionDecl &kernel, LaunchConfig &launch) {
    unsigned count = std::min(call.getNumArgs(), kernel.getNumParams());
    for (unsigned i = 0; i < count; ++i) {
      clang::QualType type = kernel.getParamDecl(i)->getType();
      // A complex number becomes two arguments; those after it have other
      // numbers in the device code.
      if (type->isAnyComplexType())
        return;
      if (!type->isIntegralOrEnumerationType())
        continue;
      if (std::optional<int64_t> value = evaluator.integer(call.getArg(i)))
        launch.arguments["arg" + std::to_string(i)] = {*value,
                                                       LaunchOrigin::Source};
    }
  }

  /// What makes two launches the same.
  static std::string key(const LaunchConfig &launch) {
    std::string text = launch.kernel;
    for (const auto &size : {launch.grid, launch.block})
      text += "|" + (size ? size->value.str() : "?");
    text += "|" + (launch.dynamicShared
                       ? std::to_string(launch.dynamicShared->value)
                       : "?");
    for (const auto &[symbol, value] : launch.arguments)
      text += "|" + symbol + "=" + std::to_string(value.value);
    return text;
  }
};

} // namespace

LaunchSet auspex::collectLaunches(clang::ASTContext &context,
                                  llvm::ArrayRef<LaunchPragma> pragmas) {
  LaunchVisitor visitor(context);
  const clang::SourceManager &sources = context.getSourceManager();
  // System headers are most of a translation unit, and their launches are not
  // the user's.
  for (clang::Decl *declaration : context.getTranslationUnitDecl()->decls())
    if (declaration->getLocation().isValid() &&
        !sources.isInSystemHeader(declaration->getLocation()))
      visitor.TraverseDecl(declaration);
  LaunchSet result = visitor.take();
  result.hostCodeSeen = true;
  if (pragmas.empty())
    return result;
  llvm::append_range(
      result.launches,
      pragmaLaunches(pragmas, visitor.takeWrittenKernels(), context));
  return result;
}

const KernelSignature *LaunchSet::find(llvm::StringRef mangled) const {
  auto kernel = llvm::find_if(kernels, [&](const KernelSignature &candidate) {
    return candidate.name == sourceName(mangled);
  });
  return kernel == kernels.end() ? nullptr : &*kernel;
}

void auspex::nameArguments(KernelSummary &summary, const LaunchSet &launches) {
  const KernelSignature *kernel = launches.find(summary.name);
  if (!kernel || kernel->parameters.size() != summary.arguments.size())
    return;
  for (auto [argument, parameter] :
       llvm::zip(summary.arguments, kernel->parameters))
    if (argument.name.empty())
      argument.name = parameter.name;
}
