// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// auspex occupancy: how many blocks reside on an SM, what limits them, and the
/// next step to gain one.
#include "Command.h"

#include "auspex/HW/Occupancy.h"
#include "auspex/Support/Json.h"
#include "auspex/Support/Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace auspex;
using llvm::Expected;
using llvm::StringRef;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::SubCommand Sub("occupancy",
                          "Resident blocks of an SM and what limits them");
static cl::opt<std::string>
    GpuName("gpu", cl::sub(Sub), cl::value_desc("name"),
            cl::desc("A GPU ('auspex gpu list'), an architecture such as "
                     "sm_87, or a description's path"));
static cl::opt<std::string>
    BlockSize("block", cl::sub(Sub), cl::value_desc("threads"),
              cl::desc("Threads of a block: 256 or 16x16"));
// Numbers are read as text: one wording for every wrong number.
static cl::opt<std::string> Regs("regs", cl::sub(Sub), cl::init("0"),
                                 cl::value_desc("n"),
                                 cl::desc("Registers a thread; 0: no limit"));
static cl::opt<std::string> Shared("shared", cl::sub(Sub), cl::init("0"),
                                   cl::value_desc("bytes"),
                                   cl::desc("Static shared memory of a block"));
static cl::opt<std::string>
    Dynamic("dynamic", cl::sub(Sub), cl::init("0"), cl::value_desc("bytes"),
            cl::desc("Dynamic shared memory of a block"));
static cl::opt<std::string> MaxDynamic(
    "max-dynamic", cl::sub(Sub), cl::value_desc("bytes"),
    cl::desc("Dynamic shared memory the kernel opted in to (default: what the "
             "launch asks for)"));
static cl::opt<std::string>
    Carveout("carveout", cl::sub(Sub), cl::init("-1"),
             cl::value_desc("percent"),
             cl::desc("Preferred shared-memory carve-out; -1: the driver's"));
static cl::opt<std::string> Barriers("barriers", cl::sub(Sub), cl::init("1"),
                                     cl::value_desc("n"),
                                     cl::desc("Named barriers of a block"));

static FormatOption OutputFormat(Sub);

namespace {

/// What is asked, and the name to print for whom.
struct Question {
  std::string gpu;
  SMLimits limits;
  BlockResources block;
};

} // namespace

static Expected<int64_t> number(const cl::opt<std::string> &option,
                                int64_t least, int64_t most) {
  int64_t value;
  if (StringRef(option).getAsInteger(10, value) || value < least ||
      value > most)
    return makeInputError(
        {}, "--" + option.ArgStr + ": expected " + llvm::Twine(least) + " to " +
                llvm::Twine(most) + ", found '" + option + "'");
  return value;
}

/// An architecture is looked up in the table: there are more of them than
/// described GPUs. Everything else is a GPU.
static llvm::Error readLimits(Question &question) {
  if (GpuName.empty())
    return makeInputError({}, "--gpu is missing; for instance --gpu=A100-40GB");
  std::optional<unsigned> arch = parseArch(GpuName);
  if (!arch) {
    Expected<GPU> gpu = findGPU(GpuName);
    if (!gpu)
      return gpu.takeError();
    question.gpu = gpu->name;
    question.limits = smLimits(*gpu);
    return llvm::Error::success();
  }
  std::optional<SMLimits> limits = smLimitsOfArch(*arch);
  if (!limits) {
    std::string known;
    for (unsigned each : archsWithLimits())
      known += (each == archsWithLimits().back() ? "and sm_" : "sm_") +
               std::to_string(each) +
               (each == archsWithLimits().back() ? "" : ", ");
    return makeInputError({}, "the limits of '" + GpuName +
                                  "' are not known; known are " + known);
  }
  question.gpu = "sm_" + std::to_string(*arch);
  question.limits = *limits;
  return llvm::Error::success();
}

static Expected<unsigned> readBlock(const SMLimits &limits) {
  if (BlockSize.empty())
    return makeInputError({}, "--block is missing; for instance --block=256");
  uint64_t threads = 1;
  llvm::SmallVector<StringRef, 3> extents;
  StringRef(BlockSize).split(extents, 'x');
  for (StringRef text : extents) {
    uint64_t extent;
    if (extents.size() > 3 || text.getAsInteger(10, extent) || extent < 1 ||
        extent > 65536)
      return makeInputError(
          {}, "--block: expected threads such as 256 or 16x16, found '" +
                  BlockSize + "'");
    threads *= extent;
  }
  if (threads > limits.threadsPerBlock)
    return makeInputError(
        {}, "--block: " + llvm::Twine(threads) + " threads exceed the " +
                llvm::Twine(limits.threadsPerBlock) + " a block can have");
  return static_cast<unsigned>(threads);
}

