// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data-volume model against 330 predictions of the authors' estimator:
// block sizes, folds, domains and element sizes of stencils, copies, strided
// and interleaved loads, a transposition and a lattice Boltzmann kernel. Every
// column that the model has is compared, through the document that the command
// reads.

#include "auspex/Model/DataVolume.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <set>

using namespace auspex;

namespace {

using Triple = std::array<int64_t, 3>;
using Offsets = std::set<Triple>;

/// One line of the file by the names of its columns.
using Row = llvm::StringMap<std::string>;

std::vector<Row> readRows() {
  auto buffer = llvm::MemoryBuffer::getFile(
      AUSPEX_TEST_DATA "/Inputs/warpspeed_paper_cases.csv");
  if (!buffer)
    return {};
  llvm::SmallVector<llvm::StringRef> lines, names, cells;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  lines.front().split(names, ',');
  std::vector<Row> rows;
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    cells.clear();
    line.trim().split(cells, ',');
    Row &row = rows.emplace_back();
    for (auto [name, cell] : llvm::zip_equal(names, cells))
      row[name.trim()] = cell.str();
  }
  return rows;
}

Offsets star(int64_t radius, unsigned dimensions = 3) {
  Offsets offsets{{0, 0, 0}};
  for (unsigned axis = 0; axis < dimensions; ++axis)
    for (int64_t r = -radius; r <= radius; ++r) {
      Triple offset{};
      offset[axis] = r;
      offsets.insert(offset);
    }
  return offsets;
}

/// Writes the input of a row.
class CaseWriter {
public:
  explicit CaseWriter(const Row &row) : row(row) {
    std::string foldText = row.lookup("fold");
    if (foldText != "none")
      fold[foldText[1] - 'x'] = foldText[0] - '0';
    Triple dims{};
    llvm::SmallVector<llvm::StringRef> parts;
    std::string text = row.lookup("dims");
    llvm::StringRef(text).split(parts, 'x');
    for (auto [part, dim] : llvm::zip_equal(parts, dims))
      part.getAsInteger(10, dim);
    extents = dims;
  }

  std::string run() {
    addFields(row.lookup("kernel"));
    return llvm::formatv(
        R"({{"device": "{0}", "domain": [{1}, {2}, {3}], "block": [{4}, {5}, )"
        R"({6}], "fold": {7}, "registers": {8}, "elementBytes": {9}, )"
        R"("fields": [{10}]})",
        row.lookup("device"), row.lookup("W"), row.lookup("H"), row.lookup("Z"),
        row.lookup("bx"), row.lookup("by"), row.lookup("bz"), list(fold),
        row.lookup("regs"), row.lookup("dtype_bytes"), fields);
  }

private:
  const Row &row;
  Triple fold{1, 1, 1}, extents{};
  int64_t alignment = 0;
  std::string fields;

  static std::string list(const Triple &values) {
    return llvm::formatv("[{0}, {1}, {2}]", values[0], values[1], values[2]);
  }

  static std::string subscript(llvm::StringRef name, int64_t factor,
                               int64_t offset) {
    return llvm::formatv("\"{0}*{1}+({2})\"", name, factor, offset);
  }

  /// The accesses of every cell of the fold, those that coincide once.
  std::string at(const Offsets &offsets) const {
    Offsets all;
    for (int64_t x = 0; x < fold[0]; ++x)
      for (int64_t y = 0; y < fold[1]; ++y)
        for (int64_t z = 0; z < fold[2]; ++z)
          for (const Triple &o : offsets)
            all.insert({o[0] + x, o[1] + y, o[2] + z});
    std::vector<std::string> accesses;
    for (const Triple &o : all)
      accesses.push_back("[" + subscript("tidx", fold[0], o[0]) + ", " +
                         subscript("tidy", fold[1], o[1]) + ", " +
                         subscript("tidz", fold[2], o[2]) + "]");
    return llvm::join(accesses, ", ");
  }

  static std::string atThird(int64_t from, int64_t to) {
    std::vector<std::string> accesses;
    for (int64_t i = from; i < to; ++i)
      accesses.push_back(llvm::formatv(R"(["3*tidx+{0}", "tidy", "tidz"])", i));
    return llvm::join(accesses, ", ");
  }

  void add(llvm::StringRef name, llvm::StringRef kind, std::string accesses) {
    if (!fields.empty())
      fields += ", ";
    fields += llvm::formatv(
        R"({{"name": "{0}", "extents": {1}, "alignment": {2}, "{3}": [{4}]})",
        name, list(extents), alignment, kind, accesses);
  }

