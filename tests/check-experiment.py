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

"""Checks a result of an experiment, of "ovs-fanbench run -f json".

usage: check-experiment.py SCHEMA RESULT <EXPRESSIONS

Checks RESULT against SCHEMA, that each interval holds its median, and that all
points have the same figures.  Then evaluates each line of EXPRESSIONS, Python
in which "r" is the result and "p" its points, whose figures are members with
their medians, and fails at the first that is not true."""

import json
import sys

import document


def flatten(point):
    """Returns 'point' with the medians of its figures as members."""
    flat = {name: figure["median"]
            for name, figure in point["figures"].items()}
    flat.update(point)
    return flat


def show(result):
    """Prints 'result'."""
    for point in result["points"]:
        point["probe"] = None
    print(json.dumps(result, indent=2))


def main(schema_name, result_name):
    """Checks the file 'result_name'.  Returns an exit code."""
    result = document.load(schema_name, result_name)
    for point in result["points"]:
        assert list(point["figures"]) == list(result["points"][0]["figures"])
        for name, figure in point["figures"].items():
            if figure["ci95"]:
                assert (figure["ci95"][0] <= figure["median"]
                        <= figure["ci95"][1]), name
    points = [flatten(point) for point in result["points"]]
    return document.evaluate({"r": result, "p": points},
                             lambda: show(result))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
