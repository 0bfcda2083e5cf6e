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
import subprocess
import sys
import tempfile

COUNTERS = {
    "load requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "load sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "store sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared passes": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
}


def name_of(prediction):
    return prediction["demangled"].removeprefix("void ").split("(")[0]


def key_of(name, grid, block, arguments):
    return name, tuple(grid), tuple(block), arguments


def predictions_of(source, records):
    """By kernel, grid, block and arguments."""
    launches = [{"kernel": r["kernel"], "grid": r["grid"], "block": r["block"],
                 "args": r["problem"], "registers": r["compiled"]["regs"]}
                for r in records]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "launches.json"
        file.write_text(json.dumps({"launches": launches}))
        text = subprocess.run(
            ["auspex", "predict", source, "--gpu", "H100-SXM", "--launches",
             file, "--format=json"], check=True, stdout=subprocess.PIPE,
            encoding="utf-8").stdout
    found = {}
    for p in json.loads(text)["predictions"]:
        launch = p["launch"]
        values = tuple(sorted(launch["args"].values()))
        found[key_of(name_of(p), launch["grid"], launch["block"], values)] = p
    return found


def counted(prediction):
    """Of its accesses, by the names of COUNTERS."""
    sums = collections.Counter()
    for access in prediction["accesses"]:
        if access["space"] == "shared":
            sums["shared passes"] += access["bankPasses"]
        elif access["space"] != "global":
            continue
        elif access["kind"] == "load":
            sums["load requests"] += access["requests"]
            sums["load sectors"] += access["sectors"]
        elif access["kind"] == "store":
            sums["store sectors"] += access["sectors"]
    return sums


def compare(source, records):
    predictions = predictions_of(source, records)
    shares = collections.defaultdict(list)
    for r in records:
        values = tuple(sorted(r["problem"].values()))
        sums = counted(predictions[key_of(r["kernel"], r["grid"], r["block"],
                                          values)])
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
