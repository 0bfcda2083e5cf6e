#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what measured records say about a GPU, as lines for its description.

    utils/measure/fit.py [--auspex PATH] [--gpu NAME] RECORDS.jsonl

The records are those of utils/measure/measure.py, of one GPU; what is missing
is left out, and a note says so. docs/measure.md says what is taken from which
records, docs/hwdesc.md what the lines mean. --gpu names a description, or its
file, where the GPU's own name is not known; the parameters of MWP-CWP take the
counts of the micro-benchmarks from it.
"""
import argparse
import collections
import json
import pathlib
import shlex
import statistics
import sys

import mwp_cwp

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent))
from measured import AUSPEX, launch_of, predict

MIB = 1 << 20
LINE = 128
# Shorter ones are launch and start more than anything else.
SHORTEST_IN_MS = 0.02

Line = collections.namedtuple("Line", "key value unit origin")


class Records:
    """The records of a GPU that have times."""

    def __init__(self, path):
        with open(path) as lines:
            records = [json.loads(line) for line in lines]
        self.all = [r for r in records if r["status"] == "ok"]
        if not self.all:
            sys.exit(f"error: {path} has no measured records")
        if len({r["gpu"] for r in self.all}) > 1:
            sys.exit(f"error: {path} has records of several GPUs; fit those of "
                     "one")
        self.gpu = self.all[0]["gpu"]
        self.device = self.all[0]["device"]

    def of(self, kernel, **problem):
        """Those of a kernel, with these arguments."""
        return [r for r in self.all if r["kernel"] == kernel and
                all(r["problem"][k] == v for k, v in problem.items())]


def cycles_of(record):
    """The SM cycles a launch took; None if its clock is not known."""
    if "core_MHz" not in record:
        return None
    return 1e3 * record["measured_ms"] * record["core_MHz"]


def timed(records, kernel):
    """Those of a kernel with a known clock, and the cycles they took."""
    return [(r, cycles) for r in records.of(kernel) if (cycles := cycles_of(r))]


def median(key, values, unit, origin):
    """Their line, if there are any."""
    if values:
        yield Line(key, statistics.median(values), unit, origin)


def lanes(record):
    x, y, z = record["grid"]
    return x * y * z * record["block"][0]


#===------------------------------------------------------------------------===#
# Clocks, latencies
#===------------------------------------------------------------------------===#

def clocks(records):
    """Of the memory the highest one, unless it ran at another."""
    values = [r["core_MHz"] for r in records.all if "core_MHz" in r]
    yield from median("sm_clock", values, "MHz",
                      "NVML, median of all launches; other values are at this "
                      "clock")
    highest = records.device.get("highest_mem_MHz")
    if highest and not any("mem_MHz" in r for r in records.all):
        yield Line("dram_clock", highest, "MHz", "NVML")


CHAINS = {  # key: kernel and operations of a step
    "latency_int": ("chain<IntegerAdd>", 2),
    "latency_int_mul": ("chain<IntegerMultiply>", 1),
    "latency_fp32": ("chain<SingleMultiplyAdd>", 1),
    "latency_fp64": ("chain<DoubleMultiplyAdd>", 1),
    "latency_sfu": ("chain<SpecialFunction>", 1),
    "latency_shuffle": ("chain<Shuffle>", 1),
    "latency_barrier": ("chain<Barrier>", 1),
    "latency_shared": ("chaseShared", 1),
    "latency_shared_atomic": ("chaseSharedAtomic", 1),
    "latency_global_atomic": ("chaseGlobalAtomic", 1),
}


def latencies(records):
    for key, (kernel, operations) in CHAINS.items():
        for r in records.of(kernel):
            if r["block"][0] > 32:
                continue
            yield Line(key, r["cycles"] / r["problem"]["steps"] / operations,
                       "cycles", f"latency.cu, {kernel}")


def memory_latencies(records):
    """A ring of lines in a cache, and in none."""
    l2 = records.device["l2_bytes"]
    levels = {"latency_l1": (0, 16 << 10), "latency_l2": (MIB // 2, l2 / 4),
              "latency_dram": (4 * l2, float("inf"))}
    found = {}
    for key, (least, most) in levels.items():
        steps = [r["cycles"] / r["problem"]["steps"]
                 for r in records.of("chase")
                 if least <= LINE * r["problem"]["lines"] <= most]
        if steps:
            found[key] = statistics.median(steps)
    # Before compute capability 7.0 most GPUs keep global loads out of L1.
    if found.get("latency_l1", 0) > 0.8 * found.get("latency_l2", 1e9):
        del found["latency_l1"]
    for key, value in found.items():
        yield Line(key, value, "cycles", "latency.cu, chase")


#===------------------------------------------------------------------------===#
# Rates
#===------------------------------------------------------------------------===#

def rate_of_window(record):
    p = record["problem"]
    size = 16 * p["window"] * p["passes"] * record["grid"][0]
    return 1e-6 * size / record["measured_ms"]


def windows(records, least, most):
    """Rates of loops over data of such a size in all, in L2's."""
    l2 = records.device["l2_bytes"]
    return [rate_of_window(r) for r in records.of("readWindowOfL2")
            if least * l2 <= 16 * r["problem"]["window"] * r["grid"][0] <=
            most * l2]


