// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What parseGPU refuses, and how it says so.
#include "auspex/HW/GPU.h"

#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace auspex;
using llvm::StringRef;

namespace {

/// The A100's description, as lines that a test can change.
class Description {
public:
  Description() { findEmbedded("A100-40GB")->text.split(lines, '\n'); }

  /// Replaces the line of \p key; an empty line removes it.
  Description &with(StringRef key, StringRef line) {
    for (StringRef &each : lines)
      if (each.starts_with((key + ":").str()))
        each = line;
    return *this;
  }
  Description &append(StringRef line) {
    lines.push_back(line);
    return *this;
  }

  unsigned lineOf(StringRef key) const {
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].starts_with((key + ":").str()))
        return i + 1;
    return 0;
  }

  llvm::Expected<GPU> parse() const {
    auto document = parseDocument(llvm::join(lines, "\n"), "a.yaml");
    if (!document)
      return document.takeError();
    return parseGPU(*document);
  }
  std::string error() const {
    auto gpu = parse();
    return gpu ? "no error" : llvm::toString(gpu.takeError());
  }

private:
  llvm::SmallVector<StringRef, 0> lines;
};

/// The error for the line of sm_count replaced by \p line, without its place,
/// which is checked.
std::string errorOf(StringRef line) {
  Description changed;
  changed.with("sm_count", line);
  std::string error = changed.error();
  StringRef rest = error;
  std::string place =
      "a.yaml:" + std::to_string(changed.lineOf("sm_count")) + ": sm_count";
  EXPECT_TRUE(rest.consume_front(place)) << error;
  return rest.str();
}

TEST(Reader, TakesWhatIsRight) {
  llvm::Expected<GPU> gpu = Description().parse();
  ASSERT_TRUE(static_cast<bool>(gpu));
  EXPECT_EQ(gpu->name, "A100-40GB");
  EXPECT_EQ(gpu->arch, 80u);
  EXPECT_EQ((*gpu)[Q::SMCount], 108);
  EXPECT_EQ(gpu->chip, "GA100");
  EXPECT_EQ(gpu->sharedCarveouts.back(), 164u);
  EXPECT_FALSE(gpu->registersPerBlock);
  const Quantity &latency = *gpu->quantity(Q::LatencyL1);
  EXPECT_EQ(latency.kind, SourceKind::Derived);
  EXPECT_EQ(latency.borrowedFrom, "A100-80GB");
  EXPECT_FALSE(gpu->has(Q::QueueingFactor));
}

TEST(Reader, NamesTheUnitItWants) {
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: GB, kind: assumed, source: x}"),
            ".unit: the unit has to be SM, found 'GB'; convert the value");
  EXPECT_EQ(errorOf("sm_count: {value: 8, kind: assumed, source: x}"),
            ": the unit is missing; write unit: SM");
}

TEST(Reader, WantsKindAndSource) {
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: SM, source: x}"),
            ": the kind is missing; one of documented, measured, derived, "
            "assumed");
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: SM, kind: known, source: x}"),
            ".kind: 'known' is not one of documented, measured, derived, "
            "assumed");
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: SM, kind: assumed}"),
            ": the source is missing; cite the document, the benchmark or the "
            "GPU it is from");
  EXPECT_EQ(
      errorOf("sm_count: {value: 8, unit: SM, kind: assumed, source: ' '}"),
      ".source: the source is empty; cite the document, the benchmark or the "
      "GPU the value is from");
}

TEST(Reader, BorrowsOnlyDerivedValues) {
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: SM, kind: measured, from: T4, "
                    "source: x}"),
            ".from: a value taken from another GPU is of kind derived; change "
            "the kind or remove from");
}

TEST(Reader, WantsNumbersInRange) {
  EXPECT_EQ(
      errorOf("sm_count: {value: many, unit: SM, kind: assumed, source: x}"),
      ".value: expected a number, found 'many'");
  EXPECT_EQ(
      errorOf("sm_count: {value: '8', unit: SM, kind: assumed, source: x}"),
      ".value: expected a number, found '8'");
  EXPECT_EQ(errorOf("sm_count: {unit: SM, kind: assumed, source: x}"),
            ": the value is missing; write the number");
  EXPECT_EQ(
      errorOf("sm_count: {value: 5000, unit: SM, kind: assumed, source: x}"),
      ".value: 5000 is out of range; sm_count has to be between 1 and 1024 "
      "SM");
  EXPECT_EQ(
      errorOf("sm_count: {value: 2.5, unit: SM, kind: assumed, source: x}"),
      ".value: 2.5 is no whole number of SM, as sm_count has to be");
  EXPECT_EQ(errorOf("sm_count: 108"),
            ": expected {value: ..., unit: SM, kind: ..., source: ...}, found "
            "'108'");
}

TEST(Reader, NamesKeysNearAnUnknownOne) {
  Description misspelt;
  misspelt.append("l2_sise: {value: 1, unit: KiB, kind: assumed, source: x}");
  EXPECT_NE(
      misspelt.error().find(": l2_sise: unknown key; did you mean l2_size"),
      std::string::npos)
      << misspelt.error();
  EXPECT_EQ(errorOf("sm_count: {value: 8, unit: SM, kind: assumed, source: x, "
                    "sources: y}"),
            ".sources: unknown key; did you mean source?");
}

