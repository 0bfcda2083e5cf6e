// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "auspex/Model/SharedAtomics.h"

#include "auspex/Model/HardwareReader.h"
#include "auspex/Support/Table.h"

#include <algorithm>

using namespace auspex;

SharedAtomicsOutput
auspex::evaluateSharedAtomics(const SharedAtomicsInput &in) {
  SharedAtomicsOutput out;
  double jobs = in.faoJobs + in.casJobs;
  double casShare = jobs > 0 ? in.casJobs / jobs : 0;
  out.n = in.queueLength;
  out.e = jobs > 0 || in.popcIncJobs <= 0 ? in.meanPasses : in.popcIncPasses;
  out.c = out.n * casShare;
  if (jobs > 0) {
    out.serviceInCycles =
        in.times->cycles(out.n, in.meanPasses, casShare) / out.n;
    out.busyInCycles += jobs * *out.serviceInCycles;
  }
  if (in.popcIncJobs > 0) {
    out.popcIncServiceInCycles =
        in.popcIncTimes->cycles(out.n, in.popcIncPasses, 0) / out.n;
    out.busyInCycles += in.popcIncJobs * *out.popcIncServiceInCycles;
  }
  double utilization = out.busyInCycles / in.smCycles;
  out.utilization = std::min(1.0, utilization);
  if (utilization > 1)
    out.overestimate = utilization;
  return out;
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

/// A table of the document, or the GPU's.
static std::optional<AtomicTimes>
readTimes(Reader &in, llvm::StringRef key, const GPU *gpu,
          llvm::StringRef keyOfGPU, std::optional<AtomicTimes> GPU::*ofGPU,
          ValueOrigins *origins) {
  if (const Node *node = in.maybeMember(key)) {
    llvm::Expected<AtomicTimes> times = AtomicTimes::read(*node);
    if (times)
      return std::move(*times);
    in.fail(times.takeError());
    return std::nullopt;
  }
  if (!gpu || !(gpu->*ofGPU))
    return std::nullopt;
  for (const IdentityFact &fact : gpu->identity)
    if (origins && fact.key == keyOfGPU)
      (*origins)[key.str()] =
          (keyOfGPU + " of " + gpu->name + " (" + toString(fact.kind) + ")")
              .str();
  return gpu->*ofGPU;
}

static double readQueueLength(const Node &document, Reader &in,
                              HardwareReader &hardware) {
  constexpr double Least = 1e-6;
  if (in.has("queue_length")) {
    if (const Node *occupancy = document.find("occupancy"))
      in.fail(occupancy->error("queue_length is stated already; give one of "
                               "the two"));
    return in.number("queue_length", Least, AtomicTimes::MostJobs);
  }
  double occupancy = in.number("occupancy", Least, 1);
  return occupancy *
         hardware.number(
             "warps_per_sm", 1, AtomicTimes::MostJobs, [](const GPU &gpu) {
               return supplyQuantity(gpu, Q::MaxThreadsPerSM, 1.0 / 32);
             });
}

llvm::Error auspex::checkTables(const SharedAtomicsInput &input,
                                const llvm::Twine &who) {
  auto check = [&](bool isNeeded, const std::optional<AtomicTimes> &times,
                   llvm::StringRef what) -> llvm::Error {
    if (!isNeeded)
      return llvm::Error::success();
    if (!times)
      return makeInputError({}, who + " has no " + what);
    if (input.queueLength > times->mostJobs())
      return makeInputError({}, "the queue length is " +
                                    formatNumber(input.queueLength) +
                                    ", but the " + what + " ends at " +
                                    formatNumber(times->mostJobs()) + " jobs");
    return llvm::Error::success();
  };
  if (llvm::Error error = check(input.faoJobs + input.casJobs > 0, input.times,
                                "table of service times"))
    return error;
  if (input.casJobs > 0 && !input.times->knowsCas())
    return makeInputError({}, "the table of service times has no rows with "
                              "compare-and-swap jobs");
  return check(input.popcIncJobs > 0, input.popcIncTimes,
               "table of service times of POPC.INC");
}

llvm::Expected<SharedAtomicsInput>
auspex::readSharedAtomicsInput(const Node &document, const GPU *gpu,
                               ValueOrigins *origins) {
  SharedAtomicsInput input;
  Reader in(document);
  HardwareReader hardware(document, in, gpu, origins);
  in.maybeInteger("schemaVersion", 1, 1);
  input.faoJobs = readCount(document, in, "fao_jobs");
  input.casJobs = readCount(document, in, "cas_jobs");
  if (in.has("popc_inc_jobs"))
    input.popcIncJobs = readCount(document, in, "popc_inc_jobs");
  input.meanPasses = in.number("mean_passes", 1, AtomicTimes::MostPasses);
  input.popcIncPasses =
      in.maybeNumber("popc_inc_passes", 1, AtomicTimes::MostPasses)
          .value_or(input.meanPasses);
  input.queueLength = readQueueLength(document, in, hardware);
  input.smCycles = in.number("sm_cycles", 1e-3, 1e15);
  input.times = readTimes(in, "table", gpu, "shared_atomic_times",
                          &GPU::sharedAtomicTimes, origins);
  input.popcIncTimes =
      readTimes(in, "popc_inc_table", gpu, "shared_popc_inc_times",
                &GPU::sharedPopcIncTimes, origins);
  if (llvm::Error problem = in.finish())
    return std::move(problem);
  if (llvm::Error problem = checkTables(
          input, gpu ? gpu->name
                     : (document.file ? *document.file : "the input") +
                           ", which names no GPU either,"))
    return std::move(problem);
  return input;
}

NamedValues auspex::listValues(const SharedAtomicsInput &input) {
  NamedValues values;
  values.add("fao_jobs", "jobs", input.faoJobs);
  values.add("cas_jobs", "jobs", input.casJobs);
  values.add("popc_inc_jobs", "jobs", input.popcIncJobs);
  values.add("mean_passes", "passes", input.meanPasses);
  values.add("popc_inc_passes", "passes", input.popcIncPasses);
  values.add("queue_length", "jobs", input.queueLength);
  values.add("sm_cycles", "cycles", input.smCycles);
  if (input.times)
    values.addName("table", input.times->text());
  if (input.popcIncTimes)
    values.addName("popc_inc_table", input.popcIncTimes->text());
  return values;
}

NamedValues auspex::listValues(const SharedAtomicsOutput &output) {
  NamedValues values;
  values.add("n", "jobs", output.n);
  values.add("e", "passes", output.e);
  values.add("c", "jobs", output.c);
  values.add("service_cycles", "cycles", output.serviceInCycles);
  values.add("popc_inc_service_cycles", "cycles",
             output.popcIncServiceInCycles);
  values.add("busy_cycles", "cycles", output.busyInCycles);
  values.add("utilization", "1", output.utilization);
  values.add("overestimate", "1", output.overestimate);
  if (output.overestimate)
    values.addName("note", "busier than there was time: the queue length, n, "
                           "is overestimated");
  return values;
}
