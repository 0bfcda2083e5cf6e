// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data-volume model's documents: reading the input, and the names of inputs
// and outputs.

#include "auspex/Expr/Expr.h"
#include "auspex/Model/DataVolume.h"
#include "auspex/Model/HardwareReader.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace auspex;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Hardware
//===----------------------------------------------------------------------===//

namespace {
/// The devices of the paper.
struct PaperDevice {
  StringRef name;
  DataVolumeHardware hardware;
};

const PaperDevice paperDevices[] = {
    {"V100", {80, 1.38, 128, 6 * 1024, 2500, 790}},
    {"A100", {108, 1.41, 192, 20 * 1024, 4500, 1400}},
};

/// One number of the hardware: its key and how a GPU's description or a device
/// of the paper supplies it.
struct HardwareKey {
  StringRef key, unit;
  double low, high;
  double (*ofDevice)(const DataVolumeHardware &hardware);
  std::optional<Supplied> (*ofGPU)(const GPU &gpu);
};

/// Half of an A100's L2 is all that one SM sees, for instance.
std::optional<Supplied> supplyL2Size(const GPU &gpu) {
  return supplyQuantity(gpu,
                        gpu.has(Q::L2Effective) ? Q::L2Effective : Q::L2Size);
}

/// The paper measured its bandwidth with as many loads as stores.
std::optional<Supplied> supplyDramBandwidth(const GPU &gpu) {
  return supplyQuantity(gpu, gpu.has(Q::DramMixedBandwidth)
                                 ? Q::DramMixedBandwidth
                                 : Q::DramBandwidth);
}

const HardwareKey hardwareKeys[] = {
    {"smCount", "SMs", 1, 4096,
     [](const DataVolumeHardware &hw) -> double { return hw.smCount; },
     [](const GPU &gpu) { return supplyQuantity(gpu, Q::SMCount); }},
    {"clockInGHz", "GHz", 0.001, 100,
     [](const DataVolumeHardware &hw) { return hw.clockInGHz; },
     [](const GPU &gpu) { return supplyQuantity(gpu, Q::SMClock, 1e-3); }},
    {"l1SizeInKiB", "KiB", 1, 4096,
     [](const DataVolumeHardware &hw) { return hw.l1SizeInKiB; },
     [](const GPU &gpu) { return supplyQuantity(gpu, Q::L1Unified); }},
    {"l2SizeInKiB", "KiB", 1, 1e7,
     [](const DataVolumeHardware &hw) { return hw.l2SizeInKiB; }, supplyL2Size},
    {"l2BandwidthInGBps", "GB/s", 0.001, 1e7,
     [](const DataVolumeHardware &hw) { return hw.l2BandwidthInGBps; },
     [](const GPU &gpu) { return supplyQuantity(gpu, Q::L2Bandwidth); }},
    {"dramBandwidthInGBps", "GB/s", 0.001, 1e6,
     [](const DataVolumeHardware &hw) { return hw.dramBandwidthInGBps; },
     supplyDramBandwidth},
};

/// Who supplies what the document leaves out; at most one of the two.
struct HardwareSource {
  const PaperDevice *device = nullptr;
  const GPU *gpu = nullptr;

  std::optional<Supplied> supply(const HardwareKey &key) const {
    if (gpu)
      return key.ofGPU(*gpu);
    if (device)
      return Supplied{key.ofDevice(device->hardware),
                      ("the paper's " + device->name).str()};
    return std::nullopt;
  }
};
} // namespace

static Expected<const PaperDevice *> findDevice(const Node &node) {
  Expected<std::string> name = node.text();
  if (!name)
    return name.takeError();
  for (const PaperDevice &device : paperDevices)
    if (device.name.equals_insensitive(*name))
      return &device;
  return node.error("unknown device '" + *name +
                    "'; the paper's are V100 and A100, and gpu takes any GPU "
                    "of 'auspex gpu list'");
}

