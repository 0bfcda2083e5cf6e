#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the miss curves of lib/Model/Traffic/CacheLevel.h.

    utils/fit-miss-curves.py [--auspex PATH] MEASUREMENTS

A curve says which share of reused bytes has left a cache before they are used
again, from what the window of the reuse touches over the capacity:

    miss(fill) = most / (1 + (half / fill)^steepness)

Predictions list their windows, so the volumes for any constants follow without
another prediction: what the largest window leaves, plus the misses of every
step. L1's curve is fitted to L2 loads; the other two, for windows within a wave
and for the waves before, to DRAM loads together. Fitted to is the 13-point
stencil of warpspeed/v100_3d13pt_zfold_measured.csv alone; the error for the
25-point stencil is printed as a check and has no say.

DRAM loads start from the L2 loads that the program's present curve for L1
gives: after a new one, build and fit again.

The valley is flat: a smaller `most` with a smaller `half` fits as well, since
few of the windows touch much more than the capacity. The program's constants
lie in it, with a larger `most` than is printed here; their errors are printed
first.
"""
import argparse
import collections
import pathlib
import random

from measured import (AUSPEX, STAR_13, STAR_25, mean_error,
                      predict_stars, relative_errors)

MissCurve = collections.namedtuple("MissCurve", "most half steepness")


def miss(curve, fill):
    if fill <= 0:
        return 0
    return curve.most / (1 + (curve.half / fill) ** curve.steepness)


def volume(steps, curve_of):
    """What a cache lets through, in bytes a launch."""
    missed = sum(miss(curve_of(step), step["fill"]) *
                 (step["beforeInBytes"] - step["afterInBytes"])
                 for step in steps)
    return steps[-1]["afterInBytes"] + missed


def error(pairs, star, reuse, column, curve_of):
    """The mean error of a volume over all launches."""
    cells = star.cells[0] * star.cells[1] * star.cells[2]
    return mean_error(relative_errors(
        [volume(prediction["traffic"][reuse], curve_of) / cells
         for _, prediction in pairs],
        [float(row[column]) for row, _ in pairs]))


def search(error_of, start, trials=800):
    """Random steps from `start`, kept where they help and shorter the longer
    they do not."""
    steps = random.Random(1)
    best, least = start, error_of(start)
    widths = [0.3 * value + 0.05 for value in start]
    for trial in range(trials):
        point = [value + steps.gauss(0, 1) * width
                 for value, width in zip(best, widths)]
        if min(point) <= 0 or point[0] > 1:
            continue
        found = error_of(point)
        if found < least:
            best, least = point, found
        elif trial % 20 == 19:
            widths = [0.85 * width for width in widths]
    return best


def l1_curve(point):
    curve = MissCurve(*point)
    return lambda step: curve


def l2_curves(point):
    """All that was used before is gone if enough comes in between: waves come
    one after the other."""
    side_by_side, in_turn = MissCurve(*point[:3]), MissCurve(1, *point[3:])
    return lambda step: \
        in_turn if step["window"].endswith("blocks before") else side_by_side


def by_program(step):
    """The curve that gives a step the miss rate it has in the program."""
    return MissCurve(2 * (1 - step["hitRate"]), step["fill"], 1)


def fit(fitted, check, reuse, column, curves, starts):
    def show_errors(what, curve_of):
        own = error(fitted, STAR_13, reuse, column, curve_of)
        other = error(check, STAR_25, reuse, column, curve_of)
        print(f"  {what}: mean error {100 * own:.1f} %, of the 25-point "
              f"stencil {100 * other:.1f} %")

    def error_of(point):
        return error(fitted, STAR_13, reuse, column, curves(point))
    point = min((search(error_of, start) for start in starts), key=error_of)
    show_errors("the program's", by_program)
    show_errors("fitted", curves(point))
    return point


def show(name, most, half, steepness):
    print(f"    {name}{{{most:.2f}, {half:.2f}, {steepness:.2f}}}")


parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--auspex", default=AUSPEX)
parser.add_argument("measurements", type=pathlib.Path)
options = parser.parse_args()
fitted, _ = predict_stars(options.auspex, options.measurements, STAR_13)
check, _ = predict_stars(options.auspex, options.measurements, STAR_25)
if not fitted or not check:
    parser.error("there is nothing to fit to")

print("L2 loads")
show("L1Curve", *fit(fitted, check, "l1Reuse", "meas_L2Load", l1_curve,
                     [[0.5, 2, 2], [0.7, 4, 3], [1, 2, 4]]))
print("DRAM loads")
*within, half, steepness = fit(
    fitted, check, "l2Reuse", "meas_memLoad", l2_curves,
    [[0.5, 2, 2, 1, 4], [0.7, 4, 3, 1, 6], [1, 2, 4, 1, 5]])
show("L2Curve", *within)
show("WavesCurve", 1, half, steepness)
