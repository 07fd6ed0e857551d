#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at:
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Checks what "ovs-fanbench doctor -f json" has printed.

usage: check-doctor.py SCHEMA REPORT <EXPRESSIONS

Checks REPORT against SCHEMA, and that findings are in order.  Then evaluates
each line of EXPRESSIONS, Python in which "r" is the report, "f" maps codes to
findings, the worst of each code, and "codes" is the sorted list of codes, and
fails at the first that is not true."""

import json
import sys

import document

SEVERITIES = ["error", "warning", "info"]


def main(schema_name, report_name):
    """Checks the file 'report_name'.  Returns an exit code."""
    report = document.load(schema_name, report_name)
    findings = report["findings"]
    order = [SEVERITIES.index(f["severity"]) for f in findings]
    assert order == sorted(order), "not the worst first"
    assert report["worst"] == (findings[0]["severity"] if findings
                               else "none"), "not the worst"
    by_code = {f["code"]: f for f in reversed(findings)}
    return document.evaluate(
        {"r": report, "f": by_code, "codes": sorted(by_code)},
        lambda: print(json.dumps(report, indent=2)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