TEST(Reader, NamesMissingKeys) {
  EXPECT_EQ(Description().with("sm_count", "").error(),
            "a.yaml: sm_count: the key is missing: streaming multiprocessors, "
            "in SM");
  EXPECT_EQ(Description().with("name", "").error(),
            "a.yaml: name: the key is missing: the GPU's name");
}

TEST(Reader, RefusesAKeyTwice) {
  Description twice;
  twice.append("sm_count: {value: 1, unit: SM, kind: assumed, source: x}");
  EXPECT_NE(twice.error().find("the key is given twice"), std::string::npos);
}

TEST(Reader, ReadsTheIdentityStrictly) {
  auto error = [](StringRef key, StringRef line) {
    std::string text = Description().with(key, line).error();
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(error("compute_capability",
                  "compute_capability: {value: sm_80, kind: documented, "
                  "source: x}"),
            "compute_capability.value: expected a compute capability such as "
            "8.0, found 'sm_80'");
  EXPECT_EQ(error("register_allocation",
                  "register_allocation: {value: thread, kind: documented, "
                  "source: x}"),
            "register_allocation.value: registers are allocated per warp or "
            "per block, found 'thread'");
  EXPECT_EQ(error("aliases", "aliases: A100"),
            "aliases: expected a list of names, found 'A100'");
  EXPECT_EQ(error("chip", "chip: {value: GA100, kind: documented}"),
            "chip: the source is missing; cite the document, the benchmark or "
            "the GPU it is from");
}

/// One number replaced; the message without file and line.
std::string inconsistency(StringRef key, StringRef unit, StringRef value) {
  std::string line = (key + ": {value: " + value + ", unit: " + unit +
                      ", kind: assumed, source: x}")
                         .str();
  std::string text = Description().with(key, line).error();
  return text == "no error" ? text : text.substr(text.find(": ") + 2);
}

TEST(Reader, WantsValuesThatFitTogether) {
  EXPECT_EQ(inconsistency("l1_line", "B", "96"),
            "l1_line: 96 B is no power of 2");
  EXPECT_EQ(inconsistency("max_threads_per_sm", "threads", "2040"),
            "max_threads_per_sm: 2040 threads is not a multiple of warp_size, "
            "32 threads");
  EXPECT_EQ(inconsistency("shared_per_block_optin", "B", "40960"),
            "shared_per_block: 49152 B is more than shared_per_block_optin, "
            "40960 B");
  EXPECT_EQ(inconsistency("dram_read_bandwidth", "GB/s", "1600"),
            "dram_read_bandwidth: 1600 GB/s is more than dram_bandwidth, 1555 "
            "GB/s");
  EXPECT_EQ(inconsistency("dram_read_bandwidth", "GB/s", "1580"), "no error");
  EXPECT_EQ(inconsistency("l2_effective", "KiB", "50000"),
            "l2_effective: 50000 KiB is more than l2_size, 40960 KiB");
  EXPECT_EQ(inconsistency("latency_shared", "cycles", "300"),
            "latency_shared: 300 cycles is more than latency_l2, 205.5 cycles");
  EXPECT_EQ(inconsistency("latency_dram", "cycles", "300"),
            "latency_l2_far: 356.6 cycles is more than latency_dram, 300 "
            "cycles");
  EXPECT_EQ(inconsistency("shared_carveouts", "KiB", "[0, 8, 8]"),
            "shared_carveouts: the sizes have to ascend, 8 follows 8");
  EXPECT_EQ(inconsistency("shared_carveouts", "KiB", "[0, 200]"),
            "shared_carveouts: 200 KiB are more than shared_per_sm, 167936 B");
}

TEST(Reader, ListsEveryProblem) {
  Description broken;
  broken.with("sm_count", "sm_count: 1").with("sm_clock", "");
  std::string error = broken.error();
  EXPECT_NE(error.find("sm_count: expected {"), std::string::npos);
  EXPECT_NE(error.find("sm_clock: the key is missing"), std::string::npos);
  EXPECT_EQ(StringRef(error).count('\n'), 1u);
}

std::string overrideError(GPU &gpu, std::vector<std::string> assignments) {
  llvm::Error problem = overrideQuantities(gpu, assignments);
  return problem ? llvm::toString(std::move(problem)) : "no error";
}

TEST(Override, SetsNumbersAndSaysSo) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  EXPECT_EQ(overrideError(gpu, {"sm_clock=1200", " queueing_factor = 1"}),
            "no error");
  EXPECT_EQ(gpu[Q::SMClock], 1200);
  EXPECT_EQ(gpu.quantity(Q::SMClock)->kind, SourceKind::Assumed);
  EXPECT_EQ(gpu.quantity(Q::SMClock)->source, "set to 1200; was 1410");
  EXPECT_EQ(gpu.quantity(Q::QueueingFactor)->source, "set to 1; was absent");
}

