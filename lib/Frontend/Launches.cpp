// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Frontend/Launches.h"

#include "AllCodeVisitor.h"
#include "CallsOfOthers.h"
#include "HostWays.h"
#include "InterfaceReader.h"
#include "LaunchReader.h"
#include "MangledNames.h"
#include "Mentions.h"
#include "PragmaLaunches.h"
#include "RepeatedLaunches.h"
#include "StructMembers.h"
#include "UsedMemory.h"
#include "auspex/Kernel/FloatOrder.h"
#include "auspex/Kernel/KernelNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;

/// Whether one of \p arguments is a value of an enumeration, also in a pack or
/// as an argument of a type that is an argument.
static bool hasEnumerators(const clang::TemplateArgumentList *arguments);

static bool isOrHasEnumerators(const clang::TemplateArgument &argument) {
  switch (argument.getKind()) {
  case clang::TemplateArgument::Integral:
    return argument.getIntegralType()->isEnumeralType();
  case clang::TemplateArgument::Pack:
    return llvm::any_of(argument.pack_elements(), isOrHasEnumerators);
  case clang::TemplateArgument::Type: {
    auto *type = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        argument.getAsType()->getAsCXXRecordDecl());
    return type && hasEnumerators(&type->getTemplateArgs());
  }
  default:
    return false;
  }
}

static bool hasEnumerators(const clang::TemplateArgumentList *arguments) {
  return arguments && llvm::any_of(arguments->asArray(), isOrHasEnumerators);
}

/// Those members of a struct, and elements of an array, that have names; empty
/// for other types.
static std::vector<Argument::Member>
namedMembers(clang::QualType type, const clang::ASTContext &context) {
  std::vector<Argument::Member> members;
  for (const StructMember &one : membersOf(type, context))
    if (!one.member.name.empty())
      members.push_back(one.member);
  return members;
}

namespace {

class LaunchVisitor : public AllCodeVisitor {
public:
  LaunchVisitor(clang::ASTContext &context, Callers &callers,
                const MentionVisitor &mentions, const ProgramFacts &program)
      : context(context), sources(context.getSourceManager()), names(context),
        evaluator(context, callers, mentions, program.arguments),
        reader(context, evaluator, deviceVariables, names),
        ways(callers, evaluator),
        interface(context, names, callers, evaluator, ways) {}

  LaunchSet take() {
    result.interface = interface.take();
    for (auto [launch, itsRounds] : llvm::zip_equal(result.launches, rounds)) {
      for (const auto &[call, others] : itsRounds) {
        std::optional<uint64_t> bytes = memory.bytesBeside(*call, others);
        if (bytes)
          launch.bytesBetween = std::max(launch.bytesBetween, *bytes);
        else
          launch.warmL2.reset();
      }
      if (!launch.isL2Warm()) {
        launch.warmL2.reset();
        launch.bytesBetween = 0;
      }
    }
    return std::move(result);
  }
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
    const clang::FunctionDecl *kernel = nullptr;
    auto readKernel = [&] {
      kernel = call->getDirectCallee();
      if (!kernel)
        kernel = evaluator.function(call->getCallee());
      return kernel;
    };
    noteLaunches(*call, readKernel, [&](LaunchConfig &launch) {
      reader.read(*call, *kernel, launch);
    });
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override {
    if (!made->isInstantiationDependent() && !made->containsErrors())
      interface.noteCall({made, around, conditions});
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    if (call->isInstantiationDependent() || call->containsErrors())
      return true;
    std::optional<LaunchCall::Kind> kind = LaunchCall::kindOf(*call);
    if (!kind) {
      if (std::optional<DeviceCopy> copy = deviceCopy(*call))
        noteCopy(*call, *copy);
      if (allocatedBytes(*call))
        noteAllocation(*call);
      interface.noteCall({call, around, conditions});
      return true;
    }
    const clang::Expr *callee =
        call->getArg(*kind == LaunchCall::Sizes ? 0 : 1);
    const clang::FunctionDecl *kernel = nullptr;
    auto readKernel = [&] { return kernel = evaluator.function(callee); };
    noteLaunches(*call, readKernel, [&](LaunchConfig &launch) {
      reader.read(*call, *kind, *kernel, launch);
    });
    return true;
  }

private:
  clang::ASTContext &context;
  const clang::SourceManager &sources;
  MangledNames names;
  HostEvaluator evaluator;
  DeviceVariables deviceVariables;
  LaunchReader reader;
  HostWays ways;
  InterfaceReader interface;
  UsedMemory memory;
  LaunchSet result;
  /// Of each of these launches, the calls that make it in a loop, and what else
  /// the loop has the GPU do.
  struct InRounds {
    const clang::Expr *call;
    std::vector<const clang::Expr *> others;
  };
  std::vector<std::vector<InRounds>> rounds;
  /// Where the launches are, by what makes them the same.
  llvm::StringMap<size_t> seen;
  /// By the declaration that is written in the source.
  llvm::MapVector<const clang::FunctionDecl *, WrittenKernel> written;

