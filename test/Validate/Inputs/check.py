# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py JSON CSV SVG: the three say the same of one validation.

The scores are computed again, by their definitions, from the records.
"""
import csv
import json
import math
import statistics
import sys
import xml.etree.ElementTree as xml

document = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2], newline="")))
picture = xml.parse(sys.argv[3]).getroot()
assert document["schemaVersion"] == 1
records = document["records"]
assert len(rows) == len(records)


def pairs_of(chosen, model):
    """Predicted and measured times."""
    return [(time["timeInUs"], record["measuredInUs"]) for record in chosen
            if "times" in record for time in record["times"]
            if time["model"] == model and time["timeInUs"] is not None]


def tau(pairs):
    def sign(value):
        return (value > 0) - (value < 0)
    both = [(sign(a[0] - b[0]), sign(a[1] - b[1]))
            for i, a in enumerate(pairs) for b in pairs[:i]]
    scale = math.sqrt(sum(x * x for x, _ in both) *
                      sum(y * y for _, y in both))
    return sum(x * y for x, y in both) / scale if scale else None


def same(found, expected):
    assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), \
        (found, expected)


for group in document["sets"]:
    chosen = [r for r in records if r["file"].endswith(group["file"]) and
              r["gpu"] == group["gpu"] and
              group.get("kernel", r["kernel"]) == r["kernel"]]
    assert len(chosen) == group["records"]
    for score in group["scores"]:
        pairs = pairs_of(chosen, score["model"])
        assert len(pairs) == score["predicted"]
        if not pairs:
            continue
        errors = [p / m - 1 for p, m in pairs]
        same(score["mape"], statistics.mean(map(abs, errors)))
        same(score["median"], statistics.median(map(abs, errors)))
        same(score["bias"], statistics.mean(errors))
        if score["kendall"] is None:
            assert tau(pairs) is None
        else:
            same(score["kendall"], tau(pairs))
    missing = sum(cause["records"] for cause in group["notPredicted"])
    assert missing + group["scores"][0]["predicted"] == group["records"]
    # The worst come first.
    first = document["models"][0]
    far = [abs(math.log(p / m)) for p, m in
           pairs_of([records[i] for i in group["worst"]], first)]
    assert far == sorted(far, reverse=True) and len(far) <= 10

for row, record in zip(rows, records):
    same(float(row["measured_us"]), record["measuredInUs"])
    assert row["problem"] == record.get("problem", "")
    for time in record.get("times", []):
        if time["timeInUs"] is not None:
            same(float(row[time["model"] + "_us"]), time["timeInUs"])

points = len(picture.findall(".//{http://www.w3.org/2000/svg}g/"
                             "{http://www.w3.org/2000/svg}circle"))
expected = sum(len(pairs_of(records, model)) for model in document["models"])
assert points == expected, (points, expected)
print(f"{len(records)} records, {points} points")
