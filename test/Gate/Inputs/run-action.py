# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the step of the composite action as GitHub would: its script, with the
defaults of its inputs. Prints the output, the exit code and the summary.

    run-action.py FOLDER BASE
"""
import os
import re
import subprocess
import sys

folder, base = sys.argv[1:]
lines = open(os.path.join(folder, "action.yml")).read().splitlines()
start = next(i for i, line in enumerate(lines) if line.strip() == "run: |")
script = "\n".join(line.strip() for line in lines[start + 1:])

# Inputs and their defaults: "  name:" and "    default: value" below it.
values, name = {}, ""
for line in lines[:start]:
    if match := re.fullmatch(r"  ([a-z-]+):", line):
        name = match[1]
    elif match := re.fullmatch(r"    default: '?(.*?)'?", line):
        values[name] = match[1]
values["base"] = base
environment = dict(os.environ, GITHUB_ACTION_PATH=folder,
                   GITHUB_STEP_SUMMARY="summary.md", RUNNER_TEMP="..")
for line in lines[:start]:
    if match := re.fullmatch(r" +([A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}", line):
        environment[match[1]] = values[match[2]]
done = subprocess.run(["sh", "-e", "-c", script], env=environment,
                      stdout=subprocess.PIPE, text=True)
print(done.stdout)
print("exit", done.returncode)
print(open("summary.md").read())
