// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading summaries. Nothing in them is taken on trust: what gets through obeys
// the comments of KernelSummary.h.
#include "LaunchReader.h"
#include "SummarySymbols.h"
#include "auspex/Kernel/MemoryLimits.h"
#include "auspex/Kernel/SummaryDocument.h"

#include "llvm/Support/FormatVariadic.h"

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

// Beyond any kernel, and small enough to compute with.
static constexpr int64_t MostThreads = INT32_MAX;
static constexpr int64_t MostUnrolled = 1 << 20;
static constexpr double MostInstructions = 1e15;

namespace {

/// Reads one kernel; read() for a part returns the first problem in it.
class SummaryReader {
public:
  Expected<KernelSummary> readKernel(const Node &node);

private:
  KernelSummary summary;
  SummarySymbols symbols;

  Error read(const Node &node, SourceLocation &location);
  Error read(const Node &node, Expr &value);
  Error read(const Node &node, MaybeExpr &value);
  Error read(const Node &node, InstructionMix &mix);
  Error read(const Node &node, Argument &argument);
  Error read(const Node &node, Argument::Member &member);
  Error read(const Node &node, Loop &loop);
  Error read(const Node &node, LineCode &code);
  Error read(const Node &node, MachineCode &code);
  Error read(const Node &node, Block &block);
  Error read(const Node &node, Access &access);
  Error read(const Node &node, Branch &branch);
  Error read(const Node &node, DataSymbol &symbol);
  Error read(const Node &node, Callee &callee);
  Error read(const Node &node, std::string &text);

  void readHead(Reader &in);
  void readLaunchBounds(Reader &in);
  void readBody(Reader &in);