  /// As in the device code; host code calls the kernel's stub by another name.
  std::string mangledName(const clang::FunctionDecl *kernel) const {
    return names.of({kernel, clang::KernelReferenceKind::Kernel});
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

  /// Empty where the mangled name says the same.
  std::string spellingOf(const clang::FunctionDecl &kernel) const {
    auto *around = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(
        kernel.getDeclContext());
    if (!hasEnumerators(kernel.getTemplateSpecializationArgs()) &&
        !(around && hasEnumerators(&around->getTemplateArgs())))
      return "";
    std::string name;
    llvm::raw_string_ostream os(name);
    kernel.getNameForDiagnostic(os, context.getPrintingPolicy(),
                                /*Qualified=*/true);
    return name;
  }

  void noteSignature(const clang::FunctionDecl *kernel, std::string name) {
    KernelSignature signature;
    signature.name = std::move(name);
    signature.spelling = spellingOf(*kernel);
    for (const clang::ParmVarDecl *parameter : kernel->parameters())
      signature.parameters.push_back(
          {parameter->getNameAsString(),
           parameter->getType().getAsString(context.getPrintingPolicy()),
           namedMembers(parameter->getType(), context)});
    for (const clang::DeclRefExpr *mention :
         deviceVariables.mentionedBy(*kernel))
      signature.variables.push_back(
          {names.of(llvm::cast<clang::VarDecl>(mention->getDecl())),
           mention->getType().getAsString(context.getPrintingPolicy()),
           namedMembers(mention->getType(), context)});
    signature.isTemplateInstance = kernel->isTemplateInstantiation();
    signature.location = sourceLocation(sources, kernel->getLocation());
    result.kernels.push_back(std::move(signature));
  }

  /// What \p call launches on each way to it. \p readKernel gives the kernel,
  /// null if it is unknown, \p read fills a launch of the same; both may be
  /// asked several times.
  void
  noteLaunches(const clang::CallExpr &call,
               llvm::function_ref<const clang::FunctionDecl *()> readKernel,
               llvm::function_ref<void(LaunchConfig &)> read) {
    SourceLocation location = sourceLocation(sources, call.getBeginLoc());
    std::vector<LaunchConfig> launches;
    bool isUnknown = false;
    InRounds inRounds = {&call, {}};
    unsigned number = 0;
    // Without a way to it, it uses nothing.
    memory.note(call, number, {});
    Site site = {&call, around, conditions};
    interface.noteWays(site);
    ways.follow(site, [&](HostWay way) {
      auto readUsing = [&](LaunchConfig &launch) {
        read(launch);
        memory.note(call, number, reader.usedObjects());
      };
      ++number;
      evaluator.suppose(way.supposition);
      std::optional<Repetition> repetition =
          repetitionOf(call, way.supposition.path);
      for (Supposition &kernelWay : ways.choices(way, [&] { readKernel(); })) {
        evaluator.suppose(kernelWay);
        const clang::FunctionDecl *kernel = readKernel();
        if (!kernel || !kernel->hasAttr<clang::CUDAGlobalAttr>()) {
          isUnknown = true;
          memory.note(call, number, UsedObject{});
          continue;
        }
        kernelWay.kernel = kernel;
        LaunchConfig unread;
        unread.kernel = mangledName(kernel);
        unread.location = location;
        if (repetition) {
          unread.warmL2 = {repetition->isSame, LaunchOrigin::Source};
          unread.variesByRound = repetition->varying;
          llvm::append_range(inRounds.others, repetition->others);
        }
        readLaunches({std::move(kernelWay), way.needed}, unread, *kernel,
                     readUsing, launches);
      }
    });
    if (isUnknown)
      result.unknownKernels.push_back(std::move(location));
    if (!llvm::all_of(launches, hasNoBlock))
      llvm::erase_if(launches, hasNoBlock);
    for (LaunchConfig &launch : launches)
      for (const LaunchConfig &other : launches)
        if (saysLess(other, launch))
          takeOrigins(other, launch);
    for (const LaunchConfig &launch : launches)
      if (llvm::none_of(launches, [&](const LaunchConfig &other) {
            return saysLess(launch, other) && !saysLess(other, launch);
          }))
        add(launch, inRounds);
  }

  void noteAllocation(const clang::CallExpr &call) {
    const clang::Expr *pointer = addressed(call.getArg(0));
    Name name = pointer ? namedBy(pointer, nullptr) : Name();
    if (!name)
      return;
    ways.follow({&call, around, conditions}, [&](HostWay way) {
      evaluator.suppose(std::move(way.supposition));
      std::optional<int64_t> bytes = evaluator.integer(allocatedBytes(call));
      if (bytes && *bytes >= 0)
        memory.noteAllocation(name, *bytes);
    });
  }

  void noteCopy(const clang::CallExpr &call, const DeviceCopy &copy) {
    unsigned number = 0;
    memory.note(call, number, {});
    ways.follow({&call, around, conditions}, [&](HostWay way) {
      evaluator.suppose(std::move(way.supposition));
      memory.note(call, ++number, reader.usedBy(copy));
    });
  }

  /// In the last round of a loop over less and less there may be nothing left:
  /// CUDA refuses that launch, and the program goes on.
  static bool hasNoBlock(const LaunchConfig &launch) {
    return launch.grid && launch.grid->value.count() == 0;
  }

  /// What \p known says whatever the arguments of the program.
  static void takeOrigins(const LaunchConfig &known, LaunchConfig &launch) {
    auto take = [](const auto &from, auto &to) {
      if (from && from->origin == LaunchOrigin::Source)
        to->origin = LaunchOrigin::Source;
    };
    auto takeEach = [](const auto &from, auto &to) {
      for (const auto &[symbol, value] : from)
        if (value.origin == LaunchOrigin::Source)
          to.find(symbol)->second.origin = LaunchOrigin::Source;
    };
    take(known.grid, launch.grid);
    take(known.block, launch.block);
    take(known.dynamicShared, launch.dynamicShared);
    takeEach(known.arguments, launch.arguments);
    takeEach(known.floatArguments, launch.floatArguments);
    takeEach(known.objectsInBytes, launch.objectsInBytes);
  }

  /// Whether a loop makes the same launch again and again, but for some
  /// arguments, by symbol, and what else it has the GPU do.
  struct Repetition {
    bool isSame = false;
    std::set<std::string> varying = {};
    std::vector<const clang::Expr *> others = {};
  };

  /// By the innermost loop that comes to \p call along \p path; none if there
  /// is no loop, or one of a single round on the way that is supposed.
  std::optional<Repetition> repetitionOf(const clang::CallExpr &call,
                                         const CallPath &path) {
    auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&call);
    if (!launch)
      return std::nullopt;
    std::vector<const clang::Expr *> calls;
    const clang::FunctionDecl *function = around;
    clang::Stmt *loop = innermostLoop;
    while (!loop) {
      auto entry =
          function ? path.find(function->getCanonicalDecl()) : path.end();
      if (entry == path.end())
        return std::nullopt;
      const Call &entered = *entry->second;
      calls.push_back(entered.expr);
      loop = entered.loop;
      function = entered.caller;
    }
    std::reverse(calls.begin(), calls.end());
    std::optional<Rounds> loopRounds = roundsOf(*launch, calls, *loop);
    if (!loopRounds)
      return Repetition();
    if (evaluator.runsOnce(*loop))
      return std::nullopt;
    Repetition repetition{true, {}, std::move(loopRounds->others)};
    for (unsigned number : loopRounds->varyingArguments)
      repetition.varying.insert("arg" + std::to_string(number));
    return repetition;
  }

