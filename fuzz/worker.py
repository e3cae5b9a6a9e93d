"""The subprocess that runs cases: reads requests from its standard input, one JSON a line, and answers in the same way.

A request names a kind, and has a case or a seed and a number.  Limits of CPU time and address space are those of the
operating system, so that they also end compiled code; the process that asks sees how this one died.
"""

import faulthandler
import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from .compiling import compile_seconds
from .kinds import KINDS, Action, Kind
from .outcome import DONE, ERROR, MEMORY, REFUSED, SLOW, VOID, WRONG, Late, Outcome, Refused, Wrong
from .refusals import place_of

MEGABYTE = 2**20
COMPILING = 120  # seconds of CPU that compilation may take beyond those of the case
SPARE = 3  # address space, in multiples of the memory that is allowed: threads reserve more than they use
NAMES = ("reader", "face", "method", "widget")  # of what a case calls
TAIL = 4000  # characters of a traceback
STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


def main() -> None:
    """Answer requests until the standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the product prints must not mix with answers
    faulthandler.enable()
    faulthandler.register(signal.SIGXCPU, chain=True)
    faulthandler.register(signal.SIGUSR1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    warnings.filterwarnings("error", category=RuntimeWarning, module=r"orangecontrib\.reliefe")
    warnings.filterwarnings("ignore", ".* infinite values? .* read as missing$")  # this one is meant
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line)).to_json()) + "\n")
        answers.flush()


def answer(request: Mapping[str, object]) -> Outcome:
    """Carry out one request."""
    kind = KINDS[request["kind"]]
    case = request["case"] if "case" in request else kind.make(request["seed"], request["number"])
    try:
        action = kind.prepare(case)
    except (ImportError, SyntaxError) as error:  # of the product, or a library that the kind needs
        return Outcome(ERROR, f"{type(error).__name__} {place_of(error)}", traceback.format_exc()[-TAIL:])
    except Exception:  # noqa: BLE001 - libraries refuse to make some of the odd values: there is no case then
        return Outcome(VOID, text=traceback.format_exc()[-TAIL:])
    what = next((str(case[name]) for name in NAMES if case.get(name)), "")
    return carry_out(replace(kind, megabytes=case.get("megabytes", kind.megabytes)), action, what)


def carry_out(kind: Kind, action: Action, what: str = "") -> Outcome:
    """Run the action within the limits of its kind.

    what: face that it calls; the place of the fault where the action ends well, but needs too much.
    """
    compiled = compile_seconds if kind.compiles else lambda: 0.0
    gc.collect()
    gc.freeze()  # modules stay: it would take long to look at them after every case
    _limit(kind)
    before, start, compiled_before = _resident(), time.process_time(), compiled()
    status, where, text, measured = _ending(action)
    seconds = max(time.process_time() - start - (compiled() - compiled_before), 0.0)
    grown = (_peak() - before) / MEGABYTE
    if status in (DONE, REFUSED) and seconds > kind.seconds:
        status, where, text = SLOW, what, f"{seconds:.1f} s of CPU, {kind.seconds:g} are allowed"
    if status in (DONE, REFUSED) and grown > kind.megabytes:
        status, where, text = MEMORY, what, f"{grown:,.0f} MB, {kind.megabytes:,.0f} are allowed"
    return Outcome(status, where, text, seconds, grown, {**measured, "resident": _resident() / MEGABYTE})


def _ending(action: Action) -> tuple[str, str, str, Mapping[str, float]]:
    try:
        return DONE, "", "", action() or {}
    except Refused as refusal:
        return REFUSED, "", str(refusal), {}
    except Wrong as wrong:
        return SLOW if isinstance(wrong, Late) else WRONG, wrong.where, f"{wrong}\n{traceback.format_exc()[-TAIL:]}", {}
    except MemoryError as error:
        return MEMORY, place_of(error), traceback.format_exc()[-TAIL:], {}
    except Exception as error:  # noqa: BLE001 - any other exception is what is looked for
        return ERROR, f"{type(error).__name__} {place_of(error)}", traceback.format_exc()[-TAIL:], {}


def _limit(kind: Kind) -> None:
    """Soft limits for the next case, above what this process has used by now."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime + kind.seconds + (COMPILING if kind.compiles else 1)
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, most))
    space = _field("VmSize")
    if space:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (space + int(SPARE * kind.megabytes * MEGABYTE), most))
    if RESET.exists():
        RESET.write_text("5")  # the peak begins anew at the present size


def _field(name: str) -> int:
    """Bytes by a line of /proc/self/status; 0 where there is none."""
    if not STATUS.exists():
        return 0
    lines = STATUS.read_text().splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:")), 0)


def _resident() -> int:
    return _field("VmRSS")


def _peak() -> int:
    return _field("VmHWM")