TEST(Override, RefusesWhatADescriptionWould) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  EXPECT_EQ(overrideError(gpu, {"sm_clok=1200"}),
            "sm_clok: no such number of a GPU; did you mean sm_clock, sm_count "
            "or dram_clock?");
  EXPECT_EQ(overrideError(gpu, {"sm_clock=fast"}),
            "sm_clock: expected sm_clock=<number in MHz>, found "
            "'sm_clock=fast'");
  EXPECT_EQ(overrideError(gpu, {"sm_clock=1.41"}),
            "sm_clock: 1.41 is out of range; sm_clock has to be between 100 "
            "and 5000 MHz");
}

TEST(Override, ChecksTheWholeOnceAllAreSet) {
  GPU gpu = llvm::cantFail(findGPU("A100-40GB"));
  EXPECT_EQ(overrideError(gpu, {"l2_size=10240"}),
            "l2_effective: 20480 KiB is more than l2_size, 10240 KiB; set "
            "both");
  EXPECT_EQ(gpu[Q::L2Size], 40960) << "unchanged after an error";
  EXPECT_EQ(overrideError(gpu, {"l2_size=10240", "l2_effective=10240"}),
            "no error");
}

//===----------------------------------------------------------------------===//
// Relatives
//===----------------------------------------------------------------------===//

/// What a chip like the A40 has of its own: half as much.
constexpr llvm::StringLiteral HalfAnA40 = R"(
name: Half-A40
aliases: []
compute_capability: {value: 8.6, kind: documented, source: "a test"}
like: A40
sm_count: {value: 42, unit: SM, kind: documented, source: "a test"}
sm_clock: {value: 870, unit: MHz, kind: documented, source: "a test"}
dram_bandwidth: {value: 348, unit: GB/s, kind: documented, source: "a test"}
dram_clock: {value: 7250, unit: MHz, kind: documented, source: "a test"}
l2_size: {value: 3072, unit: KiB, kind: documented, source: "a test"}
)";

GPU likeA40() {
  return llvm::cantFail(
      parseGPU(llvm::cantFail(parseDocument(HalfAnA40, "a.yaml"))));
}

TEST(LikeARelative, HasItsNumbersAndFacts) {
  GPU a40 = llvm::cantFail(findGPU("A40")), half = likeA40();
  EXPECT_EQ(half[Q::MaxThreadsPerSM], 1536);
  EXPECT_EQ(half.quantity(Q::MaxThreadsPerSM)->kind, SourceKind::Documented);
  EXPECT_EQ(half[Q::LatencyL2], a40[Q::LatencyL2]);
  EXPECT_EQ(half.quantity(Q::LatencyL2)->kind, SourceKind::Derived);
  EXPECT_EQ(half.quantity(Q::LatencyL2)->borrowedFrom, "A40");
  EXPECT_EQ(half.sharedCarveouts, a40.sharedCarveouts);
  EXPECT_TRUE(half.sharedAtomicTimes);
  EXPECT_TRUE(half.chip.empty()) << "a chip has its own name";
}

TEST(LikeARelative, ScalesRatesOfTheWholeChip) {
  GPU a40 = llvm::cantFail(findGPU("A40")), half = likeA40();
  EXPECT_DOUBLE_EQ(half[Q::DramReadBandwidth], a40[Q::DramReadBandwidth] / 2);
  EXPECT_NEAR(half[Q::DramRandomRate], a40[Q::DramRandomRate] / 2, 0.001)
      << "half the channels";
  EXPECT_NEAR(half[Q::L2Bandwidth], a40[Q::L2Bandwidth] / 4, 0.1)
      << "half the slices at half the clock";
  EXPECT_EQ(half.quantity(Q::L2Bandwidth)->source,
            "2430 GB/s of the A40, by l2_size and sm_clock");
  EXPECT_EQ(half[Q::BlockStartRate], a40[Q::BlockStartRate]);
}

std::string errorOfLike(StringRef line) {
  std::string text = HalfAnA40.str();
  size_t start = text.find("like: A40");
  text.replace(start, StringRef("like: A40").size(), line);
  auto gpu = parseGPU(llvm::cantFail(parseDocument(text, "a.yaml")));
  return gpu ? "no error" : llvm::toString(gpu.takeError());
}

TEST(LikeARelative, HasToBeOneWithNumbersOfItsOwn) {
  EXPECT_EQ(StringRef(errorOfLike("like: A41")).split('\n').first,
            "a.yaml:5: like: expected a GPU of 'auspex gpu list', found 'A41'");
  EXPECT_EQ(StringRef(errorOfLike("like: RTX-3070")).split('\n').first,
            "a.yaml:5: like: the description of the RTX-3070 is itself like "
            "that of the RTX-3080: name that");
}

TEST(LikeARelative, NeedsWhatEveryChipHasOfItsOwn) {
  std::string text = HalfAnA40.str();
  text.erase(text.find("l2_size"));
  auto gpu = parseGPU(llvm::cantFail(parseDocument(text, "a.yaml")));
  EXPECT_EQ(llvm::toString(gpu.takeError()),
            "a.yaml: l2_size: the key is missing: L2 capacity; 0 for none, in "
            "KiB");
}

} // namespace
