// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BlockCode.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

using namespace auspex;

/// Cycles until a dependent instruction can start, roughly, on any GPU since
/// 2017. Only which path is longest depends on them; its length in cycles is
/// worked out later with the latencies of the GPU in question.
static unsigned nominalLatency(InstructionClass id) {
  switch (id) {
  case InstructionClass::LoadGlobal:
  case InstructionClass::AtomicGlobal:
  case InstructionClass::Texture:
    return 400;
  case InstructionClass::Barrier:
  case InstructionClass::LoadLocal:
  case InstructionClass::AtomicShared:
    return 40;
  case InstructionClass::LoadShared:
  case InstructionClass::LoadConstant:
  case InstructionClass::Shuffle:
    return 25;
  case InstructionClass::Sfu:
  case InstructionClass::BitCount:
  case InstructionClass::Convert:
  case InstructionClass::ConvertWide:
  case InstructionClass::SpecialRegister:
  case InstructionClass::Redux:
  case InstructionClass::Tensor:
  case InstructionClass::TensorFp32:
    return 20;
  case InstructionClass::Fp64:
    return 8;
  default:
    return info(id).latency ? 4 : 1;
  }
}

/// Cycles of a whole node: its expansion is a chain.
static unsigned nodeLatency(const CodeNode &node) {
  if (node.free)
    return 0;
  unsigned latency = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    latency +=
        static_cast<unsigned>(node.cost[info.id]) * nominalLatency(info.id);
  return latency;
}

namespace {

/// The dependence graph of a block.
class Graph {
public:
  explicit Graph(llvm::ArrayRef<CodeNode> nodes)
      : nodes(nodes), users(nodes.size()), fromStart(nodes.size()),
        toEnd(nodes.size()) {
    for (unsigned i = 0; i < nodes.size(); ++i)
      for (unsigned input : nodes[i].inputs)
        users[input].push_back(i);
    for (unsigned i = 0; i < nodes.size(); ++i) {
      unsigned start = 0;
      for (unsigned input : nodes[i].inputs)
        start = std::max(start, fromStart[input]);
      fromStart[i] = start + nodeLatency(nodes[i]);
    }
    for (unsigned i = nodes.size(); i-- > 0;) {
      for (unsigned user : users[i])
        toEnd[i] = std::max(toEnd[i], toEnd[user]);
      toEnd[i] += nodeLatency(nodes[i]);
    }
  }

  /// The nodes on the longest path, from the last on.
  std::vector<unsigned> longestPath() const {
    std::vector<unsigned> path;
    if (nodes.empty())
      return path;
    unsigned at = std::max_element(fromStart.begin(), fromStart.end()) -
                  fromStart.begin();
    while (true) {
      path.push_back(at);
      auto inputs = llvm::ArrayRef(nodes[at].inputs);
      if (inputs.empty())
        return path;
      at = *std::max_element(
          inputs.begin(), inputs.end(),
          [&](unsigned a, unsigned b) { return fromStart[a] < fromStart[b]; });
    }
  }

  /// List scheduling: of what is ready, first what the longest path waits for,
  /// else in program order. Free nodes are in it too.
  std::vector<unsigned> schedule() const {
    using Entry = std::pair<unsigned, int>; // longest path, -position
    std::priority_queue<Entry> ready;
    std::vector<unsigned> missing(nodes.size());
    std::vector<unsigned> order;
    for (unsigned i = 0; i < nodes.size(); ++i) {
      missing[i] = nodes[i].inputs.size();
      if (missing[i] == 0)
        ready.emplace(toEnd[i], -static_cast<int>(i));
    }
    while (!ready.empty()) {
      unsigned next = -ready.top().second;
      ready.pop();
      order.push_back(next);
      for (unsigned user : users[next])
        if (--missing[user] == 0)
          ready.emplace(toEnd[user], -static_cast<int>(user));
    }
    return order;
  }

private:
  llvm::ArrayRef<CodeNode> nodes;
  std::vector<llvm::SmallVector<unsigned, 2>> users;
  std::vector<unsigned> fromStart, toEnd;
};

} // namespace

