# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fit.py finds the numbers that times were made of.

    recover.py LISTED.jsonl DESCRIPTION.yaml

Numbers are drawn at random; what fit.py writes takes the place of the lines of
the description, which then has to pass the checks.
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import synthesize
from synthesize import MEASURE, fit

LINE = re.compile(r"(\w+): \{value: (.*), unit: (\S+), kind: measured, "
                  r'source: ".*"\}')
# From where to where numbers are drawn.
RANGES = {
    "sm_clock": (1100, 1900), "dram_clock": (800, 2000),
    "latency_int": (2, 8), "latency_int_mul": (2, 8), "latency_fp32": (2, 8),
    "latency_fp64": (4, 48), "latency_sfu": (10, 40),
    "latency_shuffle": (10, 40), "latency_barrier": (10, 40),
    "latency_shared": (20, 30), "latency_shared_atomic": (35, 100),
    "latency_global_atomic": (400, 900), "latency_l1": (31, 60),
    "latency_l2": (200, 300), "latency_dram": (450, 900),
    "dram_read_bandwidth": (1200, 1500), "dram_write_bandwidth": (1200, 1500),
    "dram_mixed_bandwidth": (1200, 1500), "l1_bandwidth": (60, 128),
    "shared_bandwidth": (100, 128), "l2_bandwidth": (2500, 6000),
    "launch_overhead": (2, 5), "global_atomic_rate": (0.5, 2),
    "global_float_atomic_rate": (0.2, 2),
    "global_atomic_sector_rate": (0.5, 2),
    "mwp_mem_ld": (400, 900), "mwp_departure_del_uncoal": (6, 30),
    # Above what the peak bandwidth allows.
    "mwp_departure_del_coal": (20, 40),
    **{key: (16, 256) for key in fit.THROUGHPUTS},
    "throughput_barrier": (4, 64),
    "l1_partial_store_rate": (0.5, 1), "l2_partial_store_rate": (50, 60),
}


def draw(seed):
    source = random.Random(seed)
    return {key: source.uniform(*ends) for key, ends in RANGES.items()}


def fitted(records):
    """What fit.py writes of them, by key, and its notes."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for record in records:
            print(json.dumps(record), file=file)
        file.flush()
        done = subprocess.run(
            [sys.executable, MEASURE / "fit.py", "--auspex", "auspex",
             file.name], check=True, encoding="utf-8", stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
    lines = [line for line in done.stdout.splitlines() if line[0] != "#"]
    return {LINE.fullmatch(line)[1]: line for line in lines}, done.stderr


def value_of(line):
    text = LINE.fullmatch(line)[2]
    return json.loads(re.sub(r"(passes|rows):", r'"\1":', text))


def check_close(key, actual, expected, tolerance):
    assert abs(actual / expected - 1) <= tolerance, (key, actual, expected)


def check_table(table, time, tolerance):
    for jobs, cas, *cycles in table["rows"]:
        for passes, actual in zip(table["passes"], cycles):
            check_close((jobs, cas, passes), actual, time(jobs, cas, passes),
                        tolerance)


def check_numbers(lines, numbers, tolerance):
    for key, expected in numbers.items():
        check_close(key, value_of(lines[key]), expected, tolerance)
    check_table(value_of(lines["shared_atomic_times"]),
                synthesize.atomic_time, tolerance)
    # A load's latency, and its own error, was taken off these.
    check_table(value_of(lines["shared_popc_inc_times"]),
                lambda jobs, _, passes:
                synthesize.increment_time(jobs, passes), 4 * tolerance)


def check_description(path, lines):
    """What the lines replace, and what they add."""
    lines = dict(lines)
    text = []
    for line in pathlib.Path(path).read_text().splitlines():
        text.append(lines.pop(line.split(":")[0], line))
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write("\n".join(text + list(lines.values())) + "\n")
        file.flush()
        subprocess.run(["auspex", "gpu", "check", file.name], check=True)


def main():
    listed, description = sys.argv[1:]
    for seed, noise, tolerance in ((1, 0, 2e-3), (2, 0.02, 0.1)):
        numbers = draw(seed)
        records = synthesize.synthesize(listed, numbers, noise, seed)
        lines, notes = fitted(records)
        check_numbers(lines, numbers, tolerance)
        assert "does not follow" not in notes, notes
        check_description(description, lines)
    # Where the bandwidth is all that coalesced accesses wait for.
    numbers = {**draw(3), "mwp_departure_del_coal": 3}
    lines, notes = fitted(synthesize.synthesize(listed, numbers, 0.02, 3))
    assert "mwp_departure_del_coal does not follow" in notes, notes
    assert "mwp_departure_del_coal" not in lines
    for name in ("mwp_mem_ld", "mwp_departure_del_uncoal"):
        check_close(name, value_of(lines[name]), numbers[name], 0.05)


main()