  /// Adds what \p read reads on \p way, with each combination of the choices on
  /// which it hangs, to \p launches.
  void readLaunches(HostWay way, const LaunchConfig &unread,
                    const clang::FunctionDecl &kernel,
                    llvm::function_ref<void(LaunchConfig &)> read,
                    std::vector<LaunchConfig> &launches) {
    auto readAny = [&] {
      LaunchConfig tried;
      read(tried);
    };
    for (Supposition &one : ways.choices(std::move(way), readAny)) {
      LaunchConfig &launch = launches.emplace_back(unread);
      evaluator.suppose(one);
      read(launch);
      if (const clang::CallExpr *choice = evaluator.occupancyCall();
          choice && !launch.block)
        readChosenBlock(*choice, &kernel, read, one, launch);
      // How the grid hangs on the arguments, whatever they are.
      LaunchConfig counted;
      llvm::append_range(one.found, reader.argumentVariables());
      evaluator.suppose(std::move(one));
      read(counted);
      if (counted.gridOfArguments)
        launch.gridOfArguments = counted.gridOfArguments;
    }
  }

  /// The same launch twice counts once, and where one of them is in a loop, as
  /// that one: warm if each loop around one makes the same.
  void add(const LaunchConfig &launch, const InRounds &inRounds) {
    auto [entry, isNew] = seen.try_emplace(key(launch), result.launches.size());
    if (isNew)
      rounds.emplace_back();
    if (!inRounds.others.empty())
      rounds[entry->second].push_back(inRounds);
    if (isNew) {
      result.launches.push_back(launch);
      return;
    }
    LaunchConfig &known = result.launches[entry->second];
    if (launch.warmL2 && !(known.warmL2 && !known.warmL2->value))
      known.warmL2 = launch.warmL2;
    known.variesByRound.insert(launch.variesByRound.begin(),
                               launch.variesByRound.end());
  }

