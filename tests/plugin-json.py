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

"""Checks the JSON of the fanbench commands, for tests/plugin.at.

Usage: plugin-json.py get EXPRESSION < DOCUMENT
       plugin-json.py schema < DOCUMENT
       plugin-json.py phases SHOW-DOCUMENT ROUNDS-DOCUMENT

"get" prints the value of a Python expression.  In it, "d" is the document,
whose members are attributes, "dp" its first datapath, role(NAME) what threads
of a role counted in that, and first(LIST) and last(LIST) pick from a list.

"schema" checks that the document has the members that it should have, and no
other, and that times and counts are integers that are not negative.

"phases" checks that the rounds add up to the totals, and in each of them the
phases to the time of the threads."""

import json
import sys
import types

HEAD = {"schema": str, "recording": bool, "datapath": (str, type(None)),
        "clock": str, "start_ms": int, "elapsed_ns": int,
        "threads_not_recorded": int}
DATAPATH = {"name": str, "present": bool, "recorded": bool}
COUNTS = ["flows", "batches", "operations", "locks"]
PHASES = ["dump_ns", "revalidation_ns", "operations_ns", "sweep_ns",
          "barrier_ns", "pause_ns"]
TIMES = PHASES + ["thread_ns", "netlink_ns", "lock_wait_ns"]
WORK = dict.fromkeys(COUNTS + TIMES, int)
OPERATION = {"count": int, "errors": int, "time_ns": int}
COUNTERS = {"operations": {op: OPERATION
                           for op in ("put", "del", "get", "execute")},
            "upcalls": {"miss": int, "action": int, "errors": int,
                        "misses_not_recorded": int, "time_ns": int},
            "other_dumps": {"count": int, "flows": int, "time_ns": int}}
TOTALS = dict(WORK, count=int, errors=int, unfinished=int, duration_ns=int,
              min_ns=int, max_ns=int, last_ns=int, last_flows=int)
STATUS = dict(HEAD, version=str, ovs_version=str, history_max=int,
              threads=int, threads_max=int, calls_not_seen=[str],
              datapaths=[dict(DATAPATH, rounds=int)])
FINDING = {"severity": str, "code": str, "text": str, "fix": str,
           "since_ms": int}
SHOW = dict(HEAD, findings=[FINDING], datapaths=[
    dict(DATAPATH, rounds=TOTALS,
         roles=[dict(COUNTERS, role=str, threads=int)],
         threads=[dict(COUNTERS, name=str, role=str)], **COUNTERS)])
ROUNDS = dict(HEAD, rounds=[
    dict(WORK, id=int, datapath=str, start_ns=int, duration_ns=int,
         threads=int, error=int, triggers=[str], requests=int,
         datapath_flows=int, flow_limit_before=int, flow_limit_after=int,
         flow_limit_law=str)])
TRIGGERS = dict.fromkeys(["reconfigure", "stp", "rstp", "bond", "port-toggled",
                          "flow-table", "mac-learning", "mcast-snooping",
                          "other", "pause", "timer"], int)
EVENTS = dict(HEAD, events_total=int, findings=[FINDING], counters=None, datapaths=[
    dict(name=str, present=bool, rounds=int, triggers=TRIGGERS,
         laws=dict.fromkeys(["none", "grew", "reduced", "scaled",
                             "configured"], int),
         flow_limit=int, flow_limit_min=int, flow_limit_corrections=int,
         over_limit_rounds=int, over_limit_operations=int)],
    events=[dict(kind=str, datapath=str, time_ns=int, round=int,
                 duration_ns=int, phase=str, phase_ns=int,
                 flow_limit_before=int, flow_limit_after=int, count=int)])
REVALIDATORS = dict(HEAD, revalidators=[
    dict(WORK, name=str, datapath=str, verdict=str, rounds=int, span_ns=int,
         cpu_ns=int, active_ns=int, kept_ns=int, preempted=int)])
ERRORS = [{"errno": int, "text": str, "count": int}]
UPCALL_STATS = {
    "types": dict.fromkeys(["miss", "slow-path", "sflow", "flow-sample",
                            "ipfix", "controller", "other"], int),
    "latency": dict.fromkeys(["count", "mean_ns", "p50_ns", "p90_ns",
                              "p99_ns", "p999_ns", "max_ns"], int),
    "batches": dict.fromkeys(["count", "upcalls", "max", "full"], int),
    "upcalls": int, "dropped": int, "errors": ERRORS, "put_errors": ERRORS}
UPCALLS = dict(HEAD, flow_limit_refusals=int, datapaths=[
    dict(UPCALL_STATS, name=str, present=bool,
         datapath=dict.fromkeys(["hit", "missed", "lost", "flows"], int),
         interval=dict.fromkeys(["elapsed_ns", "upcalls", "missed", "lost"],
                                int),
         threads=[dict(UPCALL_STATS, name=str, role=str)])])
FLOWS = dict(
    HEAD, sort=str,
    datapaths=[{"name": str, "miss_ns": int, "misses_not_recorded": int,
                "rounds": int,
                "rounds_looked_at": int, "look_every": int,
                "look_share": (int, float),
                "put_errors": [{"errno": int, "error": str, "count": int}]}],
    flows=[dict(
        dict.fromkeys(
            ["installs", "born_ns", "died_ns", "upcalls", "setups", "setup_ns",
             "setups_unknown", "puts", "puts_failed", "put_errno", "put_ns", "deletions",
             "deletion_ns", "dumps", "revalidation_ns", "packets", "bytes",
             "packets_per_s"], int),
        datapath=str, ufid=str, flow=str, pmd=(int, type(None)), state=str,
        end=(str, type(None)), repaid_after=(int, type(None)),
        repaid=(bool, type(None)))],
    **dict.fromkeys(
        ["flows_max", "memory_max_bytes", "max_births", "exact", "live", "dead",
         "never_installed", "made_room", "no_room", "contended"],
        int))