/// GPUPerf 5.3: instructions over groups; a group ends before an instruction
/// that depends on one of it. Expanded instructions count as they expand, in a
/// chain.
static double measureIlp(llvm::ArrayRef<CodeNode> nodes,
                         llvm::ArrayRef<unsigned> order) {
  double instructions = 0, groups = 0;
  // Free nodes pass on the last group of what they need.
  std::vector<unsigned> groupOf(nodes.size(), 0);
  unsigned group = 1;
  for (unsigned node : order) {
    unsigned last = 0;
    for (unsigned input : nodes[node].inputs)
      last = std::max(last, groupOf[input]);
    if (nodes[node].free) {
      groupOf[node] = last;
      continue;
    }
    if (last == group)
      ++group;
    groupOf[node] = group;
    double expanded = nodes[node].cost.total();
    instructions += expanded;
    groups += expanded > 1 ? expanded - 1 : 0;
  }
  groups += group;
  return std::max(1.0, instructions / groups);
}

/// GPUPerf 5.3: the mean over loads of the memory requests from the load (it
/// included) to its first use.
static double measureMlp(llvm::ArrayRef<CodeNode> nodes,
                         llvm::ArrayRef<unsigned> order) {
  std::vector<unsigned> requestsBefore(order.size() + 1, 0);
  std::vector<unsigned> firstUse(nodes.size(), order.size());
  for (unsigned i = 0; i < order.size(); ++i)
    requestsBefore[i + 1] =
        requestsBefore[i] + isGlobalMemory(nodes[order[i]].main);
  for (unsigned i = order.size(); i-- > 0;) {
    unsigned node = order[i];
    // Free nodes are used where what needs them is.
    unsigned use = nodes[node].free ? firstUse[node] : i;
    for (unsigned input : nodes[node].inputs)
      firstUse[input] = std::min(firstUse[input], use);
  }
  double loads = 0, requests = 0;
  for (unsigned i = 0; i < order.size(); ++i) {
    InstructionClass id = nodes[order[i]].main;
    if (!isGlobalMemory(id) || !isLoad(id))
      continue;
    ++loads;
    requests += requestsBefore[firstUse[order[i]]] - requestsBefore[i];
  }
  return loads ? std::max(1.0, requests / loads) : 1;
}

static InstructionMix costsOf(llvm::ArrayRef<CodeNode> nodes,
                              llvm::ArrayRef<unsigned> path) {
  InstructionMix mix;
  for (unsigned at : path)
    mix.add(nodes[at].cost);
  return mix;
}

static void addToPath(MachineCode &code, const CodeNode &node,
                      const InstructionMix &cost) {
  code.path.add(cost);
  if (node.hasThreeOperands)
    for (InstructionClass id : {InstructionClass::Fp32, InstructionClass::Fp64})
      code.threeOperands[id] += cost[id];
}

MachineCode auspex::summarizeBlock(llvm::ArrayRef<CodeNode> nodes) {
  MachineCode code;
  for (const CodeNode &node : nodes) {
    code.mix.add(node.cost);
    code.asMultiplyAdds[node.main] += node.asMultiplyAdd;
  }
  Graph graph(nodes);
  for (unsigned at : graph.longestPath())
    addToPath(code, nodes[at], nodes[at].cost);
  std::vector<unsigned> order = graph.schedule();
  code.ilp = measureIlp(nodes, order);
  code.mlp = measureMlp(nodes, order);
  return code;
}

/// As much of \p mix as there is in \p limit, class by class.
static InstructionMix atMost(InstructionMix mix, const InstructionMix &limit) {
  for (const InstructionClassInfo &info : instructionClassInfos())
    mix[info.id] = std::clamp(limit[info.id], 0.0, mix[info.id]);
  return mix;
}

/// The longest path through what always runs: sides only pass on what it needs.
static std::vector<unsigned>
longestPathBesidesSides(llvm::ArrayRef<CodeNode> nodes,
                        llvm::ArrayRef<JoinedPart> parts) {
  std::vector<CodeNode> always(nodes.begin(), nodes.end());
  auto node = always.begin();
  for (const JoinedPart &part : parts)
    for (auto end = node + part.nodes; node != end; ++node)
      if (part.isSide) {
        node->cost = {};
        node->free = true;
      }
  return Graph(always).longestPath();
}

