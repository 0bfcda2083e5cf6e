// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomSummary.h"
#include "auspex/Kernel/SummaryDocument.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace auspex;

namespace {

llvm::Expected<std::vector<KernelSummary>> read(llvm::StringRef text) {
  llvm::Expected<Node> document = parseDocument(text, "k.json");
  if (!document)
    return document.takeError();
  auto summaries = readSummaries(*document);
  if (!summaries)
    return summaries.takeError();
  return std::move(summaries->kernels);
}

std::string readError(llvm::StringRef text) {
  auto result = read(text);
  return result ? "no error" : llvm::toString(result.takeError());
}

Expr parse(llvm::StringRef text) { return llvm::cantFail(Expr::parse(text)); }

SourceLocation at(unsigned line, unsigned column) {
  return {"saxpy.cu", line, column, {}};
}

/// A summary in which every field says something.
KernelSummary everyField() {
  KernelSummary summary;
  summary.name = "_Z5saxpyifPKfPf";
  summary.demangled = "saxpy(int, float, float const*, float*)";
  summary.location = at(3, 1);
  summary.arch = 80;
  summary.arguments = {{Argument::Kind::Integer, 4, "n"},
                       {Argument::Kind::Float, 4, "a"},
                       {Argument::Kind::Pointer, 8, "x"},
                       {Argument::Kind::Struct, 24, ""}};
  summary.maxThreadsPerBlock = 256;
  summary.minBlocksPerSM = 2;
  summary.requiredBlock[0] = 256;
  summary.requiredBlock[1] = summary.requiredBlock[2] = 1;
  summary.staticSharedInBytes = 1024;
  summary.usesDynamicShared = true;
  summary.localInBytes = 16;
  summary.registers = 32;
  summary.registerOrigin = RegisterOrigin::Assembler;
  summary.dataSymbols = {
      {"data0", "indirect", true, 0.5, at(6, 2), {parse("ctaid.x + i0")}}};
  summary.loops = {
      {"i0", -1, {parse("floordiv(arg0, 32)"), ""}, true, at(5, 3)},
      {"i1", 0, MaybeExpr::unknown("early-exit"), false, {}}};
  MachineCode code;
  code.unroll = 4;
  code.mix[InstructionClass::Fp32] = 4;
  code.mix[InstructionClass::LoadGlobal] = 1.35;
  code.path[InstructionClass::Fp32] = 1;
  code.threeOperands[InstructionClass::Fp32] = 0.5;
  code.asMultiplyAdds[InstructionClass::IntAdd] = 0.75;
  code.ilp = 1.5;
  code.mlp = 2.25;
  summary.blocks = {{"b0", -1, {Expr(1), ""}, -1, {MachineCode()}},
                    {"b1", 1, {parse("[tid.x < arg0]"), ""}, 0, {code}}};
  SourceLocation inlined = at(7, 8);
  inlined.inlinedAt = {at(20, 4), {"main.cu", 9, 0, {}}};
  summary.accesses = {{1,
                       AccessKind::Load,
                       MemorySpace::Global,
                       4,
                       32,
                       "arg2",
                       4096,
                       {parse("4*tid.x + 128*i0 + arg3.16"), ""},
                       {},
                       {},
                       Expr::invalid(),
                       "",
                       false,
                       false,
                       false,
                       false,
                       true,
                       inlined},
                      {0,
                       AccessKind::Atomic,
                       MemorySpace::Shared,
                       8,
                       16,
                       "@bins",
                       0,
                       MaybeExpr::unknown("indirect"),
                       {Expr(0), ""},
                       {parse("4*arg0 - 4"), ""},
                       parse("4*data0"),
                       "add",
                       true,
                       true,
                       true,
                       true,
                       false,
                       at(8, 1)}};
  summary.branches = {{0, {parse("[data0 != 0]"), ""}, at(4, 7)}};
  summary.callees = {{"printf", 1, at(9, 1), ""},
                     {"", 1, {}, "it is called through a pointer"}};
  summary.doublesOfFloats = {at(5, 3)};
  summary.assumptions = {"The compute capability is not stated; 7.5 is taken."};
  return summary;
}

TEST(SummaryJSON, RoundTripsEveryField) {
  std::vector<KernelSummary> summaries{everyField(), KernelSummary()};
  summaries[1].arch = 90;
  std::string text = writeSummaries(summaries);
  auto again = read(text);
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(*again, summaries);
  EXPECT_EQ(writeSummaries(*again), text);
}

TEST(SummaryJSON, KeepsItsShape) {
  std::string text = writeSummaries(everyField());
  auto has = [&](llvm::StringRef part) {
    EXPECT_NE(text.find(part), std::string::npos) << part.str() << "\n" << text;
  };
  has("{\n  \"schemaVersion\": 1,\n  \"kernels\": [\n    {\n"
      "      \"name\": \"_Z5saxpyifPKfPf\",\n");
  has("\"requiredBlock\": [256,1,1],\n");
  has("{\"iv\":\"i1\",\"parent\":0,\"tripCount\":{\"unknown\":\"early-exit\"}"
      "}");
  has("{\"unroll\":4,\"mix\":{\"fp32\":4,\"load_global\":1.35},\"path\":{"
      "\"fp32\":1},\"threeOperands\":{\"fp32\":0.5},\"asMultiplyAdds\":{\"int_"
      "add\":"
      "0.75},\"ilp\":1.5,\"mlp\":2.25}");
  has("{\"block\":1,\"kind\":\"load\",\"bypassesL1\":true,\"space\":\"global\","
      "\"bytesPerLane\":4,"
      "\"base\":\"arg2\",\"objectInBytes\":4096,\"offset\":\"arg3.16 + 128*i0 "
      "+ 4*tid.x\","
      "\"location\":{\"file\":\"saxpy.cu\",\"line\":7,\"column\":8,"
      "\"inlinedAt\":[{\"file\":\"saxpy.cu\",\"line\":20,\"column\":4},{"
      "\"file\":\"main.cu\",\"line\":9}]}}");
  EXPECT_EQ(text.back(), '\n');
}

TEST(SummaryJSON, RestoresWhatIsLeftOut) {
  auto result = read("{schemaVersion: 1, kernels: [{name: k, arch: 80}]}");
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  KernelSummary expected;
  expected.name = expected.demangled = "k";
  expected.arch = 80;
  EXPECT_EQ(*result, std::vector{expected});
}

TEST(SummaryJSON, WritesWhatThePageShows) {
  auto page = llvm::MemoryBuffer::getFile(AUSPEX_TEST_DATA
                                          "/../../../docs/summary-schema.md");
  ASSERT_TRUE(static_cast<bool>(page));
  llvm::StringRef example =
      (*page)->getBuffer().split("```json\n").second.split("```").first;
  auto result = read(example);
  ASSERT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(writeSummaries(*result), example.str());
}

TEST(SummaryJSON, WritesTextThatIsNotUtf8) {
  KernelSummary summary = everyField();
  summary.location.file = "caf\xe9.cu";
  auto again = read(writeSummaries(summary));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ((*again)[0].location.file, "caf\xef\xbf\xbd.cu");
}

TEST(SummaryJSON, NamesBothVersions) {
  EXPECT_EQ(readError("{\"schemaVersion\": 2, \"modules\": []}"),
            "k.json:1: schemaVersion: the summary has version 2 of its format, "
            "and this Auspex reads version 1; use a newer Auspex, or write the "
            "summary again with this Auspex");
  EXPECT_EQ(readError("{\"schemaVersion\": 0, \"kernels\": []}"),
            "k.json:1: schemaVersion: the summary has version 0 of its format, "
            "and this Auspex reads version 1; write the summary again with "
            "this Auspex");
  EXPECT_EQ(readError("{\"kernels\": []}"),
            "k.json:1: schemaVersion: the key is missing");
  EXPECT_EQ(readError("{\"schemaVersion\": 1}"),
            "k.json:1: kernels: the key is missing");
  EXPECT_EQ(readError("[]"), "k.json:1: expected a mapping, found a list");
}

//===----------------------------------------------------------------------===//
// What is wrong in a kernel
//===----------------------------------------------------------------------===//

/// The complaint about everyField() with \p from replaced by \p to.
std::string errorAfter(llvm::StringRef from, llvm::StringRef to) {
  std::string text = writeSummaries(everyField());
  size_t where = text.find(from);
  EXPECT_NE(where, std::string::npos) << from.str();
  text.replace(where, from.size(), to);
  std::string message = readError(text);
  EXPECT_TRUE(llvm::StringRef(message).consume_front("k.json:")) << message;
  // Without the line, which moves with every new field.
  return message.substr(message.find(": ") + 2);
}

TEST(SummaryReader, ChecksIndices) {
  EXPECT_EQ(errorAfter("{\"block\":1,\"kind\"", "{\"block\":2,\"kind\""),
            "kernels[0].accesses[0].block: 2 is out of range; it has to be at "
            "most 1");
  EXPECT_EQ(errorAfter("\"parent\":0", "\"parent\":1"),
            "kernels[0].loops[1].parent: 1 is out of range; it has to be at "
            "most 0");
  EXPECT_EQ(errorAfter("\"loop\": 1", "\"loop\": 2"),
            "kernels[0].blocks[1].loop: 2 is out of range; it has to be at "
            "most 1");
  EXPECT_EQ(errorAfter("\"iv\":\"i1\"", "\"iv\":\"i0\""),
            "kernels[0].loops[1].iv: expected 'i1', the position in the list, "
            "found 'i0'");
  EXPECT_EQ(errorAfter("{\"name\":\"printf\",\"block\":1",
                       "{\"name\":\"printf\",\"block\":-1"),
            "kernels[0].callees[0].block: -1 is out of range; it has to be at "
            "least 0");
}

TEST(SummaryReader, ChecksNumbers) {
  EXPECT_EQ(errorAfter("\"unroll\":4", "\"unroll\":-1"),
            "kernels[0].blocks[1].code[0].unroll: -1 is out of range; it has "
            "to be at least 0");
  EXPECT_EQ(errorAfter("\"ilp\":1.5", "\"ilp\":0.5"),
            "kernels[0].blocks[1].code[0].ilp: 0.5 is out of range; it has to "
            "be at least 1");
  EXPECT_EQ(errorAfter("\"load_global\":1.35", "\"load_global\":-1"),
            "kernels[0].blocks[1].code[0].mix.load_global: -1 is out of range; "
            "a count is at least 0 and at most 1e15");
  EXPECT_EQ(errorAfter("\"load_global\":1.35", "\"load_global\":1e999"),
            "kernels[0].blocks[1].code[0].mix.load_global: expected a number, "
            "found '1e999'");
  EXPECT_EQ(errorAfter("\"registers\": 32", "\"registers\": 256"),
            "kernels[0].registers: 256 is out of range; it has to be at most "
            "255");
  EXPECT_EQ(errorAfter("\"arch\": 80", "\"arch\": \"sm_80\""),
            "kernels[0].arch: expected an integer, found 'sm_80'");
  EXPECT_EQ(errorAfter("\"probability\":0.5", "\"probability\":1.5"),
            "kernels[0].dataSymbols[0].probability: 1.5 is out of range; it "
            "has to be at most 1");
  EXPECT_EQ(errorAfter("[256,1,1]", "[256,1]"),
            "kernels[0].requiredBlock: expected three numbers of threads, "
            "[x, y, z]");
  EXPECT_EQ(errorAfter("[256,1,1]", "[256,1,1,1]"),
            "kernels[0].requiredBlock[3]: expected three numbers of threads, "
            "[x, y, z]");
}

TEST(SummaryReader, ChecksExpressionsAndTheirSymbols) {
  EXPECT_EQ(errorAfter("\"[tid.x < arg0]\"", "\"[tid.x < ]\""),
            "kernels[0].blocks[1].guard: in the expression '[tid.x < ]': ']' "
            "is not expected");
  EXPECT_EQ(errorAfter("\"[tid.x < arg0]\"", "\"[tdi.x < arg0]\""),
            "kernels[0].blocks[1].guard: the kernel has no symbol 'tdi.x'; did "
            "you mean tid.x, ctaid.x or ntid.x?");
  for (llvm::StringRef symbol : {"arg4", "arg00", "arg0.", "arg0.x", "arg",
                                 "i2", "i", "data1", "tid.w", "i0x"})
    EXPECT_TRUE(
        llvm::StringRef(errorAfter("[tid.x <", ("[" + symbol + " <").str()))
            .starts_with("kernels[0].blocks[1].guard: the kernel has "
                         "no symbol"))
        << symbol.str();
  EXPECT_EQ(errorAfter("\"name\":\"data0\"", "\"name\":\"tid.x\""),
            "kernels[0].dataSymbols[0].name: the symbol 'tid.x' exists "
            "already");
  EXPECT_EQ(errorAfter("\"name\":\"data0\"", "\"name\":\"a+b\""),
            "kernels[0].dataSymbols[0].name: 'a+b' cannot be the name of a "
            "symbol");
  EXPECT_EQ(errorAfter("{\"unknown\":\"early-exit\"}", "{\"unkown\":\"x\"}"),
            "kernels[0].loops[1].tripCount.unknown: the key is missing; "
            "'unkown' stands there");
}

TEST(SummaryReader, ChecksWords) {
  EXPECT_EQ(errorAfter("\"kind\":\"load\"", "\"kind\":\"read\""),
            "kernels[0].accesses[0].kind: 'read' is not one of load, store, "
            "atomic");
  EXPECT_EQ(errorAfter("\"base\":\"arg2\"", "\"base\":\"arg9\""),
            "kernels[0].accesses[0].base: 'arg9' is not an object: an argument "
            "of the kernel (arg0, or arg0.8 for a pointer in a struct), a "
            "global (@name), a local variable (%name), or what pointers in one "
            "of these point to (arg0[])");
  EXPECT_EQ(errorAfter("\"fp32\":4", "\"fp23\":4"),
            "kernels[0].blocks[1].code[0].mix.fp23: there is no such "
            "instruction class; did you mean fp32, fp64 or fp16?");
  EXPECT_EQ(errorAfter("\"mix\":{\"fp32\":4", "\"mixx\":{\"fp32\":4"),
            "kernels[0].blocks[1].code[0].mix: the key is missing");
  EXPECT_EQ(errorAfter("\"column\":8", "\"col\":8"),
            "kernels[0].accesses[0].location.col: unknown key; did you mean "
            "column?");
  EXPECT_EQ(errorAfter("\"registers\": 32", "\"register\": 32"),
            "kernels[0].register: unknown key; did you mean registers or "
            "registerOrigin?");
}

TEST(SummaryReader, WantsBothBounds) {
  EXPECT_EQ(errorAfter("\"lowest\":\"0\",", ""),
            "kernels[0].accesses[1]: lowest and highest are expressions, and "
            "stand together or not at all");
}

TEST(SummaryReader, WantsTheVersionThatCodeBegins) {
  KernelSummary summary = everyField();
  MachineCode &start = summary.blocks[1].code.emplace_back();
  start.unroll = 0;
  start.begins = 7;
  EXPECT_NE(readError(writeSummaries(summary))
                .find("code begins a version of unroll 7, and there is none"),
            std::string::npos);
}

TEST(SummaryReader, WantsUnrolledCodeFirst) {
  KernelSummary summary = everyField();
  summary.blocks[1].code.push_back(summary.blocks[1].code[0]);
  EXPECT_NE(readError(writeSummaries(summary)).find("largest unroll first"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Anything at all
//===----------------------------------------------------------------------===//

TEST(SummaryJSONProperty, RoundTripsRandomSummaries) {
  RandomSummary random(1);
  for (int round = 0; round < 1000; ++round) {
    std::vector<KernelSummary> summaries{random.make(), random.make()};
    std::string text = writeSummaries(summaries);
    auto again = read(text);
    ASSERT_TRUE(static_cast<bool>(again))
        << llvm::toString(again.takeError()) << '\n'
        << text;
    ASSERT_EQ(*again, summaries) << text;
    ASSERT_EQ(writeSummaries(*again), text);
  }
}

TEST(SummaryJSONProperty, SurvivesEveryTruncation) {
  std::string text = writeSummaries(everyField());
  for (size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_NE(readError(llvm::StringRef(text).take_front(size)), "no error");
}

/// Changes bytes, and copies or removes pieces.
std::string mutate(std::string text, RandomSummary &random) {
  static constexpr llvm::StringRef bytes =
      "{}[]\",:\\-+*/%()<>=!.0129eianu~#&|'\n\t \x01\x7f\x80\xc3\xff";
  for (int64_t i = random.number(1, 4); i > 0; --i) {
    size_t where = random.number(0, text.size() - 1);
    size_t size = random.number(1, 40);
    switch (random.number(0, 3)) {
    case 0:
      text.erase(where, size);
      break;
    case 1:
      text.insert(where, text.substr(random.number(0, text.size() - 1), size));
      break;
    default:
      text[where] = bytes[random.number(0, bytes.size() - 1)];
    }
  }
  return text;
}

TEST(SummaryJSONProperty, SurvivesMutation) {
  RandomSummary random(2);
  std::string valid = writeSummaries(everyField());
  unsigned accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = mutate(valid, random);
    auto result = read(text);
    if (!result) {
      llvm::consumeError(result.takeError());
      continue;
    }
    // What is accepted is a summary like any other.
    ++accepted;
    auto again = read(writeSummaries(*result));
    ASSERT_TRUE(static_cast<bool>(again))
        << llvm::toString(again.takeError()) << '\n'
        << text;
    EXPECT_EQ(*again, *result) << text;
  }
  EXPECT_GT(accepted, 50u);
}

TEST(SummaryJSONProperty, SurvivesDepthAndSize) {
  auto withOffset = [](const std::string &offset) {
    std::string text = writeSummaries(everyField());
    llvm::StringRef from = "\"arg3.16 + 128*i0 + 4*tid.x\"";
    return text.replace(text.find(from), from.size(), offset);
  };
  auto repeat = [](llvm::StringRef part, unsigned times) {
    std::string text;
    for (unsigned i = 0; i < times; ++i)
      text += part;
    return text;
  };
  auto quoted = [](const std::string &text) { return "\"" + text + "\""; };
  constexpr unsigned Many = 100000;
  EXPECT_EQ(readError(withOffset(quoted("arg0"))), "no error");
  for (const std::string &offset :
       {quoted(repeat("(", Many)), quoted(repeat("-", Many)),
        quoted("arg0" + repeat("%arg0", Many)),
        quoted("arg0" + repeat("%arg0", 1000)),
        quoted(repeat("min(", Many) + "1" + repeat(",1)", Many)),
        quoted(repeat("9", Many)), repeat("[", Many),
        repeat("{\"unknown\":", Many), repeat("9", Many), quoted("?"),
        quoted(""), std::string("1.5"), std::string("true"), std::string("[]"),
        std::string("{}"), std::string("null")})
    EXPECT_NE(readError(withOffset(offset)), "no error")
        << offset.substr(0, 80);
}

// What a source says is kept as it is, so that the error can name the source.
TEST(SummaryJSON, KeepsALaunchThatCannotBe) {
  LaunchConfig launch;
  launch.kernel = "k";
  launch.grid = {{0, 1, 1}, LaunchOrigin::Source};
  launch.block = {{2048, 1, 1}, LaunchOrigin::Source};
  launch.dynamicShared = {5000000000, LaunchOrigin::Source};
  launch.location = {"k.cu", 12, 3, {}};
  std::string text = writeSummaries({}, launch);
  auto again = readSummaries(*parseDocument(text, "summary.json"));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(writeSummaries({}, again->launches), text);
}

TEST(SummaryJSON, KeepsWhatOtherFilesHaveToDoWithIt) {
  HostCall call;
  call.function = "_Z3runP4GridfPvb";
  call.arguments.resize(4);
  call.arguments[0].members[0].integer = -7;
  call.arguments[0].members[8].objectInBytes = uint64_t(1) << 40;
  call.arguments[0].members[16].real = 3;
  call.arguments[1].value.real = 0.1;
  call.arguments[3].value.integer = INT64_MIN;
  call.isWithoutArguments = true;
  call.location = {"main.cpp", 12, 3, {}};
  HostInterface interface = {{"_Z5startv", "stop"},
                             {call, {"stop", {}, false, {}}}};
  std::string text = writeSummaries({}, {}, interface);
  auto again = readSummaries(*parseDocument(text, "summary.json"));
  ASSERT_TRUE(static_cast<bool>(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->interface, interface);
  EXPECT_EQ(writeSummaries({}, {}, again->interface), text);
}

TEST(SummaryJSON, RefusesCallsThatCannotBe) {
  auto document = [](llvm::StringRef call) {
    return (R"({"schemaVersion": 1, "kernels": [], "calls": [)" + call + "]}")
        .str();
  };
  EXPECT_NE(readError(document(R"({"arguments": []})"))
                .find("calls[0].function: the key is missing"),
            std::string::npos);
  EXPECT_NE(
      readError(document(R"({"function": "f", "arguments": [{"bytes": 0}]})"))
          .find("calls[0].arguments[0].bytes"),
      std::string::npos);
  EXPECT_NE(
      readError(document(R"({"function": "f", "arguments": [{"number": 0}]})"))
          .find("calls[0].arguments[0].number"),
      std::string::npos);
}

// One without a place can only be found in the document.
TEST(SummaryJSON, RefusesALaunchOfNowhereThatCannotBe) {
  LaunchConfig launch;
  launch.kernel = "k";
  launch.block = {{2048, 1, 1}, LaunchOrigin::Source};
  std::string error = readError(writeSummaries({}, launch));
  EXPECT_NE(error.find("launches[0].block: 2048 threads exceed the 1024"),
            std::string::npos)
      << error;
}

TEST(SummaryJSON, KeepsTheLaunchesOfTheSource) {
  LaunchConfig launch;
  launch.kernel = "_Z1kPf";
  launch.grid = {{4096, 2, 1}, LaunchOrigin::Pragma};
  launch.dynamicShared = {1024, LaunchOrigin::Pragma};
  launch.registers = {32, LaunchOrigin::Pragma};
  launch.maxBlocksPerSM = {2, LaunchOrigin::Pragma};
  launch.warmL2 = {true, LaunchOrigin::Pragma};
  launch.arguments["arg0"] = {-3, LaunchOrigin::Pragma};
  launch.location = {"k.cu", 12, 3, {}};
  std::string text = writeSummaries({}, launch);
  auto document = parseDocument(text, "summary.json");
  ASSERT_TRUE(static_cast<bool>(document));
  auto again = readSummaries(*document);
  ASSERT_TRUE(static_cast<bool>(again));
  ASSERT_EQ(again->launches.size(), 1u);
  EXPECT_EQ(writeSummaries({}, again->launches), text);
  EXPECT_EQ(again->launches[0].grid->origin, LaunchOrigin::Pragma);
  EXPECT_EQ(again->launches[0].registers->value, 32u);
  EXPECT_EQ(again->launches[0].maxBlocksPerSM->value, 2u);
  EXPECT_EQ(again->launches[0].warmL2, launch.warmL2);
  EXPECT_EQ(again->launches[0].location.line, 12u);
}

} // namespace
