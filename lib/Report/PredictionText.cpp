// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Kernel/KernelNames.h"
#include "auspex/Report/Instances.h"
#include "auspex/Report/PredictionReport.h"
#include "auspex/Support/Table.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace auspex;

/// What takes the time: stations by utilisation, delays by their share of a
/// warp's life; the small ones left out.
static void writeStations(const Prediction &prediction, llvm::raw_ostream &os) {
  constexpr double Shown = 0.05;
  std::vector<const Station *> busy, waits;
  for (const Station &station : prediction.stations)
    if (station.isDelay)
      waits.push_back(&station);
    else if (station.utilization >= Shown)
      busy.push_back(&station);
  llvm::stable_sort(busy, [](const Station *a, const Station *b) {
    return a->utilization > b->utilization;
  });
  os << "  busy:    ";
  for (const Station *station : busy)
    os << (station == busy.front() ? "" : ", ") << station->name << " "
       << formatShare(station->utilization);
  os << (busy.empty() ? "nothing to speak of\n" : "\n");
  os << "  waiting: ";
  for (const Station *station : waits)
    os << (station == waits.front() ? "" : ", ") << station->name << " "
       << formatNumber(station->demandInCycles) << " cycles";
  os << (waits.empty() ? "for nothing\n" : " in a warp's life\n");
}

static void writeBenefits(const Prediction &prediction, llvm::raw_ostream &os) {
  std::vector<const Benefit *> useful;
  for (const Benefit &benefit : prediction.benefits)
    if (benefit.gainInUs > 0.01)
      useful.push_back(&benefit);
  llvm::stable_sort(useful, [](const Benefit *a, const Benefit *b) {
    return a->gainInUs > b->gainInUs;
  });
  if (useful.empty())
    return;
  os << "  would gain:\n";
  for (const Benefit *benefit : useful)
    os << "    " << formatTimeInUs(benefit->gainInUs) << " with "
       << benefit->description << '\n';
}

/// What to change, the largest gain first.
static void writeFixes(const Prediction &prediction, llvm::raw_ostream &os) {
  if (prediction.fixes.empty())
    return;
  os << "  fixes:\n";
  for (const Fix &fix : prediction.fixes) {
    os << "    " << formatTimeInUs(fix.gainInUs) << " ("
       << formatShare(fix.gainInUs / (fix.timeInUs + fix.gainInUs))
       << ") less: ";
    if (fix.location.isKnown())
      os << fix.location.file << ":" << fix.location.line << ": ";
    os << fix.description << " [" << fix.id << "]\n";
  }
}

/// What moves, object by object; lanes ask for the bytes of their own, requests
/// for whole sectors.
static void writeTraffic(const Prediction &prediction, llvm::raw_ostream &os) {
  const std::vector<ObjectTraffic> &objects = prediction.traffic.objects;
  if (objects.empty())
    return;
  Table table({"  memory", "lanes", "requests", "L2", "DRAM"});
  auto add = [&](const std::string &name, double lanes, double requests,
                 double l2, double dram) {
    if (requests > 0)
      table.add({"    " + name, formatBytes(lanes), formatBytes(requests),
                 formatBytes(l2), formatBytes(dram)});
  };
  for (const ObjectTraffic &object : objects) {
    std::string name = !object.argument.empty() ? object.argument
                       : object.name.empty()    ? "unknown"
                       : llvm::StringRef(object.name).starts_with("@")
                           ? variableName(object.name)
                           : object.name;
    add(name + " loads", object.usefulLoadInBytes, object.requestedLoadInBytes,
        object.l2LoadInBytes, object.dramLoadInBytes);
    add(name + " stores", object.usefulStoreInBytes,
        object.requestedStoreInBytes, object.l2StoreInBytes,
        object.dramStoreInBytes);
  }
  table.print(os);
}

static void writeFindings(const Prediction &prediction,
                          const RemarkFilter &filter, llvm::raw_ostream &os) {
  for (const Finding *shown : filter.shown(prediction)) {
    const Finding &finding = *shown;
    // The first line says it already.
    if (finding.id == "PredictedTime")
      continue;
    os << "  ";
    if (finding.location.isKnown())
      os << finding.location.file << ":" << finding.location.line << ":"
         << finding.location.column << ": ";
    os << finding.message << " [" << finding.id << "]\n";
  }
}

void auspex::writePredictionText(const Prediction &prediction,
                                 llvm::raw_ostream &os,
                                 const RemarkFilter &filter) {
  for (const Finding &finding : prediction.findings)
    if (finding.id == "PredictedTime")
      os << "  " << finding.message << '\n';
  os << "  numbers of " << prediction.gpu << ": " << prediction.gpuProvenance
     << '\n';
  if (prediction.model != "operational")
    os << "  time by " << prediction.model << "; the rest by operational\n";
  if (!prediction.timeInUs)
    os << "  what follows is as if loops of unknown trip count ran once\n";
  writeFixes(prediction, os);
  writeStations(prediction, os);
  if (const auto &atomics = prediction.sharedAtomics)
    os << "  shared atomics: busy " << formatShare(atomics->utilization)
       << " of the time, with a queue of " << formatNumber(atomics->n)
       << (atomics->overestimate ? ", which is too many" : "")
       << "; passes a job: " << formatNumber(atomics->e) << '\n';
  writeTraffic(prediction, os);
  if (prediction.timeInUs)
    writeBenefits(prediction, os);
  writeFindings(prediction, filter, os);
  for (const std::string &unknown : prediction.unknowns)
    os << "  open: " << unknown << '\n';
  for (const std::string &assumption : prediction.assumptions)
    os << "  assumed: " << assumption << '\n';
}

void auspex::writePredictionsText(llvm::ArrayRef<Prediction> predictions,
                                  llvm::raw_ostream &os,
                                  const RemarkFilter &filter) {
  bool isFirst = true;
  for (const InstanceGroup &group : groupInstances(predictions)) {
    if (!std::exchange(isFirst, false))
      os << '\n';
    for (const std::string &name : group.names)
      os << name << '\n';
    writePredictionText(group.shown, os, filter);
  }
}

void auspex::writePredictionsTable(llvm::ArrayRef<Prediction> predictions,
                                   llvm::raw_ostream &os) {
  Table table({"kernel", "GPU", "grid", "block", "launch", "time", "limiter",
               "of limit", "occupancy"});
  for (const Prediction &prediction : predictions)
    table.add({prediction.demangled, prediction.gpu,
               prediction.launch.grid->value.str(),
               prediction.launch.block->value.str(),
               toString(prediction.launch.origin()).str(),
               formatTimeInUs(prediction.timeInUs, prediction.timeRangeInUs),
               prediction.timeInUs ? prediction.limiter : "",
               prediction.timeInUs ? formatShare(prediction.shareOfLimit) : "",
               formatShare(prediction.occupancy.occupancy)});
  table.print(os);
}