std::vector<MachineCode>
auspex::summarizeJoined(llvm::ArrayRef<CodeNode> nodes,
                        llvm::ArrayRef<JoinedPart> parts) {
  std::vector<size_t> partOf;
  for (size_t part = 0; part < parts.size(); ++part)
    partOf.insert(partOf.end(), parts[part].nodes, part);
  Graph graph(nodes);
  std::vector<unsigned> order = graph.schedule(), longest = graph.longestPath();
  MachineCode empty;
  empty.ilp = measureIlp(nodes, order);
  empty.mlp = measureMlp(nodes, order);
  std::vector<MachineCode> result(parts.size(), empty);
  for (auto [node, part] : llvm::zip(nodes, partOf))
    result[part].mix.add(node.cost);
  InstructionMix more = costsOf(nodes, longest);
  for (unsigned at : longestPathBesidesSides(nodes, parts))
    if (!parts[partOf[at]].isSide) {
      addToPath(result[partOf[at]], nodes[at], nodes[at].cost);
      more.add(nodes[at].cost, -1);
    }
  for (unsigned at : longest)
    if (parts[partOf[at]].isSide) {
      InstructionMix here = atMost(nodes[at].cost, more);
      addToPath(result[partOf[at]], nodes[at], here);
      more.add(here, -1);
    }
  for (auto [part, code] : llvm::zip(parts, result))
    if (part.otherSide && code.path.total() == 0)
      code.path = atMost(code.mix, result[*part.otherSide].path);
  return result;
}

static double globalLoads(const InstructionMix &mix) {
  double loads = 0;
  for (const InstructionClassInfo &info : instructionClassInfos())
    if (isGlobalMemory(info.id) && isLoad(info.id))
      loads += mix[info.id];
  return loads;
}

static double weightedMean(double a, double weightA, double b, double weightB) {
  return weightA + weightB > 0
             ? (a * weightA + b * weightB) / (weightA + weightB)
             : a;
}

static bool isBefore(const LineCode &a, const LineCode &b) {
  return std::tie(a.location.line, a.location.file) <
         std::tie(b.location.line, b.location.file);
}

void auspex::sortLines(std::vector<LineCode> &lines) {
  llvm::sort(lines, isBefore);
}

/// Both lists are sorted.
static void appendLines(std::vector<LineCode> &lines,
                        const std::vector<LineCode> &next) {
  std::vector<LineCode> all;
  all.reserve(lines.size() + next.size());
  std::merge(lines.begin(), lines.end(), next.begin(), next.end(),
             std::back_inserter(all), isBefore);
  lines.clear();
  for (LineCode &line : all)
    if (!lines.empty() && !isBefore(lines.back(), line))
      lines.back().mix.add(line.mix);
    else
      lines.push_back(std::move(line));
}

MachineCode auspex::average(llvm::ArrayRef<MachineCode> versions) {
  MachineCode sum = versions.front();
  if (versions.size() == 1)
    return sum;
  for (const MachineCode &version : versions.drop_front())
    append(sum, version);
  double share = 1.0 / versions.size();
  sum.mix = sum.mix.scaled(share);
  sum.path = sum.path.scaled(share);
  sum.threeOperands = sum.threeOperands.scaled(share);
  sum.asMultiplyAdds = sum.asMultiplyAdds.scaled(share);
  for (LineCode &line : sum.lines)
    line.mix = line.mix.scaled(share);
  return sum;
}

void auspex::append(MachineCode &code, const MachineCode &next) {
  code.ilp =
      weightedMean(code.ilp, code.mix.total(), next.ilp, next.mix.total());
  code.mlp = weightedMean(code.mlp, globalLoads(code.mix), next.mlp,
                          globalLoads(next.mix));
  code.mix.add(next.mix);
  code.path.add(next.path);
  code.threeOperands.add(next.threeOperands);
  code.asMultiplyAdds.add(next.asMultiplyAdds);
  appendLines(code.lines, next.lines);
}
