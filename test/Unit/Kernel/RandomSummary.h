// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Summaries that no kernel has, to test what must work for all of them.
#ifndef AUSPEX_TEST_UNIT_KERNEL_RANDOMSUMMARY_H
#define AUSPEX_TEST_UNIT_KERNEL_RANDOMSUMMARY_H

#include "auspex/Kernel/KernelSummary.h"

#include <random>

namespace auspex {

class RandomSummary {
public:
  explicit RandomSummary(unsigned seed) : random(seed) {}

  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool coin() { return number(0, 1); }

  KernelSummary make() {
    KernelSummary summary;
    summary.name = text();
    summary.demangled = coin() ? summary.name : text();
    summary.location = location();
    summary.arch = number(10, 999);
    for (int64_t i = number(0, 4); i > 0; --i)
      summary.arguments.push_back({static_cast<Argument::Kind>(number(0, 3)),
                                   static_cast<unsigned>(number(0, 64)),
                                   text()});
    for (int64_t i = number(0, 2); i > 0; --i)
      summary.variables.push_back({static_cast<Argument::Kind>(number(0, 3)),
                                   static_cast<unsigned>(number(0, 64)),
                                   "v" + std::to_string(i)});
    summary.maxThreadsPerBlock = maybe(1024);
    summary.minBlocksPerSM = maybe(32);
    for (unsigned &side : summary.requiredBlock)
      side = maybe(1024);
    summary.staticSharedInBytes = maybe(1 << 20);
    summary.usesDynamicShared = coin();
    summary.localInBytes = maybe(1 << 20);
    summary.registers = number(0, 255);
    summary.registerOrigin = static_cast<RegisterOrigin>(number(0, 2));
    addBody(summary);
    return summary;
  }

private:
  std::mt19937 random;
  std::vector<std::string> symbols;

  unsigned maybe(int64_t most) { return coin() ? 0 : number(0, most); }

  /// Every kind of character, from quotes over control characters to emoji.
  std::string text() {
    static constexpr llvm::StringRef pieces[] = {
        "a", "_Z5saxpy", " ",    "\"",   "\\",           "/",
        "'", "\n",       "\x01", "\x7f", "\xc3\xa9",     "\xf0\x9f\x98\x80",
        "{", "# ",       ": ",   "null", "\xef\xbb\xbf", "~"};
    std::string result;
    for (int64_t i = number(0, 5); i > 0; --i)
      result += pieces[number(0, std::size(pieces) - 1)];
    return result;
  }

  double real(double low) {
    return low + (coin() ? static_cast<double>(number(0, 20))
                         : std::exponential_distribution<>(0.1)(random));
  }

  SourceLocation location(unsigned depth = 0) {
    SourceLocation result;
    if (coin())
      return result;
    result.file = text();
    result.line = maybe(UINT32_MAX);
    result.column = maybe(200);
    for (int64_t i = depth < 3 ? number(0, 2) : 0; i > 0; --i)
      result.inlinedAt.push_back(location(depth + 1));
    return result;
  }

  Expr expr(unsigned depth) {
    if (depth == 0 || number(0, 3) == 0)
      return coin() ? Expr(number(-100, 100))
                    : Expr::symbol(symbols[number(0, symbols.size() - 1)]);
    Expr a = expr(depth - 1), b = expr(depth - 1);
    switch (number(0, 8)) {
    case 0:
      return a - b;
    case 1:
      return a * b;
    case 2:
      return Expr::floorDiv(a, number(1, 64));
    case 3:
      return Expr::mod(a, number(1, 64));
    case 4:
      return Expr::max(a, b);
    case 5:
      return Expr::conjunction(Expr::isLess(a, b), Expr::isNotEqual(b, 3));
    case 6:
      return Expr::bitXor(a, b);
    default:
      return a + b;
    }
  }

  MaybeExpr value() {
    Expr result = expr(3);
    return coin() && result.isValid() ? MaybeExpr{result, ""}
                                      : MaybeExpr::unknown(text());
  }

  InstructionMix mix() {
    InstructionMix result;
    for (int64_t i = number(0, 6); i > 0; --i) {
      auto infos = instructionClassInfos();
      result[infos[number(0, infos.size() - 1)].id] = real(0);
    }
    return result;
  }