WRITES = {  # key: arrays that are read and written; a kernel that does so once
    "dram_write_bandwidth": (((0, 1), (0, 4)), "initKernel", 8),
    "dram_mixed_bandwidth": (((1, 1), (4, 4)), "scaleKernel", 16),
}


def dram_bandwidths(records):
    """Reading in loops; one read a thread does not reach as much. Else the most
    that anything reaches: what does not is waiting, or for blocks to start."""
    yield from median("dram_read_bandwidth",
                      windows(records, 2, float("inf")), "GB/s",
                      "reuse.cu, readWindowOfL2, at least twice L2")
    for key, (mixes, stream, size) in WRITES.items():
        rates = [16e-6 * sum(mix) * r["problem"]["count"] / r["measured_ms"]
                 for mix in mixes
                 for r in records.of(f"mix<{mix[0]}, {mix[1]}>")]
        origin = "mixes.cu"
        if not rates:  # records from before there were mixes
            rates = [1e-6 * size * r["problem"]["n"] / r["measured_ms"]
                     for r in records.of(stream) if r["dyn_smem"] == 0]
            origin = f"stream.cu, {stream}"
        if rates:
            yield Line(key, max(rates), "GB/s", origin)


def cache_bandwidths(records):
    sms = records.device["sm_count"]
    for key, kernel in (("l1_bandwidth", "readL1"),
                        ("shared_bandwidth", "readShared")):
        for r, cycles in timed(records, kernel):
            # Every block reads all words in each pass.
            size = 4 * r["problem"]["n"] * r["problem"]["passes"] * r["grid"][0]
            yield Line(key, size / sms / cycles, "B/clk/SM",
                       f"bandwidth.cu, {kernel}")
    for r in records.of("readL2"):
        size = 16 * r["problem"]["n"] * r["problem"]["passes"] * r["grid"][0]
        yield Line("l2_bandwidth", 1e-6 * size / r["measured_ms"], "GB/s",
                   "bandwidth.cu, readL2")


THROUGHPUTS = {  # key: operation and instructions of a step
    "throughput_int_add": ("IntegerAdd", 1),
    "throughput_int_mul": ("IntegerMultiply", 1),
    "throughput_shift": ("Shift", 1),
    "throughput_compare": ("Compare", 1),
    "throughput_logic": ("Logic", 1),
    "throughput_bit_count": ("BitCount", 1),
    "throughput_convert": ("Convert", 2),
    "throughput_convert_wide": ("ConvertWide", 2),
    "throughput_shuffle": ("Shuffle", 1),
    "throughput_vote": ("Vote", 1),
    "throughput_redux": ("Redux", 1),
    "throughput_sfu": ("SpecialFunction", 1),
    "throughput_fp16": ("HalfMultiplyAdd", 2),
    "throughput_fp32": ("SingleScale", 1),
    "throughput_fp64": ("DoubleAdd", 1),
    # Three operands, none of them at hand.
    "throughput_fp32_chain": ("SingleMultiplyAdd", 1),
    "throughput_fp64_chain": ("DoubleMultiplyAdd", 1),
}
CHAINS_OF_THREAD = 8
# Since then the integer pipe has the way back, from integers to float.
CONVERTS_BACK_ELSEWHERE = 86