  /// Whether all that is known of \p launch is known of \p other, and is the
  /// same.
  static bool saysLess(const LaunchConfig &launch, const LaunchConfig &other) {
    auto isIn = [](const auto &known, const auto &there) {
      return !known || (there && known->value == there->value);
    };
    auto areAmong = [](const auto &known, const auto &there) {
      return llvm::all_of(known, [&](const auto &argument) {
        auto same = there.find(argument.first);
        return same != there.end() &&
               same->second.value == argument.second.value;
      });
    };
    return launch.kernel == other.kernel && isIn(launch.grid, other.grid) &&
           isIn(launch.block, other.block) &&
           isIn(launch.dynamicShared, other.dynamicShared) &&
           !launch.chosenBlock && areAmong(launch.arguments, other.arguments) &&
           areAmong(launch.floatArguments, other.floatArguments) &&
           areAmong(launch.objectsInBytes, other.objectsInBytes) &&
           launch.inHostMemory == other.inHostMemory;
  }

  /// For a launch whose block hangs on what \p choice gives. Block and grid are
  /// asked for as if it gave every size there can be.
  void readChosenBlock(const clang::CallExpr &choice,
                       const clang::FunctionDecl *kernel,
                       llvm::function_ref<void(LaunchConfig &)> read,
                       Supposition supposition, LaunchConfig &launch) {
    auto argument = [&](unsigned i) -> std::optional<int64_t> {
      return i < choice.getNumArgs() ? evaluator.integer(choice.getArg(i)) : 0;
    };
    const clang::FunctionDecl *asked = evaluator.function(choice.getArg(2));
    std::optional<int64_t> shared = argument(3), limit = argument(4);
    if (asked != kernel || !shared || *shared < 0 || !limit || *limit < 0)
      return;
    // The numbers of threads with ceil(threads / block) blocks in the grid,
    // whatever the block.
    constexpr int64_t Step = 32, Most = 1024, FullGrid = 1000003;
    int64_t fewest = 1, most = INT64_MAX;
    bool fillsGPU = true;
    for (int64_t threads = Step; threads <= Most; threads += Step) {
      supposition.blocks = FullGrid;
      supposition.threads = threads;
      evaluator.suppose(supposition);
      LaunchConfig tried;
      read(tried);
      if (!tried.block || !(tried.block->value == Dim3{threads}))
        return;
      int64_t blocks = 0;
      if (tried.grid && tried.grid->value == Dim3{tried.grid->value.x})
        blocks = tried.grid->value.x;
      fillsGPU &= blocks == FullGrid;
      fewest = std::max(fewest, (blocks - 1) * threads + 1);
      most = std::min(most, blocks * threads);
    }
    ChosenBlock chosen;
    chosen.limit = static_cast<unsigned>(std::min(*limit, Most));
    chosen.shared = static_cast<uint64_t>(*shared);
    if (fillsGPU || fewest <= most)
      chosen.threads = fillsGPU ? 0 : most;
    launch.chosenBlock = {chosen, LaunchOrigin::Source};
  }

