#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the kernels of utils/measure/kernels on the GPU of this machine.

    utils/measure/measure.py [--lock-clock] [-o measured.jsonl] [SET]...

Builds the program with nvcc, takes times and, where there is ncu, counters of
each launch, and writes a record of each. A SET is a file of kernels without its
ending; all are measured if none is named. --lock-clock holds the SM clock while
it measures, which needs root, and a GPU that nobody else uses.
docs/measure.md says more. Of several GPUs it is the first of
CUDA_VISIBLE_DEVICES. NVCC and ARCH (native) of the environment say what to build
with and for, BUILD where.
"""
import argparse
import contextlib
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("BUILD",
                                    FOLDER.parent.parent / "build/measure"))

# Numbers of a launch that predictions have too.
METRICS = (
    "gpu__time_duration.sum",
    "sm__cycles_elapsed.max",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
)


def note(text):
    print(f"note: {text}", file=sys.stderr)


def environment():
    """One GPU, by the number that nvidia-smi has for it."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    return {**os.environ, "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
            "CUDA_VISIBLE_DEVICES": visible}


def build():
    subprocess.run(["make", "-C", FOLDER, f"-j{os.cpu_count()}",
                    f"BUILD={BUILD}"], check=True, stdout=sys.stderr)
    return BUILD / "measure"


#===------------------------------------------------------------------------===#
# Clocks
#===------------------------------------------------------------------------===#

def nvidia_smi(*arguments):
    """What it prints; None if it fails or there is none."""
    if not shutil.which("nvidia-smi"):
        return None
    done = subprocess.run(
        ["nvidia-smi", "-i", environment()["CUDA_VISIBLE_DEVICES"],
         *arguments], stdout=subprocess.PIPE, encoding="utf-8", check=False)
    return done.stdout if done.returncode == 0 else None


def clock_to_lock():
    """The default for applications, else the highest, in MHz."""
    for field in ("clocks.default_applications.graphics", "clocks.max.sm"):
        text = nvidia_smi(f"--query-gpu={field}",
                          "--format=csv,noheader,nounits")
        if text and text.strip().isdigit():
            return text.strip()
    return None


@contextlib.contextmanager
def locked_clock():
    """The SM clock stays where it is."""
    clock = clock_to_lock()
    if not clock or nvidia_smi("-lgc", f"{clock},{clock}") is None:
        sys.exit("error: the SM clock cannot be locked (nvidia-smi -lgc); "
                 "without --lock-clock the records say at which clocks the "
                 "kernels ran")
    try:
        yield
    finally:
        nvidia_smi("-rgc")


#===------------------------------------------------------------------------===#
# Counters
#===------------------------------------------------------------------------===#

def read_counters(path):
    """The launches in what `ncu --csv --page raw` wrote: grid, block, values
    by metric."""
    with open(path, newline="") as lines:
        rows = list(csv.DictReader(line for line in lines
                                   if not line.startswith("==")))
    launches = []
    for row in rows[1:]:  # the first one has the units
        values = {}
        for metric in METRICS:
            with contextlib.suppress(ValueError):
                values[metric] = float((row.get(metric) or "").replace(",", ""))
        launches.append((json.loads(f"[{row['Grid Size'].strip('()')}]"),
                         json.loads(f"[{row['Block Size'].strip('()')}]"),
                         values))
    return launches


def add_counters(program, sets, records):
    """What ncu counts of the same launches, in the same order."""
    if not shutil.which("ncu"):
        note("there is no ncu: the records have no counters")
        return
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "counters.csv"
        done = subprocess.run(
            ["ncu", "--csv", "--page", "raw", "--print-units", "base",
             "--clock-control", "none", "--metrics", ",".join(METRICS),
             "--log-file", log, program, "--once",
             "-o", pathlib.Path(folder) / "launched.jsonl", *sets],
            env=environment(), check=False)
        launches = read_counters(log) if done.returncode == 0 else []
    if [launch[:2] for launch in launches] != [
            (record["grid"], record["block"]) for record in records]:
        note("ncu did not count these launches (is it permitted to?): the "
             "records have no counters")
        return
    for record, (_, _, values) in zip(records, launches):
        record["counters"] = values


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lock-clock", action="store_true")
    parser.add_argument("-o", dest="output", default="measured.jsonl")
    parser.add_argument("sets", nargs="*", metavar="SET")
    options = parser.parse_args()
    program = build()
    with locked_clock() if options.lock_clock else contextlib.nullcontext():
        done = subprocess.run([program, "-o", options.output, *options.sets],
                              env=environment(), check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)
        with open(options.output) as lines:
            records = [json.loads(line) for line in lines]
        add_counters(program, options.sets, records)
    with open(options.output, "w") as lines:
        for record in records:
            print(json.dumps(record), file=lines)
    print(f"{len(records)} records in {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