static Expected<GPU> findNamedGPU(const Node &node) {
  Expected<std::string> name = node.text();
  if (!name)
    return name.takeError();
  Expected<GPU> gpu = findGPU(*name);
  if (!gpu)
    return node.error(llvm::toString(gpu.takeError()));
  return gpu;
}

static void readNumber(const Node &document, Reader &in, const HardwareKey &key,
                       const HardwareSource &source, ValueOrigins *origins,
                       double &number) {
  std::optional<double> given = in.maybeNumber(key.key, key.low, key.high);
  if (given || in.failed()) {
    number = given.value_or(1);
    return;
  }
  std::optional<Supplied> supplied = source.supply(key);
  if (supplied) {
    number = supplied->value;
    if (origins)
      (*origins)[key.key.str()] = std::move(supplied->origin);
    return;
  }
  Place place = document.place();
  if (source.gpu) {
    place.key = key.key.str();
    in.fail(makeInputError(place, "the key is missing, and " +
                                      source.gpu->name + " does not say it"));
    return;
  }
  place.key = "device";
  in.fail(makeInputError(place, "the key is missing; give V100 or A100 for the "
                                "paper's, or name any GPU with gpu or --gpu"));
}

static void readHardware(const Node &document, Reader &in, const GPU *gpu,
                         ValueOrigins *origins, DataVolumeHardware &hardware) {
  const Node *device = in.maybeMember("device");
  const Node *named = in.maybeMember("gpu");
  if (device && named)
    return in.fail(named->error("device is given too; leave one of them out"));
  HardwareSource source;
  std::optional<GPU> found;
  if (device) {
    Expected<const PaperDevice *> known = findDevice(*device);
    if (!known)
      return in.fail(known.takeError());
    source.device = *known;
  }
  if (named) {
    Expected<GPU> known = findNamedGPU(*named);
    if (!known)
      return in.fail(known.takeError());
    found = std::move(*known);
    source.gpu = &*found;
  }
  // The command line has the last word.
  if (gpu)
    source.gpu = gpu;
  std::array<double, 6> numbers{};
  for (size_t i = 0; i < numbers.size(); ++i)
    readNumber(document, in, hardwareKeys[i], source, origins, numbers[i]);
  hardware = {static_cast<unsigned>(numbers[0]),
              numbers[1],
              numbers[2],
              numbers[3],
              numbers[4],
              numbers[5]};
}

//===----------------------------------------------------------------------===//
// Sizes and accesses
//===----------------------------------------------------------------------===//

using Triple = std::array<int64_t, 3>;

/// One to three integers in [lo, hi]; those left out are 1.
static void readTriple(Reader &in, StringRef key, int64_t lo, int64_t hi,
                       Triple &values, bool required = true) {
  values = {1, 1, 1};
  const Node *list = required ? in.member(key) : in.maybeMember(key);
  if (!list)
    return;
  if (!list->isSequence() || list->items.empty() || list->items.size() > 3)
    return in.fail(list->error("expected a list of one to three integers, for "
                               "x, y and z"));
  for (size_t i = 0; i < list->items.size(); ++i) {
    const Node &item = list->items[i];
    Expected<int64_t> value = item.integer();
    if (!value)
      return in.fail(value.takeError());
    if (*value < lo || *value > hi)
      return in.fail(item.error(llvm::formatv(
          "{0} is out of range; it has to be {1} to {2}", *value, lo, hi)));
    values[i] = *value;
  }
}

static constexpr StringRef coordinates[] = {"tidx", "tidy", "tidz"};

/// The coordinate that \p factors is; none if it is something else.
static std::optional<size_t>
coordinateOf(llvm::ArrayRef<Expr::Factor> factors) {
  if (factors.size() != 1 || factors[0].power != 1)
    return std::nullopt;
  for (size_t i = 0; i < 3; ++i)
    if (factors[0].atom->kind == Atom::Kind::Symbol &&
        factors[0].atom->name == coordinates[i])
      return i;
  return std::nullopt;
}