  void addFields(llvm::StringRef kernel) {
    int64_t stride = 0;
    if (kernel.consume_front("stride_stride")) {
      kernel.getAsInteger(10, stride);
      add("A", "loads",
          llvm::formatv(R"(["{0}*tidx", "tidy", "tidz"])", stride));
    } else if (kernel == "vec3") {
      add("A", "loads", atThird(0, 3));
      add("B", "loads", at(star(0)));
      add("C", "stores", at(star(0)));
      add("D", "stores", atThird(0, 3));
    } else if (kernel == "transpose") {
      add("A", "loads", at(star(0)));
      add("B", "stores", R"(["tidy", "tidx", "tidz"])");
    } else if (kernel == "lbm15") {
      addLatticeBoltzmann();
    } else {
      addStencil(kernel);
    }
  }

  void addStencil(llvm::StringRef kernel) {
    int64_t radius = llvm::StringSwitch<int64_t>(kernel)
                         .Cases({"3d25pt", "star_m_r4"}, 4)
                         .Case("star_m_r2", 2)
                         .Cases({"3d7pt", "2d5pt"}, 1)
                         .Default(0);
    if (!kernel.starts_with("star"))
      alignment = radius;
    if (kernel == "2d5pt")
      extents = {15002, 15002, 1};
    add("A", "loads", at(star(radius, kernel == "2d5pt" ? 2 : 3)));
    add("B", "stores", at(star(0)));
  }

  void addLatticeBoltzmann() {
    extents = {256, 200, 200};
    Offsets directions = star(1);
    for (int64_t x : {-1, 1})
      for (int64_t y : {-1, 1})
        for (int64_t z : {-1, 1})
          directions.insert({x, y, z});
    for (const Triple &direction : directions)
      add("f", "loads", at({direction}));
    add("phase", "loads", at(star(1)));
    for (size_t i = 0; i < directions.size(); ++i)
      add("g", "stores", at(star(0)));
  }
};

/// What the columns hold.
std::vector<std::pair<llvm::StringRef, double>>
columnsOf(const DataVolumeOutput &out) {
  const DataVolumePrediction &p = *out.prediction;
  auto number = [](int64_t value) { return static_cast<double>(value); };
  return {{"blocksPerSM", number(out.launch.blocksPerSM)},
          {"waveCells", number(p.wave.threads)},
          {"waveMemLoadNew", number(p.wave.loadInBytes)},
          {"waveMemStoreNew", number(p.wave.storeInBytes)},
          {"ovLoad0", number(p.wave.overlapInBytes[0])},
          {"ovLoad1", number(p.wave.overlapInBytes[1])},
          {"old0", number(p.wave.oldInBytes[0])},
          {"old1", number(p.wave.oldInBytes[1])},
          {"blockL1LoadAlloc", p.block.l1AllocInBytes},
          {"blockL1Load", p.block.l1LoadInBytes},
          {"blockL2Load", p.block.l2LoadInBytes},
          {"blockL2Store", p.block.l2StoreInBytes},
          {"L1Cycles", p.l1Cycles},
          {"L1Load", p.l1Load},
          {"L2LoadV1", p.l2LoadDistinct},
          {"L1LoadEvicts", p.l2LoadEvicted},
          {"L2LoadV2", p.l2Load},
          {"L2Store", p.l2Store},
          {"memLoadV1", p.dramLoadDistinct},
          {"memLoadV2", p.dramLoadReused},
          {"memLoadV3", p.dramLoad},
          {"memStoreV1", p.dramStoreDistinct},
          {"memStoreV2", p.dramStore},
          {"perfL1", p.rateInGLups[0]},
          {"perfL2V2", p.rateInGLups[1]},
          {"perfMemV3", p.rateInGLups[2]},
          {"perfV3_GLups", p.glups()},
          {"limV3", number(static_cast<int64_t>(p.limiter))}};
}

TEST(DataVolumeReference, EveryRowAndColumn) {
  std::vector<Row> rows = readRows();
  ASSERT_EQ(rows.size(), 330u);
  for (const Row &row : rows) {
    std::string text = CaseWriter(row).run();
    SCOPED_TRACE(row.lookup("kernel") + " " + text);
    DataVolumeInput input = llvm::cantFail(
        readDataVolumeInput(llvm::cantFail(parseDocument(text, "case.json"))));
    DataVolumeOutput out = llvm::cantFail(evaluateDataVolume(input));
    ASSERT_TRUE(out.prediction);
    auto [gx, gy, gz] = out.launch.grid;
    EXPECT_EQ(llvm::formatv("{0}x{1}x{2}", gx, gy, gz).str(),
              row.lookup("grid"));
    for (auto [name, actual] : columnsOf(out)) {
      double expected = std::stod(row.lookup(name));
      EXPECT_NEAR(actual, expected, 1e-12 * std::abs(expected)) << name.str();
    }
  }
}

} // namespace
