# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives listed launches the times of a GPU with known numbers: keys of hwdesc,
in their units.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import types

MEASURE = pathlib.Path(__file__).resolve().parents[3] / "utils" / "measure"
sys.path.insert(0, str(MEASURE))
import fit


def chain_cycles(r, numbers):
    for key, (kernel, operations) in fit.CHAINS.items():
        if r["kernel"] == kernel:
            later = 32 / numbers["throughput_barrier"] * (
                max(r["block"][0] // 32, 1) - 1)
            return ((numbers[key] * operations + later) *
                    r["problem"]["steps"])
    return None


def chase_cycles(r, numbers):
    size, l2 = 128 * r["problem"]["lines"], r["device"]["l2_bytes"]
    level = "l1" if size <= 128 << 10 else "l2" if size <= l2 else "dram"
    return numbers["latency_" + level] * r["problem"]["steps"]


def atomic_time(jobs, cas, passes):
    """A table, as good as any."""
    return 38 + passes * (jobs + 1) + 2 * cas


def increment_time(jobs, passes):
    return 20 + 4 * jobs + passes * jobs / 2


def atomic_cycles(r, numbers):
    """Of the kernels that take the times of the tables, round after round."""
    p, jobs = r["problem"], fit.jobs_of(r)
    if jobs == 0:
        time = 0
    elif r["kernel"].startswith("timeSharedIncrements"):
        time = increment_time(jobs, p["passes"])
    else:
        time = atomic_time(jobs, p["casWarps"] * fit.jobs_a_warp(r),
                           p["passes"])
    return p["rounds"] * (time + 10)


def cycles_of(r, numbers):
    """What the kernel counts by the SM's clock, if it does."""
    if r["kernel"] == "chase":
        return chase_cycles(r, numbers)
    if r["kernel"].startswith("timeShared"):
        return atomic_cycles(r, numbers)
    return chain_cycles(r, numbers)


def stream_ms(r, numbers):
    key, size = {"readKernel": ("read", 8), "initKernel": ("write", 8),
                 "scaleKernel": ("mixed", 16), "triadKernel": ("read", 24)}[
                     r["kernel"]]
    # Few warps do not reach it.
    share = 1 if r["dyn_smem"] == 0 and r["block"][0] >= 128 else 0.5
    return (1e-6 * size * r["problem"]["n"] /
            (share * numbers[f"dram_{key}_bandwidth"]))


def mix_ms(r, numbers):
    """Two blocks an SM reach half of it."""
    reads, writes = map(int, re.findall(r"\d+", r["kernel"]))
    key = "read" if writes == 0 else "write" if reads == 0 else "mixed"
    share = 1 if r["grid"][0] > 2 * r["device"]["sm_count"] else 0.5
    return (16e-6 * (reads + writes) * r["problem"]["count"] /
            (share * numbers[f"dram_{key}_bandwidth"]))


def contention_ms(r, numbers):
    """On one word lane by lane, on more of them in whole sectors."""
    rate = numbers["global_atomic_rate"]
    if "float" in r["kernel"]:
        rate = numbers["global_float_atomic_rate"]
    if r["problem"]["count"] > 1:
        rate = 8 * numbers["global_atomic_sector_rate"]
    return (1e-3 * fit.lanes(r) * r["problem"]["rounds"] / rate /
            numbers["sm_clock"])


def columns_ms(r, numbers):
    """Words in sectors and their lines, one by one."""
    packets = (fit.lanes(r) * r["problem"]["rounds"] *
               (1 + min(1, 4 * r["problem"]["pitch"] / fit.LINE)))
    rate = min(numbers["l2_partial_store_rate"],
               r["grid"][0] * numbers["l1_partial_store_rate"])
    return 1e-3 * packets / rate / numbers["sm_clock"]


def cache_ms(r, numbers):
    p = r["problem"]
    words = p["n"] * p["passes"] * r["grid"][0]
    if r["kernel"] == "readL2":
        return 16e-6 * words / numbers["l2_bandwidth"]
    level = "l1" if r["kernel"] == "readL1" else "shared"
    cycles = (4 * words / r["device"]["sm_count"] /
              numbers[f"{level}_bandwidth"])
    return 1e-3 * cycles / numbers["sm_clock"]


def throughput_ms(r, numbers):
    """A step has some results of each chain."""
    operation = r["kernel"].removeprefix("work<throughput::").removesuffix(">")
    found = [(key, results) for key, (name, results) in
             fit.THROUGHPUTS.items() if name == operation]
    if not found:
        return 1
    key, results = found[0]
    done = (fit.lanes(r) * r["problem"]["steps"] * fit.CHAINS_OF_THREAD *
            results)
    return (1e-3 * done / r["device"]["sm_count"] / numbers[key] /
            numbers["sm_clock"])


def model_ms(inputs, numbers):
    """By the program, not by fit.py."""
    inputs = {**inputs, **{name: numbers["mwp_" + name]
                           for name in fit.mwp_cwp.PARAMETERS}}
    output = json.loads(subprocess.run(
        ["auspex", "model", "mwp-cwp", "--input=-", "--format=json"],
        input=json.dumps(inputs), check=True, stdout=subprocess.PIPE,
        encoding="utf-8").stdout)
    return 1e-3 * output["exec_cycles"] / numbers["sm_clock"]


def time_of(r, numbers):
    file = r["source_path"].split("/")[-1]
    if file == "stream.cu":
        return stream_ms(r, numbers)
    if file == "mixes.cu":
        return mix_ms(r, numbers)
    if file == "contention.cu":
        return contention_ms(r, numbers)
    if r["kernel"].startswith("columns::storeWords"):
        return columns_ms(r, numbers)
    if file == "bandwidth.cu":
        return cache_ms(r, numbers)
    if r["kernel"] == "readWindowOfL2":
        return fit.rate_of_window({**r, "measured_ms": 1}) / (
            numbers["dram_read_bandwidth"])
    if file == "throughput.cu":
        return throughput_ms(r, numbers)
    if r["kernel"] == "nothing":
        return 1e-3 * numbers["launch_overhead"]
    if r["kernel"] == "contend":
        return (1e-3 * fit.lanes(r) * r["problem"]["rounds"] /
                numbers["global_atomic_rate"] / numbers["sm_clock"])
    return 1


def synthesize(listed, numbers, noise, seed):
    """The records, with times whose logarithms are off by `noise`."""
    source = random.Random(seed)
    records = [{**json.loads(line), "status": "ok",
                "core_MHz": numbers["sm_clock"]} for line in open(listed)]
    benchmarks = [r for r in records if fit.is_micro_benchmark(r)]
    options = types.SimpleNamespace(auspex="auspex", gpu=records[0]["gpu"])
    inputs = fit.model_inputs(options, benchmarks)
    for r in records:
        r["device"]["highest_mem_MHz"] = numbers["dram_clock"]
        factor = source.lognormvariate(0, noise)
        if cycles := cycles_of(r, numbers):
            r["cycles"] = factor * cycles
        time = (model_ms(inputs.pop(0), numbers) if fit.is_micro_benchmark(r)
                else time_of(r, numbers))
        r["measured_ms"] = factor * time
    return records
