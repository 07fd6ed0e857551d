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

"""Checks a result of "ovs-fanbench run -f json".

usage: check-result.py SCHEMA RESULT <EXPRESSIONS

Checks RESULT against SCHEMA and against what no schema can say: every ledger
adds up, sums are those of the trials, and each DUT has one trial a block, of
the same build as the others'.
Then evaluates each line of EXPRESSIONS, Python in which "r" is the result, "d"
maps names of DUTs to their results and "codes" is the list of the codes of the
findings that void the result, and fails at the first that is not true."""

import json
import sys

import document


def check_dut(dut, n_trials, shared):
    """Checks that the accounts of 'dut' add up.  'shared' says that Open
    vSwitches are the host's, whose datapaths count other packets, too."""
    name = dut["name"]
    assert [t["block"] for t in dut["trials"]] == list(range(n_trials)), name
    for t in dut["trials"]:
        where = "%s, block %d" % (name, t["block"])
        if t["tcp"]:
            assert t["lost"] is None, where + ": lost"
            continue
        assert (t["delivered"] + sum(t["lost"].values()) + t["unaccounted"]
                == t["offered"]), where + ": ledger"
        assert t["unaccounted"] == 0, where + ": unaccounted"
        assert t["delivered_in_time"] <= t["delivered"], where + ": in time"
        if t["datapath"] and not shared:
            lookups = ((t["datapath"]["hit"] + t["datapath"]["missed"])
                       * t["copies"])
            assert (lookups + t["lost"]["port"] + t["lost"]["xdp-socket"]
                    + t["lost"]["generator"]
                    + t["lost"]["device-queue"] + t["lost"]["ingress-ring"]
                    + t["lost"]["ingress-backlog"]
                    == t["offered"]), where + ": lookups"
    for member in "offered", "delivered":
        assert (sum(t[member] for t in dut["trials"])
                == dut[member]), name + ": " + member
    if dut["tcp"]:
        assert (sum(t["tcp"]["retransmits"] for t in dut["trials"])
                == dut["tcp"]["retransmits"]), name + ": retransmits"
        return
    for place, n in dut["lost"].items():
        assert sum(t["lost"][place] for t in dut["trials"]) == n, place


def show(result):
    """Prints the findings of 'result', and its DUTs with a trial of each."""
    print(json.dumps(result["validity"], indent=2))
    for dut in result["duts"]:
        dut["trials"] = dut["trials"][:1]
        print(json.dumps(dut, indent=2))


def main(schema_name, result_name):
    """Checks the file 'result_name'.  Returns an exit code."""
    result = document.load(schema_name, result_name)
    sampling = result["sampling"]
    builds = [t["build"] for t in result["duts"][0]["trials"]]
    assert builds == sorted(builds)
    assert sorted(set(builds)) == list(range(sampling["builds"]))
    shared = any(f["code"] == "shared-datapath"
                 for f in result["validity"]["findings"])
    for dut in result["duts"]:
        check_dut(dut, sampling["blocks"], shared)
        assert [t["build"] for t in dut["trials"]] == builds, dut["name"]
    duts = {dut["name"]: dut for dut in result["duts"]}
    codes = [f["code"] for f in result["validity"]["findings"]
             if f["severity"] == "void"]
    return document.evaluate({"r": result, "d": duts, "codes": codes},
                             lambda: show(result))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
