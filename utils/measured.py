# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements, predictions of the same launches, and what compares them.

Measurements are gzipped files with one JSON record a line, or CSV.
"""
import collections
import csv
import gzip
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
AUSPEX = ROOT / "build" / "bin" / "auspex"
INPUTS = ROOT / "test" / "Accuracy" / "Inputs"
EXAMPLES = ROOT / "examples"


def exists(path):
    """Whether there is a file; a note if it is missing."""
    if not path.exists():
        print(f"note: {path} is missing: skipped")
    return path.exists()


def records(folder, name):
    """The records of a file; none if it is missing."""
    path = folder / name
    if not exists(path):
        return []
    if path.suffix == ".csv":
        with open(path, newline="") as lines:
            return list(csv.DictReader(lines))
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def launch_of(record):
    """What a record of utils/measure was launched as."""
    return {"kernel": record["kernel"], "grid": record["grid"],
            "block": record["block"], "args": record["problem"],
            "registers": record["compiled"]["regs"]}


def predict(auspex, source, gpu, launches, *options):
    """Predictions of launches ({kernel, grid, block, ...}), in their order."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "launches.json"
        file.write_text(json.dumps({"launches": launches}))
        text = subprocess.run(
            [auspex, "predict", source, "--gpu", gpu, "--launches", file,
             "--format=json", *options],
            check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    found = collections.defaultdict(list)
    for prediction in json.loads(text)["predictions"]:
        name = prediction["demangled"].split("(")[0].removeprefix("void ")
        found[name].append(prediction)
    return [found[launch["kernel"]].pop(0) for launch in launches]


def validate(auspex, path, map_name):
    """What `auspex validate` says of a file, with a map of utils/validate."""
    return json.loads(subprocess.run(
        [auspex, "validate", path, "--map",
         ROOT / "utils" / "validate" / f"{map_name}.yaml", "--format=json"],
        check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout)


def grid_of(cells, block):
    """The blocks that cover `cells`, by axis."""
    return [-(-n // b) for n, b in zip(cells, block)]


#===------------------------------------------------------------------------===#
# Statistics
#===------------------------------------------------------------------------===#

def relative_errors(predicted, measured):
    return [p / m - 1 for p, m in zip(predicted, measured)]


def mean_error(errors):
    return statistics.mean(map(abs, errors))


def median_error(errors):
    return statistics.median(map(abs, errors))


def percentile_90(errors):
    ordered = sorted(map(abs, errors))
    return ordered[math.ceil(0.9 * len(ordered)) - 1]


def ranks(values):
    """From 1; equal values share their mean rank."""
    order = sorted(values)
    first = {}
    for place, value in enumerate(order, 1):
        first.setdefault(value, place)
    times = collections.Counter(values)
    return [first[value] + (times[value] - 1) / 2 for value in values]


def spearman(a, b):
    """The correlation of ranks."""
    x, y = ranks(a), ranks(b)
    mean = (len(x) + 1) / 2
    covariance = sum((p - mean) * (q - mean) for p, q in zip(x, y))
    return covariance / math.sqrt(sum((p - mean) ** 2 for p in x) *
                                  sum((q - mean) ** 2 for q in y))


def share_of_best(predicted, measured):
    """The measured rate of what is predicted to be the fastest, over that of
    what is."""
    return max(zip(predicted, measured))[1] / max(measured)


#===------------------------------------------------------------------------===#
# Star stencils on a V100 (Ernst et al. 2022)
#===------------------------------------------------------------------------===#

Star = collections.namedtuple("Star", "file cells registers")

# 64 registers a thread: all of an SM's for a block of 1024.
STAR_25 = Star("warpspeed/v100_3d25pt_measured.csv", (632, 504, 504), 64)
STAR_13 = Star("warpspeed/v100_3d13pt_zfold_measured.csv", (596, 596, 508),
               None)
MOST_THREADS_ALONG_Z = 64


def predict_stars(auspex, folder, star):
    """Pairs of a record and its prediction; how many were left out because CUDA
    refuses blocks with more than 64 threads along z."""
    rows = records(folder, star.file)
    launchable = [row for row in rows
                  if int(row["bz"]) <= MOST_THREADS_ALONG_Z]
    launches = []
    for row in launchable:
        block = [int(row[side]) for side in ("bx", "by", "bz")]
        fold = int(row["fz"])
        nx, ny, nz = star.cells
        launches.append({
            "kernel": "star25" if star is STAR_25 else f"star13Fold{fold}",
            "grid": grid_of((nx, ny, -(-nz // fold)), block), "block": block,
            "registers": star.registers or int(row["registers"])})
    if not launches:
        return [], 0
    predictions = predict(auspex, INPUTS / "star.cu", "V100-PCIe", launches)
    return list(zip(launchable, predictions)), len(rows) - len(launchable)


def bytes_per_update(prediction, member, star):
    """The bytes of a level, by their name in the JSON, over those of the
    cells."""
    objects = prediction["traffic"]["objects"]
    return sum(o[member] for o in objects) / math.prod(star.cells)
