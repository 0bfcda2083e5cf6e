# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the job of gitlab.yml as GitLab would: its variables, and its script line
by line in a shell that stops at the first failure.

    run-gitlab.py FILE BASE
"""
import os
import re
import subprocess
import sys

path, base = sys.argv[1:]
text = open(path).read()
block = re.search(r"(?m)^  variables:\n((?:    .*\n)*)", text)[1]
variables = dict(re.findall(r"(?m)^    (\w+): (.*)$", block))
script = re.search(r"(?m)^  script:\n((?:    .*\n)*)", text)[1]
lines = re.findall(r"(?m)^    - (.*)$", script)
reports = re.findall(r"(?m)^      junit: (.*)$", text)
environment = dict(os.environ, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, **variables)
done = subprocess.run(["sh", "-e", "-c", "\n".join(lines)], env=environment)
print("exit", done.returncode)
print("report", *(open(report).read() for report in reports))
