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

"""Checks the text of fanbench/metrics, for tests/plugin-mainthread.at.

Usage: plugin-metrics.py openmetrics|prometheus [SAMPLE...] < TEXT

Parses TEXT strictly, as OpenMetrics 1.0 or as Prometheus's text format, and
then prints the value of each SAMPLE, a name with its labels as in TEXT."""

import re
import sys

NAME = r"ovs_fanbench_[a-z][a-z0-9_]*"
LABEL = r'[a-z_]+="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(r"(%s)(\{%s(?:,%s)*\})? ([0-9]+(?:\.[0-9]{9})?)"
                    % (NAME, LABEL, LABEL))
META = re.compile(r"# (TYPE|UNIT|HELP) (%s) (.+)" % NAME)
TYPES = {"counter": [""], "gauge": [""], "summary": ["", "_sum", "_count"]}


def parse(text, openmetrics):
    """Returns the samples of 'text', having checked all of it."""
    assert text.endswith("\n# EOF\n"), "no # EOF at the end"
    assert text.count("# EOF") == 1
    families, samples, family = {}, {}, None
    for line in text.splitlines()[:-1]:
        meta = META.fullmatch(line)
        if meta:
            keyword, name, value = meta.groups()
            if keyword == "TYPE":
                assert name not in families, line
                assert value in TYPES, line
                assert not family or len(families[family]) > 1, family
                family = name
                families[family] = {"TYPE": value}
            assert name == family, ("metadata apart from TYPE", line)
            assert keyword == "TYPE" or keyword not in families[family], line
            families[family][keyword] = value
            if keyword == "UNIT":
                assert openmetrics and name.endswith("_" + value), line
            continue

        sample = SAMPLE.fullmatch(line)
        assert sample, ("malformed", line)
        name, labels, value = sample.groups()
        kind = families[family]["TYPE"]
        suffixes = TYPES[kind]
        if kind == "counter":
            assert name.endswith("_total"), line
            suffixes = ["_total"] if openmetrics else [""]
        else:
            assert not name.endswith("_total"), line
        assert name in [family + s for s in suffixes], (family, line)
        names = re.findall(r'([a-z_]+)="(?:[^"\\]|\\.)*"', labels or "")
        assert len(set(names)) == len(names), line
        assert ("quantile" in names) <= (kind == "summary"), line
        key = name + (labels or "")
        assert key not in samples, ("twice", line)
        samples[key] = value

    for name, family in families.items():
        assert "HELP" in family, name
        seconds = re.sub("_total$", "", name).endswith("_seconds")
        assert not openmetrics or seconds == ("UNIT" in family), name
    return samples


def main():
    """Does what the documentation above says."""
    samples = parse(sys.stdin.read(), sys.argv[1] == "openmetrics")
    for sample in sys.argv[2:]:
        print(samples[sample])


if __name__ == "__main__":
    main()
