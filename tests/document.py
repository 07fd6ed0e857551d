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

"""What the checks of JSON documents share."""

import json
import sys

import jsonschema


def load(schema_name, name):
    """Returns the document in the file 'name', which must be as the schema in
    the file 'schema_name' says."""
    with open(schema_name) as f:
        schema = json.load(f)
    with open(name) as f:
        document = json.load(f)
    jsonschema.validate(document, schema)
    return document


def evaluate(names, show):
    """Evaluates each line of standard input, Python in which 'names' are
    known.  At the first that is not true, says so and calls show(), which
    prints what may tell why.  Returns an exit code."""
    for expression in sys.stdin.read().strip().splitlines():
        if not eval(expression.strip(), names):
            print("not true: %s" % expression)
            show()
            return 1
    return 0
