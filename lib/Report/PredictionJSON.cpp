// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Report/PredictionReport.h"

#include "PredictionJSON.h"
#include "auspex/Kernel/LaunchJSON.h"
#include "auspex/Kernel/SummaryDocument.h"
#include "auspex/Model/Remark.h"
#include "auspex/Support/Json.h"

using namespace auspex;
using llvm::json::OStream;

static void writeValues(OStream &out, llvm::StringRef key,
                        const NamedValues &values) {
  out.attributeObject(key, [&] {
    for (const NamedValue &value : values)
      writeValue(out, value.key, value.value);
  });
}

static void
writeModels(OStream &out, llvm::StringRef key,
            llvm::ArrayRef<std::pair<std::string, NamedValues>> models) {
  out.attributeObject(key, [&] {
    for (const auto &[model, values] : models)
      writeValues(out, model, values);
  });
}

static void writeStation(OStream &out, const Station &station) {
  out.object([&] {
    out.attribute("name", station.name);
    out.attribute("kind", station.isDelay ? "delay" : "station");
    writeNumber(out, "demandInCycles", station.demandInCycles);
    if (!station.isDelay)
      writeNumber(out, "utilization", station.utilization);
  });
}

static void writeFix(OStream &out, const Fix &fix) {
  out.object([&] {
    out.attribute("id", fix.id);
    writeText(out, "description", fix.description);
    writePlace(out, fix.location);
    if (fix.launch)
      writeLaunch(out, *fix.launch);
    writeNumber(out, "timeInUs", fix.timeInUs);
    writeNumber(out, "gainInUs", fix.gainInUs);
  });
}

static void writeFinding(OStream &out, const Finding &finding) {
  out.object([&] {
    out.attribute("id", finding.id);
    out.attribute("kind", toString(finding.kind));
    if (finding.location.isKnown()) {
      writeText(out, "file", finding.location.file);
      out.attribute("line", finding.location.line);
      out.attribute("column", finding.location.column);
    }
    writeText(out, "message", finding.message);
    writeValues(out, "args", finding.args);
    if (!finding.ignoredBecause.empty())
      writeText(out, "ignoredBecause", finding.ignoredBecause);
  });
}

template <typename Range, typename Write>
static void writeList(OStream &out, llvm::StringRef key, const Range &range,
                      Write write) {
  out.attributeArray(key, [&] {
    for (const auto &item : range)
      writeOnOneLine(out, [&](OStream &line) { write(line, item); });
  });
}

static void writeObjectTraffic(OStream &out, const ObjectTraffic &object) {
  out.object([&] {
    writeText(out, "name", object.name);
    if (!object.argument.empty())
      writeText(out, "argument", object.argument);
    writeNumber(out, "usefulLoadInBytes", object.usefulLoadInBytes);
    writeNumber(out, "usefulStoreInBytes", object.usefulStoreInBytes);
    writeNumber(out, "requestedLoadInBytes", object.requestedLoadInBytes);
    writeNumber(out, "requestedStoreInBytes", object.requestedStoreInBytes);
    writeNumber(out, "l2LoadInBytes", object.l2LoadInBytes);
    writeNumber(out, "l2StoreInBytes", object.l2StoreInBytes);
    writeNumber(out, "dramLoadInBytes", object.dramLoadInBytes);
    writeNumber(out, "dramStoreInBytes", object.dramStoreInBytes);
    if (object.dramIdleInBytes > 0)
      writeNumber(out, "dramIdleInBytes", object.dramIdleInBytes);
    out.attribute("known", object.isKnown);
  });
}

static void writeReuse(OStream &out, const ReuseStep &step) {
  out.object([&] {
    out.attribute("window", step.window);
    writeNumber(out, "beforeInBytes", step.beforeInBytes);
    writeNumber(out, "afterInBytes", step.afterInBytes);
    writeNumber(out, "fill", step.fill);
    writeNumber(out, "hitRate", step.hitRate);
  });
}

static void writeTraffic(OStream &out, const MemoryTraffic &traffic) {
  out.attributeObject("traffic", [&] {
    writeList(out, "objects", traffic.objects, writeObjectTraffic);
    writeList(out, "l1Reuse", traffic.l1Steps, writeReuse);
    writeList(out, "l2Reuse", traffic.l2Steps, writeReuse);
  });
}

void auspex::writeIdentity(OStream &out, const AccessVolume &access) {
  out.attribute("kind", toString(access.kind));
  if (!access.operation.empty())
    writeText(out, "operation", access.operation);
  out.attribute("space", toString(access.space));
  out.attribute("bytesPerLane", access.bytesPerLane);
  if (!access.object.empty())
    writeText(out, "object", access.object);
  if (!access.argument.empty())
    writeText(out, "argument", access.argument);
  out.attribute("known", access.isKnown);
}