def throughputs(records):
    """Results, of which a pair of halves has two."""
    sms = records.device["sm_count"]
    for key, (operation, results) in THROUGHPUTS.items():
        if (operation == "Convert"
                and records.device["arch"] >= CONVERTS_BACK_ELSEWHERE):
            results = 1
        for r, cycles in timed(records, f"work<throughput::{operation}>"):
            done = lanes(r) * r["problem"]["steps"] * CHAINS_OF_THREAD * results
            yield Line(key, done / sms / cycles, "results/clk/SM",
                       f"throughput.cu, {operation}")


def barriers(records):
    """What one more warp of the block costs."""
    cycles = {r["block"][0] // 32: r["cycles"] / r["problem"]["steps"]
              for r in records.of("chain<Barrier>") if r["grid"][0] == 1}
    if len(cycles) > 1:
        least, most = min(cycles), max(cycles)
        each = (cycles[most] - cycles[least]) / (most - least)
        yield Line("throughput_barrier", 32 / each, "results/clk/SM",
                   f"latency.cu, chain<Barrier> of {least} to {most} warps")


def launch_gap(records):
    for r in records.of("nothing"):
        if r["grid"][0] == 1:
            yield Line("launch_overhead", 1e3 * r["measured_ms"], "us",
                       "launch.cu: an empty kernel after another one")


#===------------------------------------------------------------------------===#
# Atomics
#===------------------------------------------------------------------------===#

def global_atomics(records):
    """On one word; on whole sectors of the same 512 B: words beside each other
    for a group of lanes."""
    for key, kernel, counts, sectors in (
            ("global_atomic_rate", "unsigned int", (1,), None),
            ("global_float_atomic_rate", "float", (1,), None),
            ("global_atomic_sector_rate", "unsigned int", (8, 16, 32), 4),
            ("global_double_atomic_sector_rate", "double", (8, 16, 32), 8)):
        rates = [lanes(r) * r["problem"]["rounds"] / cycles
                 for r, cycles in timed(records, f"contendForCells<{kernel}>")
                 if r["problem"]["count"] in counts]
        if sectors:
            rates = [rate * sectors / 32 for rate in rates]
        yield from median(key, rates, "1/clk",
                          f"contention.cu, contendForCells<{kernel}>")
    for r, cycles in timed(records, "contend"):
        if not records.of("contendForCells<unsigned int>"):
            yield Line("global_atomic_rate",
                       lanes(r) * r["problem"]["rounds"] / cycles, "1/clk",
                       "atomics.cu, contend")


def partial_stores(records):
    """A word in each sector is a packet, and so is each line; of few SMs, and of
    all. Longer rows are few, so that their sectors are stored to at once."""
    kernel, longest = "columns::storeWords<columns::Sharing::None>", 128
    sms = records.device["sm_count"]
    rates = {"l1_partial_store_rate": [], "l2_partial_store_rate": []}
    for r, cycles in timed(records, kernel):
        pitch, blocks = r["problem"]["pitch"], r["grid"][0]
        packets = (lanes(r) * r["problem"]["rounds"] *
                   (1 + min(1, 4 * pitch / LINE)))
        if pitch <= longest and blocks < sms:
            rates["l1_partial_store_rate"].append(packets / blocks / cycles)
        elif pitch <= longest:
            rates["l2_partial_store_rate"].append(packets / cycles)
    for key, unit in (("l1_partial_store_rate", "1/clk/SM"),
                      ("l2_partial_store_rate", "1/clk")):
        if rates[key]:
            yield Line(key, max(rates[key]), unit, "columns.cu, storeWords")


def table(key, times, origin):
    """T by jobs, CAS jobs and passes, as hwdesc has it."""
    passes = sorted({e for _, _, e in times})
    rows = [[n, c] + [round(times[n, c, e], 1) for e in passes]
            for n, c in sorted({(n, c) for n, c, _ in times})]
    return Line(key, json.dumps({"passes": passes, "rows": rows}).replace(
        '"', ""), "cycles", origin)


def jobs_a_warp(record):
    return int(record["kernel"].split("<")[1].rstrip(">"))


def jobs_of(record):
    return record["block"][0] // 32 * jobs_a_warp(record)


