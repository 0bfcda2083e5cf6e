#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions of the examples against measurements of the same kernels.

    utils/accuracy.py [--auspex PATH] MEASUREMENTS

MEASUREMENTS is a folder of files with one JSON record a line, gzipped, each
with gpu, kernel, grid, block, problem, measured_ms and counters:

    gpu_benches_stream.jsonl.gz   streaming bandwidth at limited occupancy
    ktt_vectoradd.jsonl.gz        counters of four vector additions

A file that is missing is skipped with a note. The exit status is 1 if a target
is missed. No number here is fitted: delays and bandwidths are those of the
descriptions of GPUs.
"""
import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def records(folder, name):
    path = folder / name
    if not path.exists():
        print(f"note: {path} is missing: skipped")
        return []
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def predict(auspex, source, gpu, launches):
    """Predictions of launches ({kernel, grid, block, ...}), in their order."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "launches.json"
        file.write_text(json.dumps({"launches": launches}))
        text = subprocess.run(
            [auspex, "predict", ROOT / "examples" / source, "--gpu", gpu,
             "--launches", file, "--format=json"],
            check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    found = collections.defaultdict(list)
    for prediction in json.loads(text)["predictions"]:
        name = prediction["demangled"].split("(")[0]
        found[name].append(prediction)
    return [found[launch["kernel"]].pop(0) for launch in launches]


def percent(errors):
    """The mean of the absolute errors, and of the errors."""
    mean = 100 * sum(map(abs, errors)) / len(errors)
    bias = 100 * sum(errors) / len(errors)
    return f"{mean:5.1f} % ({bias:+5.1f})"


def streams(auspex, folder):
    """Times of init, read, scale and triad; every SM holds two blocks."""
    target = 6
    must = {"v100": "V100-PCIe", "a100_40": "A100-40GB", "a40": "A40",
            "h100_pcie": "H100-PCIe"}
    others = {"a100_80": "A100-80GB", "l40": "L40"}
    kernels = ["init", "read", "scale", "triad"]
    rows = records(folder, "gpu_benches_stream.jsonl.gz")
    if not rows:
        return True
    print("Streams at limited occupancy: error of the time, mean (bias)\n")
    print(f"{'GPU':12}" + "".join(f"{k:>17}" for k in kernels) +
          f"{'all':>17}   target {target} %")
    passed = True
    for gpu, name in (must | others).items():
        mine = [row for row in rows if row["gpu"] == gpu and
                row["kernel"].split("_")[0] in kernels]
        launches = [{"kernel": row["kernel"].split("_")[0] + "Kernel",
                     "grid": row["grid"], "block": row["block"],
                     "maxBlocksPerSM": 2,
                     "args": {"n": row["problem"]["N"], "never": 0}}
                    for row in mine]
        errors = collections.defaultdict(list)
        for row, prediction in zip(mine, predict(auspex, "stream.cu", name,
                                                 launches)):
            error = prediction["timeInUs"] / (1e3 * row["measured_ms"]) - 1
            errors[row["kernel"].split("_")[0]].append(error)
            errors["all"].append(error)
        mean = 100 * sum(map(abs, errors["all"])) / len(errors["all"])
        met = mean <= target
        if gpu in must:
            passed &= met
        print(f"{name:12}" +
              "".join(f"{percent(errors[k]):>17}" for k in kernels + ["all"]) +
              ("   met" if met else "   missed"))
    return passed


def vector_additions(auspex, folder):
    """Executed warp instructions and sectors of four vector additions."""
    target = 15
    rows = records(folder, "ktt_vectoradd.jsonl.gz")
    if not rows:
        return True
    launches = [{"kernel": "vectorAdd", "grid": row["grid"],
                 "block": row["block"]} for row in rows]
    print("\nVector additions on RTX 2080 Ti\n")
    print("block   instructions  measured   error   load sectors  store "
          f"sectors   target {target} %, sectors exact")
    passed = True
    for row, prediction in zip(rows, predict(auspex, "vectoradd.cu",
                                             "RTX-2080-Ti", launches)):
        counters, grid, block = row["counters"], row["grid"], row["block"]
        warps = grid[0] * -(-block[0] // 32)
        inputs = prediction["inputs"]["operational"]
        instructions = inputs["insts"] * warps
        error = 100 * (instructions / counters["smsp__inst_executed.sum"] - 1)
        loads = inputs["l2_load_bytes"] * warps / 32
        stores = inputs["l2_store_bytes"] * warps / 32
        # 4 bytes of three arrays: the counters of L2 hold some traffic of the
        # driver besides.
        exact = loads == 2 * row["problem"]["n"] * 4 / 32 and \
            stores == row["problem"]["n"] * 4 / 32
        passed &= abs(error) <= target and exact
        print(f"{block[0]:5}{instructions:15.0f}"
              f"{counters['smsp__inst_executed.sum']:10.0f}{error:+7.1f} %"
              f"{loads:15.0f}{stores:15.0f}   "
              f"{'met' if abs(error) <= target and exact else 'missed'}")
    return passed


parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--auspex", default=ROOT / "build" / "bin" / "auspex")
parser.add_argument("measurements", type=pathlib.Path)
options = parser.parse_args()
if not options.measurements.is_dir():
    parser.error(f"{options.measurements} is not a folder")
results = [streams(options.auspex, options.measurements),
           vector_additions(options.auspex, options.measurements)]
sys.exit(0 if all(results) else 1)