static void writeAccess(OStream &out, const AccessVolume &access) {
  out.object([&] {
    writePlace(out, access.location);
    writeIdentity(out, access);
    const RequestCounts &counts = access.counts;
    writeNumber(out, "requests", counts.requests);
    writeNumber(out, "lanes", counts.lanes);
    if (access.space == MemorySpace::Shared) {
      writeNumber(out, "bankPasses", counts.bankPasses);
      writeNumber(out, "fewestBankPasses", counts.fewestBankPasses);
    } else if (access.space != MemorySpace::Texture) {
      writeNumber(out, "sectors", counts.sectors);
      writeNumber(out, "fewestSectors", counts.fewestSectors);
    }
    if (access.kind == AccessKind::Atomic) {
      writeNumber(out, "sameAddress", counts.sameAddress);
      if (access.space == MemorySpace::Shared)
        writeNumber(out, "lanesOnBank", counts.lanesOnBank);
    }
  });
}

static void writeLine(OStream &out, const LineVolume &line) {
  out.object([&] {
    writePlace(out, line.location);
    out.attributeObject("mix", [&] {
      for (const InstructionClassInfo &info : instructionClassInfos())
        if (line.instructions[info.id] > 0)
          writeNumber(out, info.name, line.instructions[info.id]);
    });
  });
}

static void writeLoop(OStream &out, const LoopVolume &loop) {
  out.object([&] {
    writePlace(out, loop.location);
    writeNumber(out, "iterations", loop.iterations);
    out.attribute("unroll", loop.unroll);
  });
}

void auspex::writePrediction(OStream &out, const Prediction &prediction,
                             llvm::function_ref<void()> writeMore) {
  out.object([&] {
    writeText(out, "kernel", prediction.kernel);
    writeText(out, "demangled", prediction.demangled);
    out.attribute("gpu", prediction.gpu);
    writeText(out, "gpuProvenance", prediction.gpuProvenance);
    writeLaunch(out, prediction.launch);
    if (!prediction.argumentNames.empty())
      out.attributeObject("argNames", [&] {
        for (const auto &[symbol, name] : prediction.argumentNames)
          writeText(out, symbol, name);
      });
    out.attribute("model", prediction.model);
    writeNumber(out, "timeInUs", prediction.timeInUs, "timeRangeInUs",
                prediction.timeRangeInUs);
    out.attribute("limiter", prediction.limiter);
    writeNumber(out, "shareOfLimit", prediction.shareOfLimit);
    out.attributeObject("occupancy", [&] {
      const Occupancy &occupancy = prediction.occupancy;
      out.attribute("activeBlocksPerSM", occupancy.activeBlocksPerSM);
      out.attribute("activeWarpsPerSM", occupancy.activeWarpsPerSM);
      writeNumber(out, "occupancy", occupancy.occupancy);
      out.attribute("limiter", occupancy.limiterText());
      out.attribute("registers", prediction.registers);
      out.attribute("registerOrigin", toString(prediction.registerOrigin));
    });
    writeValues(out, "bounds", prediction.bounds);
    writeList(out, "stations", prediction.stations, writeStation);
    writeList(out, "benefits", prediction.benefits,
              [](OStream &line, const Benefit &benefit) {
                line.object([&] {
                  line.attribute("id", benefit.id);
                  writeNumber(line, "gainInUs", benefit.gainInUs);
                });
              });
    writeList(out, "fixes", prediction.fixes, writeFix);
    writeList(out, "findings", prediction.findings, writeFinding);
    writeList(out, "accesses", prediction.accesses, writeAccess);
    writeList(out, "lines", prediction.lines, writeLine);
    writeList(out, "loops", prediction.loops, writeLoop);
    writeTraffic(out, prediction.traffic);
    if (prediction.sharedAtomics)
      writeValues(out, "sharedAtomics", listValues(*prediction.sharedAtomics));
    writeModels(out, "inputs", prediction.inputs);
    writeModels(out, "outputs", prediction.outputs);
    out.attributeArray("assumptions", [&] {
      for (const std::string &unknown : prediction.unknowns)
        out.value(unknown);
      for (const std::string &assumption : prediction.assumptions)
        writeText(out, assumption);
    });
    out.attributeObject("coverage", [&] {
      writeNumber(out, "accesses", prediction.coverage.accesses);
      writeNumber(out, "loops", prediction.coverage.loops);
    });
    writeMore();
  });
}

void auspex::writePredictionsJSON(llvm::ArrayRef<Prediction> predictions,
                                  llvm::raw_ostream &os) {
  OStream out(os, 2);
  out.object([&] {
    out.attribute("schemaVersion", PredictionsSchemaVersion);
    out.attributeArray("predictions", [&] {
      for (const Prediction &prediction : predictions)
        writePrediction(out, prediction);
    });
  });
  os << '\n';
}
