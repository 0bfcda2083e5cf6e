# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what is predicted of launches with what the GPU counted of them.

    counters.py RECORDS.jsonl.gz KERNELS SOURCE...

Prints, for each SOURCE of the folder KERNELS, how many launches there are, and
between which shares of the counters predictions lie.
"""
import collections
import gzip
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "utils"))
from measured import launch_of, predict

COUNTERS = {
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared passes": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "instructions": "smsp__inst_executed.sum",
}


def counted(prediction):
    """Of the launch, by the names of COUNTERS."""
    sums = collections.Counter()
    for access in prediction["accesses"]:
        if access["space"] != "global":
            continue
        if access["kind"] == "load":
            sums["load requests"] += access["requests"]
            sums["load sectors"] += access["sectors"]
        elif access["kind"] == "store":
            sums["store sectors"] += access["sectors"]
    inputs = prediction["inputs"]["operational"]
    warps = inputs["blocks"] * inputs["warps_per_block"]
    sums["shared passes"] = inputs.get("shared_passes", 0) * warps
    sums["instructions"] = inputs["insts"] * warps
    return sums


def compare(source, records):
    predictions = predict("auspex", source, "H100-SXM",
                          [launch_of(r) for r in records])
    shares = collections.defaultdict(list)
    for r, prediction in zip(records, predictions):
        sums = counted(prediction)
        for name, counter in COUNTERS.items():
            if sums[name]:
                shares[name].append(sums[name] / r["counters"][counter])
    print(f"{source.name}: {len(records)} launches")
    for name, values in shares.items():
        print(f"  {name}: {min(values):.2f} to {max(values):.2f}")


def main():
    path, folder, *names = sys.argv[1:]
    with gzip.open(path, "rt") as lines:
        records = [json.loads(line) for line in lines]
    for name in names:
        compare(pathlib.Path(folder) / f"{name}.cu",
                [r for r in records
                 if r["source_path"].endswith(f"/{name}.cu")])


main()