  void nameSymbols(const KernelSummary &summary, unsigned loops) {
    symbols = {"tid.x", "ctaid.y", "ntid.z", "nctaid.x"};
    for (size_t i = 0; i < summary.arguments.size(); ++i) {
      symbols.push_back("arg" + std::to_string(i));
      symbols.push_back(symbols.back() + ".16");
    }
    for (const Argument &variable : summary.variables)
      symbols.push_back("@" + variable.name + ".4");
    for (unsigned i = 0; i < loops; ++i)
      symbols.push_back("i" + std::to_string(i));
    for (const DataSymbol &symbol : summary.dataSymbols)
      symbols.push_back(symbol.name);
  }

  void addBody(KernelSummary &summary) {
    for (int64_t i = number(0, 3); i > 0; --i)
      summary.dataSymbols.push_back(
          {"data" + std::to_string(summary.dataSymbols.size()), text(), coin(),
           coin() ? std::nullopt
                  : std::optional(std::uniform_real_distribution<>()(random)),
           location(),
           coin() ? std::vector<Expr>()
                  : std::vector{Expr::symbol("tid.y"), Expr::symbol("tid.z")}});
    int loops = number(0, 3);
    nameSymbols(summary, loops);
    for (int i = 0; i < loops; ++i)
      summary.loops.push_back({"i" + std::to_string(i),
                               static_cast<int>(number(-1, i - 1)), value(),
                               coin(), location()});
    for (int64_t i = number(1, 4); i > 0; --i)
      summary.blocks.push_back(block(loops));
    for (unsigned i = 1; i < summary.blocks.size(); ++i)
      summary.blocks[i].predicatedIn = static_cast<int>(number(-1, i - 1));
    for (Block &each : summary.blocks)
      each.interval = number(0, 3);
    unsigned last = summary.blocks.size() - 1;
    auto some = [&] { return static_cast<unsigned>(number(0, last)); };
    for (int64_t i = number(0, 4); i > 0; --i)
      summary.accesses.push_back(access(summary, some()));
    for (int64_t i = number(0, 2); i > 0; --i)
      summary.branches.push_back({some(), value(), location()});
    for (int64_t i = number(0, 2); i > 0; --i)
      summary.callees.push_back({text(), some(), location(), text()});
    for (int64_t i = number(0, 2); i > 0; --i)
      summary.doublesOfFloats.push_back(location());
    for (int64_t i = number(0, 2); i > 0; --i)
      summary.assumptions.push_back(text());
  }

  Block block(int loops) {
    Block result{
        text(), static_cast<int>(number(-1, loops - 1)), value(), -1, {}};
    auto code = [&](unsigned unroll, unsigned begins) {
      return MachineCode{unroll, begins,  mix(),   mix(),  mix(),
                         mix(),  real(1), real(1), lines()};
    };
    for (unsigned unroll : {8, 4, 1})
      if (coin())
        result.code.push_back(code(unroll, 0));
    for (size_t i = result.versions().size(); i-- > 0;)
      if (coin())
        result.code.push_back(code(0, result.code[i].unroll));
    return result;
  }

  std::vector<LineCode> lines() {
    std::vector<LineCode> result;
    for (unsigned line = number(1, 9); coin(); line += number(1, 9))
      result.push_back({{text(), line, 0, {}}, mix()});
    return result;
  }

  Access access(const KernelSummary &summary, unsigned block) {
    std::vector<std::string> bases{"", "@tile", "%local"};
    for (size_t i = 0; i < summary.arguments.size(); ++i)
      bases.push_back("arg" + std::to_string(i) + (coin() ? ".8" : ""));
    std::pair<MaybeExpr, MaybeExpr> bounds{{expr(3), ""}, {expr(3), ""}};
    if (coin() || !bounds.first.isKnown() || !bounds.second.isKnown())
      bounds = {};
    return {block,
            static_cast<AccessKind>(number(0, 2)),
            static_cast<MemorySpace>(number(0, 4)),
            static_cast<unsigned>(number(1, 16)),
            static_cast<unsigned>(number(1, 32)),
            bases[number(0, bases.size() - 1)],
            static_cast<uint64_t>(number(0, 3)),
            value(),
            bounds.first,
            bounds.second,
            coin() ? expr(3) : Expr::invalid(),
            text(),
            coin(),
            coin(),
            coin(),
            coin(),
            coin(),
            location()};
  }
};

} // namespace auspex

#endif