static Error checkSymbols(const Expr &expr, const Node &node) {
  std::string unknown;
  expr.forEachSymbol([&](StringRef symbol) {
    if (unknown.empty() && !llvm::is_contained(coordinates, symbol))
      unknown = symbol.str();
  });
  if (unknown.empty())
    return Error::success();
  return node.error("unknown name '" + unknown +
                    "'; the coordinates are tidx, tidy and tidz");
}

static Expected<ThreadIndex> readIndex(const Node &node) {
  if (!node.isScalar())
    return node.error("expected a polynomial in tidx, tidy and tidz, found " +
                      node.description());
  Expected<Expr> expr = Expr::parse(node.scalar);
  if (!expr)
    return node.error(llvm::toString(expr.takeError()) +
                      "; expected a polynomial such as 'tidy*2+(1)'");
  if (!expr->isValid())
    return node.error("'" + node.scalar +
                      "' does not fit into 64 bits; use smaller numbers");
  if (Error error = checkSymbols(*expr, node))
    return std::move(error);
  ThreadIndex index;
  for (const Expr::Term &term : expr->sum()) {
    std::optional<size_t> coordinate = coordinateOf(term.factors);
    if (!coordinate && !term.isConstant())
      return node.error("'" + node.scalar +
                        "' is not linear in tidx, tidy and tidz; the model "
                        "takes sums of coordinates times numbers");
    (coordinate ? index.factor[*coordinate] : index.constant) =
        term.coefficient;
  }
  return index;
}

static Expected<FieldAccess> readAccess(const Node &node) {
  if (!node.isSequence() || node.items.empty() || node.items.size() > 3)
    return node.error("expected one to three subscripts, for x, y and z");
  FieldAccess access;
  for (size_t i = 0; i < node.items.size(); ++i) {
    Expected<ThreadIndex> index = readIndex(node.items[i]);
    if (!index)
      return index.takeError();
    access[i] = *index;
  }
  return access;
}

namespace {
/// Checks that what is computed of an access fits into 64 bits, in floating
/// point, which cannot overflow.
class SizeCheck {
public:
  explicit SizeCheck(const DataVolumeInput &in) : in(in) {
    // Threads of the first blocks may lie outside the domain.
    for (size_t i = 0; i < 3; ++i)
      threads[i] = static_cast<double>(std::max(in.domain[i], 4 * in.block[i]) +
                                       in.block[i]);
  }

  Error check(const FieldAccess &access, const Field &field,
              const Node &node) const {
    double pitch = static_cast<double>(in.elementBytes);
    double reach = std::abs(static_cast<double>(field.alignment)) * pitch;
    for (size_t i = 0; i < 3; ++i) {
      double subscript = reachOf(access[i]);
      if (subscript > MaxSubscript)
        return tooLarge(node, "a subscript reaches", subscript, "2^50");
      reach += subscript * pitch;
      pitch *= static_cast<double>(field.extents[i]);
    }
    if (reach > MaxAddress)
      return tooLarge(node, "addresses reach", reach, "2^59 bytes");
    return Error::success();
  }

  static constexpr double MaxSubscript = 0x1p50, MaxAddress = 0x1p59;

  static Error tooLarge(const Node &node, StringRef what, double value,
                        StringRef limit) {
    return node.error(llvm::formatv("{0} {1:e2}; it has to be at most {2}",
                                    what, value, limit));
  }

private:
  const DataVolumeInput &in;
  std::array<double, 3> threads;

  double reachOf(const ThreadIndex &index) const {
    double reach = std::abs(static_cast<double>(index.constant));
    for (size_t i = 0; i < 3; ++i)
      reach += std::abs(static_cast<double>(index.factor[i])) * threads[i];
    return reach;
  }
};
} // namespace