  /// What makes two launches the same.
  static std::string key(const LaunchConfig &launch) {
    std::string text = launch.kernel;
    for (const auto &size : {launch.grid, launch.block})
      text += "|" + (size ? size->value.str() : "?");
    text += "|" + (launch.dynamicShared
                       ? std::to_string(launch.dynamicShared->value)
                       : "?");
    if (launch.chosenBlock) {
      const ChosenBlock &chosen = launch.chosenBlock->value;
      text += "|" + std::to_string(chosen.limit) + "|" +
              std::to_string(chosen.shared) + "|" +
              (chosen.threads ? std::to_string(*chosen.threads) : "?");
    }
    if (launch.gridOfArguments)
      for (const Expr &axis : launch.gridOfArguments->value)
        text += "|" + axis.str();
    for (const auto &[symbol, value] : launch.arguments)
      text += "|" + symbol + "=" + std::to_string(value.value);
    for (const auto &[symbol, value] : launch.floatArguments)
      text += "|" + symbol + "=" + std::to_string(floatPlace(value.value));
    for (const auto &[symbol, bytes] : launch.objectsInBytes)
      text += "|*" + symbol + "=" + std::to_string(bytes.value);
    for (const std::string &symbol : launch.inHostMemory)
      text += "|host " + symbol;
    return text;
  }
};

} // namespace

LaunchSet auspex::collectLaunches(clang::ASTContext &context,
                                  llvm::ArrayRef<LaunchPragma> pragmas,
                                  const ProgramFacts &program) {
  Callers callers;
  callers.visitUserCode(context);
  callers.distributeIndirectCalls();
  addCalls(program.calls, context, callers);
  MentionVisitor mentions;
  mentions.visitUserCode(context);
  LaunchVisitor visitor(context, callers, mentions, program);
  visitor.visitUserCode(context);
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

void auspex::takeSourceNames(KernelSummary &summary,
                             const LaunchSet &launches) {
  const KernelSignature *kernel = launches.find(summary.name);
  if (!kernel)
    return;
  summary.spelling = kernel->spelling;
  for (Argument &variable : summary.variables)
    for (const KernelSignature::Parameter &mentioned : kernel->variables)
      if (mentioned.name == variable.name)
        variable.members = mentioned.members;
  if (kernel->parameters.size() != summary.arguments.size())
    return;
  for (auto [argument, parameter] :
       llvm::zip(summary.arguments, kernel->parameters)) {
    if (argument.name.empty())
      argument.name = parameter.name;
    if (argument.kind == Argument::Kind::Struct)
      argument.members = parameter.members;
  }
}