def times_of_jobs(records, kernel):
    """Cycles by jobs, CAS jobs and passes, less what warps without jobs
    take."""
    empty = {r["block"][0]: r["cycles"] / r["problem"]["rounds"]
             for r in records.of(kernel + "<0>")}
    times = {}
    for r in records.of(kernel + "<1>") + records.of(kernel + "<2>"):
        p = r["problem"]
        cas = p.get("casWarps", 0) * jobs_a_warp(r)
        times[jobs_of(r), cas, p["passes"]] = max(
            r["cycles"] / p["rounds"] - empty[r["block"][0]], 1)
    return times


def shared_atomics(records):
    """Increments are a case of their own from 8.0 on."""
    for key, kernel, since in (
            ("shared_atomic_times", "timeSharedAtomics", 0),
            ("shared_popc_inc_times", "timeSharedIncrements", 80)):
        if records.device["arch"] >= since and (
                times := times_of_jobs(records, kernel)):
            yield table(key, times, f"atomics.cu, {kernel}")


#===------------------------------------------------------------------------===#
# MWP-CWP
#===------------------------------------------------------------------------===#

def is_micro_benchmark(record):
    """With loads."""
    return (record["kernel"].startswith("microbenchmark<") and
            not record["kernel"].startswith("microbenchmark<0"))


def model_inputs(options, records):
    """What the model takes of each launch, in their order."""
    predictions = predict(options.auspex, FOLDER / "kernels" / "mwp_cwp.cu",
                          options.gpu, [launch_of(r) for r in records],
                          "--model", "mwp-cwp")
    return [resident({**prediction["inputs"]["mwp-cwp"],
                      "freq_ghz": r["core_MHz"] / 1e3})
            for prediction, r in zip(predictions, records)]


def resident(inputs):
    """With the blocks that really reside (docs/models/mwp-cwp.md, `rep`)."""
    blocks = -(-inputs["blocks"] // inputs["active_sms"])
    return {**inputs, "active_blocks_per_sm":
            min(inputs["active_blocks_per_sm"], blocks)}


def memory_parameters(records, options):
    measured = [r for r in records.all
                if is_micro_benchmark(r) and cycles_of(r) and
                r["measured_ms"] >= SHORTEST_IN_MS]
    if not measured:
        return
    inputs = model_inputs(options, measured)
    known, error = mwp_cwp.fit(list(zip(inputs, map(cycles_of, measured))))
    for name, value in known.items():
        yield Line("mwp_" + name, value, "cycles",
                   "mwp_cwp.cu: what fits the times best, "
                   f"{100 * error:.0f} % off")


#===------------------------------------------------------------------------===#
# The command
#===------------------------------------------------------------------------===#

FITS = (clocks, latencies, memory_latencies, dram_bandwidths, cache_bandwidths,
        throughputs, barriers, launch_gap, global_atomics, partial_stores,
        shared_atomics)
EXPECTED = {"sm_clock", "dram_clock", *CHAINS, "latency_l1", "latency_l2",
            "latency_dram", "dram_read_bandwidth", "dram_write_bandwidth",
            "dram_mixed_bandwidth", "l1_bandwidth", "shared_bandwidth",
            "l2_bandwidth", *THROUGHPUTS, "throughput_barrier",
            "launch_overhead",
            "global_atomic_rate", "l1_partial_store_rate",
            "l2_partial_store_rate",
            "shared_atomic_times", "shared_popc_inc_times",
            *("mwp_" + name for name in mwp_cwp.PARAMETERS)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--auspex", default=AUSPEX)
    parser.add_argument("--gpu")
    parser.add_argument("records")
    options = parser.parse_args()
    records = Records(options.records)
    options.gpu = options.gpu or records.gpu
    lines = [line for fit in FITS for line in fit(records)]
    lines += memory_parameters(records, options)

    made = records.all[0]["provenance"]
    command = shlex.join(["utils/measure/fit.py", *sys.argv[1:]])
    print(f"# {records.gpu}, driver {made['driver'] or 'not known'}, "
          f"{made['compiler']}, {made['date']}\n# {command}")
    for line in lines:
        value = (line.value if isinstance(line.value, str)
                 else f"{line.value:.4g}")
        print(f"{line.key}: {{value: {value}, unit: {line.unit}, kind: "
              f'measured, source: "utils/measure, {line.origin}; fit.py, '
              f'{made["date"]}"}}')
    for key in sorted(EXPECTED - {line.key for line in lines}):
        print(f"note: {key} does not follow from the records", file=sys.stderr)


if __name__ == "__main__":
    main()