static Expected<Field> readField(const Node &node,
                                 const DataVolumeInput &input) {
  Field field;
  Reader in(node);
  constexpr int64_t MaxExtent = int64_t(1) << 40;
  field.name = in.maybeText("name").value_or(node.path);
  readTriple(in, "extents", 1, MaxExtent, field.extents);
  field.alignment =
      in.maybeInteger("alignment", -MaxExtent, MaxExtent).value_or(0);
  double bytes = static_cast<double>(input.elementBytes);
  for (int64_t extent : field.extents)
    bytes *= static_cast<double>(extent);
  if (bytes > SizeCheck::MaxAddress && !in.failed())
    in.fail(SizeCheck::tooLarge(*node.find("extents"), "the field has", bytes,
                                "2^59 bytes"));
  SizeCheck sizes(input);
  auto readAccesses = [&](StringRef key, std::vector<FieldAccess> &accesses) {
    in.each(
        key,
        [&](const Node &item) -> Error {
          Expected<FieldAccess> access = readAccess(item);
          if (!access)
            return access.takeError();
          accesses.push_back(*access);
          return sizes.check(*access, field, item);
        },
        /*required=*/false);
  };
  readAccesses("loads", field.loads);
  readAccesses("stores", field.stores);
  if (Error problem = in.finish())
    return std::move(problem);
  return field;
}

static void readFields(Reader &in, DataVolumeInput &input) {
  in.each("fields", [&](const Node &node) -> Error {
    Expected<Field> field = readField(node, input);
    if (!field)
      return field.takeError();
    input.fields.push_back(std::move(*field));
    return Error::success();
  });
}

/// What concerns several keys.
static void checkTogether(const Node &document, Reader &in,
                          const DataVolumeInput &input) {
  if (in.failed())
    return;
  constexpr int64_t MaxThreads = 1024;
  if (input.threadsPerBlock() > MaxThreads)
    return in.fail(document.find("block")->error(
        llvm::formatv("{0} threads exceed the {1} a block can have",
                      input.threadsPerBlock(), MaxThreads)));
  size_t accesses = 0;
  for (const Field &field : input.fields)
    accesses += field.loads.size() + field.stores.size();
  if (accesses == 0)
    return in.fail(document.find("fields")->error(
        "no field has a load or a store; the model needs one"));
  double cells = 1;
  for (int64_t extent : input.domain)
    cells *= static_cast<double>(extent);
  if (cells * static_cast<double>(accesses) > 0x1p55)
    in.fail(document.find("domain")->error(
        llvm::formatv("{0:e2} cells times {1} accesses are too many; the "
                      "product has to be at most 2^55",
                      cells, accesses)));
}

