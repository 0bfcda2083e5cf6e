# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a SARIF log on stdin against what the 2.1.0 standard asks of the
objects that Auspex writes: which properties an object may and must have, and
which values they take. The standard's objects are closed: a property that is
not in the table is an error here as there.
"""
import json
import re
import sys

URI = re.compile(r"([a-z][a-z0-9+.-]*:)?([A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|"
                 r"%[0-9A-Fa-f]{2})*")


def text(value):
    assert isinstance(value, str)


def uri(value):
    text(value)
    assert URI.fullmatch(value), f"no URI reference: {value}"


def positive(value):
    assert isinstance(value, int) and value >= 1


def index(value):
    assert isinstance(value, int) and value >= -1


def one_of(*values):
    def check(value):
        assert value in values, f"{value} is none of {values}"
    return check


def list_of(check, least=0, unique=False):
    def check_list(value):
        assert isinstance(value, list) and len(value) >= least
        if unique:
            written = [json.dumps(item, sort_keys=True) for item in value]
            assert len(set(written)) == len(written), "items are not unique"
        for item in value:
            check(item)
    return check_list


def map_of(check):
    def check_map(value):
        assert isinstance(value, dict)
        for item in value.values():
            check(item)
    return check_map


def object_of(required, **optional):
    def check_object(value):
        assert isinstance(value, dict)
        for key in required:
            assert key in value, f"{key} is missing in {list(value)}"
        for key, item in value.items():
            check = {**required, **optional}.get(key)
            assert check, f"{key} is not allowed beside {list(value)}"
            check(item)
    return check_object


MESSAGE = object_of({"text": text}, markdown=text)
REGION = object_of({"startLine": positive}, startColumn=positive,
                   endLine=positive, endColumn=positive)
LOCATION = object_of(
    {}, physicalLocation=object_of(
        {"artifactLocation": object_of({"uri": uri}, uriBaseId=text)},
        region=REGION),
    logicalLocations=list_of(
        object_of({}, fullyQualifiedName=text, name=text, kind=text),
        unique=True),
    message=MESSAGE, id=index)
RULE = object_of({"id": text}, name=text, shortDescription=MESSAGE,
                 fullDescription=MESSAGE, help=MESSAGE, helpUri=uri)
RESULT = object_of(
    {"message": MESSAGE}, ruleId=text, ruleIndex=index,
    level=one_of("none", "note", "warning", "error"),
    locations=list_of(LOCATION), relatedLocations=list_of(LOCATION, unique=True),
    partialFingerprints=map_of(text))
RUN = object_of(
    {"tool": object_of({"driver": object_of(
        {"name": text}, version=text, semanticVersion=text, informationUri=uri,
        rules=list_of(RULE, unique=True))})},
    columnKind=one_of("utf16CodeUnits", "unicodeCodePoints"),
    results=list_of(RESULT))
LOG = object_of({"version": one_of("2.1.0"), "runs": list_of(RUN)},
                **{"$schema": uri})

log = json.load(sys.stdin)
LOG(log)
for run in log["runs"]:
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    fingerprints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        fingerprint = json.dumps(result["partialFingerprints"])
        assert fingerprint not in fingerprints, "two results are one"
        fingerprints.add(fingerprint)
    print(f"valid, {len(run['results'])} results of {len(rules)} rules")