  template <typename T> void member(Reader &in, StringRef key, T &value) {
    if (const Node *node = in.member(key))
      in.fail(read(*node, value));
  }
  template <typename T> void maybeMember(Reader &in, StringRef key, T &value) {
    if (const Node *node = in.maybeMember(key))
      in.fail(read(*node, value));
  }
  template <typename T>
  void list(Reader &in, StringRef key, std::vector<T> &values) {
    in.each(
        key,
        [&](const Node &item) { return read(item, values.emplace_back()); },
        /*required=*/false);
  }
  /// The index of a block, or of a loop with -1 for none.
  unsigned block(Reader &in) {
    return in.integer("block", 0, int64_t(summary.blocks.size()) - 1);
  }
  static int maybeLoop(Reader &in, StringRef key, size_t loops) {
    return in.maybeInteger(key, -1, int64_t(loops) - 1).value_or(-1);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Error SummaryReader::read(const Node &node, std::string &text) {
  Expected<std::string> read = node.text();
  if (!read)
    return read.takeError();
  text = std::move(*read);
  return Error::success();
}

Error SummaryReader::read(const Node &node, SourceLocation &location) {
  Reader in(node);
  location.file = in.maybeText("file").value_or("");
  location.line = in.maybeInteger("line", 0, UINT32_MAX).value_or(0);
  location.column = in.maybeInteger("column", 0, UINT32_MAX).value_or(0);
  list(in, "inlinedAt", location.inlinedAt);
  return in.finish();
}

Error SummaryReader::read(const Node &node, Expr &value) {
  Expected<std::string> text = node.text();
  if (!text)
    return text.takeError();
  Expected<Expr> expr = Expr::parse(*text);
  if (!expr)
    return node.error(llvm::toString(expr.takeError()));
  value = std::move(*expr);
  std::string complaint = symbols.check(value);
  return complaint.empty() ? Error::success() : node.error(complaint);
}

Error SummaryReader::read(const Node &node, MaybeExpr &value) {
  if (node.isScalar())
    return read(node, value.expr);
  Reader in(node);
  value = MaybeExpr::unknown(in.text("unknown"));
  return in.finish();
}

Error SummaryReader::read(const Node &node, InstructionMix &mix) {
  if (!node.isMapping())
    return node.error("expected a mapping from instruction classes to counts, "
                      "found " +
                      node.description());
  for (const auto &[name, value] : node.members) {
    std::optional<InstructionClass> id = instructionClass(name);
    if (!id) {
      std::vector<std::string> names;
      for (const InstructionClassInfo &info : instructionClassInfos())
        names.push_back(info.name.str());
      return value.error("there is no such instruction class" +
                         didYouMean(name, names));
    }
    Expected<double> count = value.number();
    if (!count)
      return count.takeError();
    if (!(*count >= 0 && *count <= MostInstructions))
      return value.error(value.scalar +
                         " is out of range; a count is at least 0 and at most "
                         "1e15");
    mix[*id] = *count;
  }
  return Error::success();
}

Error SummaryReader::read(const Node &node, Argument::Member &member) {
  Reader in(node);
  using enum Argument::Kind;
  member.kind = readWord(in, "kind", {Pointer, Integer, Float});
  member.byte = in.integer("byte", 0, INT32_MAX);
  member.name = in.text("name");
  return in.finish();
}

Error SummaryReader::read(const Node &node, Argument &argument) {
  Reader in(node);
  using enum Argument::Kind;
  argument.kind = readWord(in, "kind", {Pointer, Integer, Float, Struct});
  argument.sizeInBytes = in.integer("sizeInBytes", 0, INT32_MAX);
  argument.name = in.maybeText("name").value_or("");
  list(in, "members", argument.members);
  return in.finish();
}

Error SummaryReader::read(const Node &node, Loop &loop) {
  Reader in(node);
  size_t index = summary.loops.size() - 1;
  std::string expected = "i" + std::to_string(index);
  loop.iv = in.text("iv");
  if (!in.failed() && loop.iv != expected)
    in.fail(in.member("iv")->error("expected '" + expected +
                                   "', the position in the list, found '" +
                                   loop.iv + "'"));
  // Outer loops stand before inner ones, so there can be no cycle.
  loop.parent = maybeLoop(in, "parent", index);
  member(in, "tripCount", loop.tripCount);
  loop.isRestFirst = in.maybeBoolean("restFirst").value_or(false);
  maybeMember(in, "location", loop.location);
  return in.finish();
}

Error SummaryReader::read(const Node &node, LineCode &code) {
  Reader in(node);
  code.location.file = in.maybeText("file").value_or("");
  code.location.line = in.integer("line", 1, UINT32_MAX);
  member(in, "mix", code.mix);
  return in.finish();
}

Error SummaryReader::read(const Node &node, MachineCode &code) {
  Reader in(node);
  code.unroll = in.integer("unroll", 0, MostUnrolled);
  if (code.unroll == 0)
    code.begins = in.integer("begins", 1, MostUnrolled);
  member(in, "mix", code.mix);
  member(in, "path", code.path);
  maybeMember(in, "threeOperands", code.threeOperands);
  maybeMember(in, "asMultiplyAdds", code.asMultiplyAdds);
  code.ilp = in.number("ilp", 1, MostInstructions);
  code.mlp = in.number("mlp", 1, MostInstructions);
  list(in, "lines", code.lines);
  return in.finish();
}

Error SummaryReader::read(const Node &node, Block &block) {
  Reader in(node);
  block.name = in.text("name");
  block.loop = maybeLoop(in, "loop", summary.loops.size());
  member(in, "guard", block.guard);
  int64_t before = int64_t(summary.blocks.size()) - 2;
  block.predicatedIn = in.maybeInteger("predicatedIn", 0, before).value_or(-1);
  block.interval = in.maybeInteger("interval", 0, INT32_MAX).value_or(0);
  list(in, "code", block.code);
  llvm::ArrayRef<MachineCode> versions = block.versions();
  for (size_t i = 1; i < versions.size(); ++i)
    if (versions[i].unroll >= versions[i - 1].unroll)
      in.fail(node.error("the versions of the code have to stand with the "
                         "largest unroll first, each unroll once"));
  for (const MachineCode &start : llvm::drop_begin(block.code, versions.size()))
    if (start.unroll > 0)
      in.fail(node.error("code of unroll 0 has to stand behind the versions"));
    else if (llvm::none_of(versions, [&](const MachineCode &version) {
               return version.unroll == start.begins;
             }))
      in.fail(node.error("code begins a version of unroll " +
                         llvm::Twine(start.begins) + ", and there is none"));
  return in.finish();
}

Error SummaryReader::read(const Node &node, Access &access) {
  Reader in(node);
  access.block = block(in);
  access.kind = readWord(
      in, "kind", {AccessKind::Load, AccessKind::Store, AccessKind::Atomic});
  access.operation = in.maybeText("operation").value_or("");
  access.isReduction = in.maybeBoolean("reduction").value_or(false);
  access.isIncrement = in.maybeBoolean("increment").value_or(false);
  access.hasOneOperand = in.maybeBoolean("oneOperand").value_or(false);
  access.isRetried = in.maybeBoolean("retried").value_or(false);
  access.bypassesL1 = in.maybeBoolean("bypassesL1").value_or(false);
  using enum MemorySpace;
  access.space = readWord(in, "space",
                          {Global, Shared, Local, Constant, Texture, Unknown});
  access.bytesPerLane = in.integer("bytesPerLane", 0, MostBytesOfLane);
  if (in.has("lanes"))
    access.lanes = in.integer("lanes", 1, LaunchShape::WarpSize);
  access.base = in.maybeText("base").value_or("");
  if (std::string wrong = symbols.checkBase(access.base); !wrong.empty())
    in.fail(in.member("base")->error(wrong));
  access.objectInBytes =
      in.maybeInteger("objectInBytes", 1, MostBytes).value_or(0);
  member(in, "offset", access.offset);
  maybeMember(in, "lowest", access.lowest);
  maybeMember(in, "highest", access.highest);
  if (!access.hasBounds() &&
      (access.lowest != MaybeExpr() || access.highest != MaybeExpr()))
    in.fail(node.error("lowest and highest are expressions, and stand together "
                       "or not at all"));
  maybeMember(in, "picked", access.picked);
  maybeMember(in, "location", access.location);
  return in.finish();
}

Error SummaryReader::read(const Node &node, Branch &branch) {
  Reader in(node);
  branch.block = block(in);
  member(in, "condition", branch.condition);
  maybeMember(in, "location", branch.location);
  return in.finish();
}

Error SummaryReader::read(const Node &node, DataSymbol &symbol) {
  Reader in(node);
  symbol.name = in.text("name");
  if (!in.failed())
    if (std::string wrong = symbols.addDataSymbol(symbol.name); !wrong.empty())
      in.fail(in.member("name")->error(wrong));
  symbol.reason = in.text("reason");
  symbol.uniform = in.boolean("uniform");
  list(in, "changesWith", symbol.changesWith);
  symbol.probability = in.maybeNumber("probability", 0, 1);
  maybeMember(in, "location", symbol.location);
  return in.finish();
}

Error SummaryReader::read(const Node &node, Callee &callee) {
  Reader in(node);
  callee.name = in.maybeText("name").value_or("");
  callee.block = block(in);
  maybeMember(in, "location", callee.location);
  callee.whyLeftOut = in.maybeText("whyLeftOut").value_or("");
  return in.finish();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void SummaryReader::readLaunchBounds(Reader &in) {
  summary.maxThreadsPerBlock =
      in.maybeInteger("maxThreadsPerBlock", 0, MostThreads).value_or(0);
  summary.minBlocksPerSM =
      in.maybeInteger("minBlocksPerSM", 0, MostThreads).value_or(0);
  unsigned side = 0;
  in.each(
      "requiredBlock",
      [&](const Node &item) -> Error {
        Expected<int64_t> threads = item.integer();
        if (!threads)
          return threads.takeError();
        if (*threads < 0 || *threads > MostThreads || side == 3)
          return item.error("expected three numbers of threads, [x, y, z]");
        summary.requiredBlock[side++] = *threads;
        return Error::success();
      },
      /*required=*/false);
  if (side == 1 || side == 2)
    in.fail(in.member("requiredBlock")
                ->error("expected three numbers of threads, [x, y, z]"));
}

void SummaryReader::readHead(Reader &in) {
  summary.name = in.text("name");
  summary.demangled = in.maybeText("demangled").value_or(summary.name);
  summary.spelling = in.maybeText("spelling").value_or("");
  maybeMember(in, "location", summary.location);
  summary.arch = in.integer("arch", 10, 999);
  list(in, "arguments", summary.arguments);
  list(in, "variables", summary.variables);
  readLaunchBounds(in);
  summary.staticSharedInBytes =
      in.maybeInteger("staticSharedInBytes", 0, MostBytes).value_or(0);
  summary.usesDynamicShared =
      in.maybeBoolean("usesDynamicShared").value_or(false);
  summary.localInBytes =
      in.maybeInteger("localInBytes", 0, MostBytes).value_or(0);
  summary.registers = in.maybeInteger("registers", 0, 255).value_or(0);
  using enum RegisterOrigin;
  if (in.has("registerOrigin"))
    summary.registerOrigin =
        readWord(in, "registerOrigin", {Estimated, Assembler, Override});
}

/// Symbols before the expressions that use them, blocks before what refers to
/// them.
void SummaryReader::readBody(Reader &in) {
  symbols.setArguments(summary.arguments.size());
  for (const Argument &variable : summary.variables)
    symbols.addVariable(variable.name);
  if (const Node *loops = in.maybeMember("loops"))
    symbols.setLoops(loops->items.size());
  list(in, "dataSymbols", summary.dataSymbols);
  list(in, "loops", summary.loops);
  list(in, "blocks", summary.blocks);
  list(in, "accesses", summary.accesses);
  list(in, "branches", summary.branches);
  list(in, "callees", summary.callees);
  list(in, "doublesOfFloats", summary.doublesOfFloats);
  list(in, "assumptions", summary.assumptions);
}

Expected<KernelSummary> SummaryReader::readKernel(const Node &node) {
  Reader in(node);
  readHead(in);
  readBody(in);
  if (Error problem = in.finish())
    return problem;
  return std::move(summary);
}

Expected<KernelSummary> auspex::parseKernelSummary(const Node &node) {
  return SummaryReader().readKernel(node);
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

/// Before anything else: of another version nothing can be expected.
static Error checkVersion(const Node &document) {
  if (const Node *predictions = document.find("predictions"))
    return predictions->error("these are predictions; the summary of kernels "
                              "that they come from is expected");
  Reader in(document);
  const Node *node = in.member("schemaVersion");
  int64_t version = in.integer("schemaVersion");
  if (!in.failed() && version != SummarySchemaVersion)
    in.fail(node->error(llvm::formatv(
        "the summary has version {0} of its format, and this Auspex reads "
        "version {1}; {2}write the summary again with this Auspex",
        version, SummarySchemaVersion,
        version > SummarySchemaVersion ? "use a newer Auspex, or " : "")));
  if (!in.failed())
    return Error::success();
  // finish() also complains about the keys that were not asked for.
  return in.finish();
}

Expected<SummaryDocument> auspex::readSummaries(const Node &document) {
  if (Error problem = checkVersion(document))
    return problem;
  Reader in(document);
  in.member("schemaVersion");
  SummaryDocument result;
  in.each("kernels", [&](const Node &item) -> Error {
    Expected<KernelSummary> summary = parseKernelSummary(item);
    if (!summary)
      return summary.takeError();
    result.kernels.push_back(std::move(*summary));
    return Error::success();
  });
  auto readOne = [&](const Node &item) -> Error {
    Expected<LaunchConfig> launch = readStatedLaunch(item);
    if (!launch)
      return launch.takeError();
    result.launches.push_back(std::move(*launch));
    return Error::success();
  };
  in.each("launches", readOne, /*required=*/false);
  readHostInterface(in, result.interface);
  if (Error problem = in.finish())
    return problem;
  return result;
}