static llvm::Error readResources(BlockResources &block) {
  constexpr int64_t Most = INT32_MAX;
  llvm::Error problem = llvm::Error::success();
  auto read = [&](const cl::opt<std::string> &option, int64_t least,
                  int64_t most) -> int64_t {
    Expected<int64_t> value = number(option, least, most);
    if (value)
      return *value;
    problem = llvm::joinErrors(std::move(problem), value.takeError());
    return 0;
  };
  block.registersPerThread = read(Regs, 0, Most);
  block.staticShared = read(Shared, 0, Most);
  block.dynamicShared = read(Dynamic, 0, Most);
  // As a program does that wants the memory: it opts in before it launches.
  block.maxDynamicShared =
      MaxDynamic.empty() ? block.dynamicShared : read(MaxDynamic, 0, Most);
  block.carveout = read(Carveout, -1, 100);
  block.barriers = read(Barriers, 0, Most);
  return problem;
}

static Expected<Question> readQuestion() {
  Question question;
  if (llvm::Error problem = readLimits(question))
    return problem;
  Expected<unsigned> threads = readBlock(question.limits);
  if (!threads)
    return threads.takeError();
  question.block.threadsPerBlock = *threads;
  if (llvm::Error problem = readResources(question.block))
    return problem;
  return question;
}

static std::string limitText(unsigned limit) {
  return limit == Occupancy::NoLimit ? "" : std::to_string(limit);
}

static void printLimits(const Question &question, const Occupancy &answer) {
  const SMLimits &limits = question.limits;
  Table table({"resource", "a block takes", "an SM has", "blocks"});
  auto add = [&](StringRef name, uint64_t takes, uint64_t has, unsigned limit) {
    table.add({name.str(), std::to_string(takes), std::to_string(has),
               limitText(limit)});
  };
  add("warps", question.block.warps(), limits.warpsPerSM(), answer.limitWarps);
  add("registers", answer.allocatedRegistersPerBlock, limits.registersPerSM,
      answer.limitRegisters);
  add("shared memory, B", answer.allocatedSharedPerBlock, answer.sharedBudget,
      answer.limitShared);
  add("blocks", 1, limits.blocksPerSM, answer.limitBlocks);
  if (limits.barriersPerSM)
    add("barriers", question.block.barriers, limits.barriersPerSM,
        answer.limitBarriers);
  table.print(llvm::outs());
}

static void printText(const Question &question, const Occupancy &answer) {
  llvm::raw_ostream &out = llvm::outs();
  out << question.gpu << " (compute capability "
      << computeCapabilityText(question.limits.arch)
      << "): " << answer.activeBlocksPerSM << " block"
      << (answer.activeBlocksPerSM == 1 ? "" : "s") << " an SM, "
      << answer.activeWarpsPerSM << " of " << question.limits.warpsPerSM()
      << " warps, occupancy " << formatShare(answer.occupancy) << '\n';
  std::string reason = noBlockReason(question.limits, question.block);
  out << "limited by " << answer.limiterText()
      << (reason.empty() ? "" : ": " + reason) << '\n';
  std::string step = nextOccupancyStep(question.limits, question.block);
  if (!step.empty())
    out << "next step: " << step << '\n';
  out << '\n';
  printLimits(question, answer);
}

static void writeJson(const Question &question, const Occupancy &answer) {
  json::OStream out(llvm::outs(), 2);
  auto limit = [&](StringRef key, unsigned blocks) {
    out.attribute(key, blocks == Occupancy::NoLimit ? json::Value(nullptr)
                                                    : json::Value(blocks));
  };
  out.object([&] {
    out.attribute("schemaVersion", 1);
    out.attribute("gpu", question.gpu);
    out.attribute("computeCapability",
                  computeCapabilityText(question.limits.arch));
    out.attribute("activeBlocksPerSM", answer.activeBlocksPerSM);
    out.attribute("activeWarpsPerSM", answer.activeWarpsPerSM);
    writeNumber(out, "occupancy", answer.occupancy);
    out.attribute("limiter", answer.limiterText());
    out.attributeArray("limiters", [&] {
      for (StringRef name : answer.limiterNames())
        out.value(name);
    });
    if (!answer.activeBlocksPerSM)
      out.attribute("reason", noBlockReason(question.limits, question.block));
    std::string step = nextOccupancyStep(question.limits, question.block);
    if (!step.empty())
      out.attribute("nextStep", step);
    out.attributeObject("limits", [&] {
      limit("warps", answer.limitWarps);
      limit("registers", answer.limitRegisters);
      limit("sharedMemory", answer.limitShared);
      limit("blocks", answer.limitBlocks);
      limit("barriers", answer.limitBarriers);
    });
    out.attribute("limitingMask", answer.limiters);
    out.attribute("allocatedRegistersPerBlock",
                  answer.allocatedRegistersPerBlock);
    out.attribute("allocatedSharedPerBlock", answer.allocatedSharedPerBlock);
    out.attribute("sharedPerSM", answer.sharedBudget);
  });
  llvm::outs() << '\n';
}

static Expected<ExitCode> run() {
  Expected<Question> question = readQuestion();
  if (!question)
    return question.takeError();
  Occupancy answer = computeOccupancy(question->limits, question->block);
  if (OutputFormat.isJson())
    writeJson(*question, answer);
  else
    printText(*question, answer);
  return ExitFine;
}

static Command Register(Sub, run);