Expected<DataVolumeInput> auspex::readDataVolumeInput(const Node &document,
                                                      const GPU *gpu,
                                                      ValueOrigins *origins) {
  DataVolumeInput input;
  Reader in(document);
  in.maybeInteger("schemaVersion", 1, 1);
  readHardware(document, in, gpu, origins, input.hardware);
  readTriple(in, "domain", 1, int64_t(1) << 40, input.domain);
  readTriple(in, "block", 1, 1024, input.block);
  readTriple(in, "fold", 1, 1024, input.fold, /*required=*/false);
  input.registers = in.integer("registers", 0, 255);
  input.elementBytes = in.integer("elementBytes", 1, 256);
  if (!in.failed())
    readFields(in, input);
  checkTogether(document, in, input);
  if (Error problem = in.finish())
    return std::move(problem);
  return input;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::string text(const ThreadIndex &index) {
  Expr sum(index.constant);
  for (size_t i = 0; i < 3; ++i)
    sum = sum + Expr(index.factor[i]) * Expr::symbol(coordinates[i]);
  return sum.str();
}

static llvm::json::Array toJSON(llvm::ArrayRef<FieldAccess> accesses) {
  llvm::json::Array array;
  for (const FieldAccess &access : accesses)
    array.push_back(
        llvm::json::Array{text(access[0]), text(access[1]), text(access[2])});
  return array;
}

static llvm::json::Array toJSON(llvm::ArrayRef<Field> fields) {
  llvm::json::Array array;
  for (const Field &field : fields)
    array.push_back(
        llvm::json::Object{{"name", field.name},
                           {"extents", llvm::json::Array(field.extents)},
                           {"alignment", field.alignment},
                           {"loads", toJSON(field.loads)},
                           {"stores", toJSON(field.stores)}});
  return array;
}

NamedValues auspex::listValues(const DataVolumeInput &input) {
  NamedValues values;
  for (const HardwareKey &key : hardwareKeys)
    values.add(key.key, key.unit, key.ofDevice(input.hardware));
  values.addList("domain", "cells", llvm::json::Array(input.domain));
  values.addList("block", "threads", llvm::json::Array(input.block));
  values.addList("fold", "cells", llvm::json::Array(input.fold));
  values.add("registers", "registers", static_cast<double>(input.registers));
  values.add("elementBytes", "B", static_cast<double>(input.elementBytes));
  values.addList("fields", "fields", toJSON(input.fields));
  return values;
}

static llvm::json::Object toJSON(const BlockVolumes &block) {
  return llvm::json::Object{{"l1Alloc", block.l1AllocInBytes},
                            {"l1Load", block.l1LoadInBytes},
                            {"l2Load", block.l2LoadInBytes},
                            {"l2Store", block.l2StoreInBytes}};
}

static llvm::json::Object toJSON(const WaveVolumes &wave) {
  return llvm::json::Object{{"load", wave.loadInBytes},
                            {"store", wave.storeInBytes},
                            {"overlap0", wave.overlapInBytes[0]},
                            {"overlap1", wave.overlapInBytes[1]},
                            {"old0", wave.oldInBytes[0]},
                            {"old1", wave.oldInBytes[1]}};
}

static void addPrediction(NamedValues &values, const DataVolumePrediction &p) {
  static constexpr StringRef levels[] = {"l1", "l2", "dram"};
  values.add("l1Cycles", "cycles", p.l1Cycles);
  values.add("l1Alloc", "B/update", p.l1Alloc);
  values.add("l1Load", "B/update", p.l1Load);
  values.add("l2LoadDistinct", "B/update", p.l2LoadDistinct);
  values.add("l2LoadEvicted", "B/update", p.l2LoadEvicted);
  values.add("l2Load", "B/update", p.l2Load);
  values.add("l2Store", "B/update", p.l2Store);
  values.add("dramLoadDistinct", "B/update", p.dramLoadDistinct);
  values.add("dramLoadReused", "B/update", p.dramLoadReused);
  values.add("dramLoad", "B/update", p.dramLoad);
  values.add("dramStoreDistinct", "B/update", p.dramStoreDistinct);
  values.add("dramStoreEvicted", "B/update", p.dramStoreEvicted);
  values.add("dramStore", "B/update", p.dramStore);
  values.add("glups", "GLup/s", p.glups());
  values.addName("limiter", levels[p.limiter]);
  llvm::json::Object rates;
  for (size_t i = 0; i < 3; ++i)
    rates[levels[i]] = p.rateInGLups[i];
  values.addObject("rates", "GLup/s", std::move(rates));
  values.addObject("block", "B", toJSON(p.block));
  values.add("waveThreads", "threads", static_cast<double>(p.wave.threads));
  values.addObject("wave", "B", toJSON(p.wave));
}

NamedValues auspex::listValues(const DataVolumeOutput &output) {
  NamedValues values;
  values.add("blocksPerSM", "blocks",
             static_cast<double>(output.launch.blocksPerSM));
  values.addList("grid", "blocks", llvm::json::Array(output.launch.grid));
  if (output.prediction)
    addPrediction(values, *output.prediction);
  else
    values.addName("reason", "the launch fails: " + output.launch.failure);
  return values;
}
