# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes edits, predicts both sides and asks the gate.

    try-edits.py costly|harmless EXAMPLES FOLDER [NAME]

Every costly edit has to trip at its line with its cause, no harmless one may.
Prints a line for each.
"""
import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import edits

GPU = "A100-40GB"
EXAMPLES, FOLDER = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def predict(folder, example, text):
    folder.mkdir(parents=True)
    shutil.copy(EXAMPLES / "check.h", folder)
    (folder / example).write_text(text)
    subprocess.run(["auspex", "predict", example, "--gpu", GPU,
                    "--format=json", "-o", "predictions.json"],
                   cwd=folder, check=True, stderr=subprocess.PIPE)
    return folder / "predictions.json"


def gate(base, head):
    run = subprocess.run(["auspex", "gate", base, head, "--format=json"],
                         stdout=subprocess.PIPE)
    if run.returncode == 2:
        raise SystemExit("the gate refused its input")
    return run.returncode, json.loads(run.stdout)


def problem(edit, text, status, result):
    """What is wrong with the gate's answer; nothing if it is right."""
    tripped = [launch for launch in result["launches"]
               if launch["verdict"] == "tripped"]
    if "line" not in edit:
        return (f"tripped: {tripped[0]['demangled']}" if status else "")
    if status != 1:
        return "did not trip"
    line = edits.line_of(text, edit["line"])
    first = tripped[0]["causes"][0]
    if first.get("line") != line:
        return f"line {first.get('line')}, not {line}: {first}"
    if first["id"] != edit["cause"]:
        return f"{first['id']}, not {edit['cause']}: {first['message']}"
    if "remark" in edit and first.get("remark") != edit["remark"]:
        return f"{first.get('remark')}, not {edit['remark']}"
    return ""


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    failed = False
    for name, edit in getattr(edits, sys.argv[1].upper()).items():
        if len(sys.argv) > 4 and name != sys.argv[4]:
            continue
        original = (EXAMPLES / edit["example"]).read_text()
        before = edits.apply(original, edit.get("before", []))
        after = edits.apply(before, edit["after"])
        place = FOLDER / name.replace(" ", "-")
        sides = [predict(place / side, edit["example"], text)
                 for side, text in (("base", before), ("head", after))]
        status, result = gate(*sides)
        wrong = problem(edit, after, status, result)
        failed |= bool(wrong)
        print(f"{name}: {wrong or 'as it should be'}", flush=True)
    return failed


sys.exit(main())