PORT_CLASS = {"ports_min": int, "ports_max": int, "count": int,
              "time_ns": int, "max_ns": int}
PORT_OP = {"count": int, "errors": int, "time_ns": int, "max_ns": int,
           "slowest": str, "errors_by_errno": dict, "by_ports": [PORT_CLASS]}
PORTS = dict(HEAD, main_loop={
    "iterations": int, "busy_ns": int, "p50_ns": int, "p90_ns": int,
    "p99_ns": int, "p999_ns": int, "max_ns": int, "hold_ups": int,
    "activities": [{"activity": str, "count": int, "time_ns": int,
                    "max_ns": int, "max_name": str, "hold_ups": int}],
    "latest_hold_ups": [{"start_ns": int, "duration_ns": int, "cause": str,
                         "cause_ns": int, "name": str}]}, sweeps={
    "count": int, "interfaces": int, "last_interfaces": int, "time_ns": int,
    "read_ns": int, "max_ns": int, "last_ns": int, "interval_ns": int,
    "slowest": str, "slowest_ns": int}, port_changes=[
    dict(PORT_CLASS, operations=int, operations_ns=int)], datapath_ports=[
    {"name": str, "add": PORT_OP, "del": PORT_OP}])


def check(value, shape, where):
    """Checks that 'value', found at 'where', has the shape 'shape'."""
    if shape is None:
        assert value is not None, where
    elif isinstance(shape, dict):
        assert isinstance(value, dict), where
        assert set(value) == set(shape), (where, set(value) ^ set(shape))
        for name in shape:
            check(value[name], shape[name], where + "." + name)
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for element in value:
            check(element, shape[0], where + "[]")
    else:
        assert isinstance(value, shape), (where, value)
        assert (shape is bool or not isinstance(value, bool)
                or isinstance(shape, tuple) and bool in shape), (where, value)
        assert shape is not int or value >= 0, (where, value)


def schema():
    """Checks that the document on standard input is one of ours."""
    d = json.load(sys.stdin)
    assert d["schema"] == "ovs-fanbench-plugin/1", d["schema"]
    if "sweeps" in d:
        # Before anything happened, some members are null.
        check({k: v for k, v in d.items() if v is not None},
              {k: v for k, v in PORTS.items() if d.get(k, 0) is not None},
              "document")
        return
    shapes = {"version": STATUS, "sort": FLOWS, "rounds": ROUNDS,
              "events": EVENTS, "revalidators": REVALIDATORS,
              "flow_limit_refusals": UPCALLS}
    check(d, ([shapes[m] for m in shapes if m in d] or [SHOW])[0], "document")


def get(expression):
    """Prints the value of 'expression' for the document on standard input."""
    d = json.load(sys.stdin,
                  object_hook=lambda x: types.SimpleNamespace(**{
                      k + "_" if k == "del" else k.replace("-", "_"): v
                      for k, v in x.items()}))
    names = {"d": d,
             "first": lambda values: values[0],
             "last": lambda values: values[-1]}
    if getattr(d, "datapaths", None):
        dp = d.datapaths[0]
        names["dp"] = dp
        names["counter"] = lambda name: getattr(d.counters, name, None)
        names["role"] = lambda name: [r for r in getattr(dp, "roles", [])
                                      if r.role == name][0]
    print(eval("(" + expression + ")", names))


def phases(show, rounds):
    """Checks that the sums in the two documents agree."""
    total = json.load(open(show))["datapaths"][0]["rounds"]
    rounds = json.load(open(rounds))["rounds"]

    assert total["count"] == len(rounds) > 0, (total["count"], len(rounds))
    assert [r["id"] for r in rounds] == list(range(1, len(rounds) + 1))
    for member in COUNTS:
        assert total[member] == sum(r[member] for r in rounds), member
    # Each time was rounded down to a nanosecond by itself.
    for member in TIMES + ["duration_ns"]:
        rest = total[member] - sum(r[member] for r in rounds)
        assert 0 <= rest <= len(rounds), (member, rest)
    for r in rounds + [total]:
        rest = r["thread_ns"] - sum(r[p] for p in PHASES)
        assert 0 <= rest <= len(PHASES), (rest, r)
        assert r["dump_ns"] >= r["netlink_ns"] + r["lock_wait_ns"], r
    for r in rounds:
        assert r["error"] == 0 and r["threads"] > 0, r
        assert 0 < r["thread_ns"] <= r["threads"] * r["duration_ns"], r
    for a, b in zip(rounds, rounds[1:]):
        assert a["start_ns"] + a["duration_ns"] <= b["start_ns"] + 1, (a, b)
    assert max(r["duration_ns"] for r in rounds) == total["max_ns"]
    assert min(r["duration_ns"] for r in rounds) == total["min_ns"]
    assert rounds[-1]["duration_ns"] == total["last_ns"]


if __name__ == "__main__":
    {"get": get, "schema": schema, "phases": phases}[sys.argv[1]](
        *sys.argv[2:])
