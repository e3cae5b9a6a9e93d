"""Words for events and for censored times, in any case and spelling: the event is the right one, or it is asked for."""

import csv
import io
import tempfile
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused, Wrong
from .refusals import refusing

# What was seen, with words that say that it was not: those of one row belong to one study.
STUDIES = (
    (("dead", "died", "deceased", "death", "DOD", "expired", "Died of disease", "dead of cancer", "exitus", "Fatal",
      "Death, cardiac", "passed away", "DECEASED", "1:DECEASED", "verstorben", "mort", "umrl"),
     ("alive", "living", "survived", "LIVING", "0:LIVING", "not dead", "survivor", "lost to follow-up", "censored",
      "ND", "Alive with disease", "alive, NED", "AWD", "discharged", "no death", "never died", "did not die",
      "still alive", "lives", "withdrawn", "lebend", "vivant", "surviving", "Alive (last contact)", "not deceased",
      "not yet dead", "undead", "no death recorded", "without death", "Alive after relapse")),
    (("relapse", "relapsed", "recurrence", "recurred", "Recurred/Progressed", "recurrent disease",
      "1:Recurred/Progressed", "local recurrence", "distant relapse", "rezidiv", "Relapse or death", "progression",
      "PD", "progressed", "failure", "treatment failure", "event", "Event", "EVENT OBSERVED", "observed", "uncensored",
      "not censored", "non-censored", "event occurred", "Failed"),
     ("no relapse", "disease free", "DiseaseFree", "disease-free", "0:DiseaseFree", "relapse free", "relapse-free",
      "in remission", "remission", "CR", "none", "no recurrence", "never relapsed", "no evidence of disease", "NED",
      "not recurred", "free of relapse", "stable", "stable disease", "SD", "no progression", "non-progressive",
      "event-free", "no event", "censored", "right-censored", "Censored (end of study)", "did not relapse", "lost",
      "without recurrence", "non relapsed", "no failure", "success", "event free", "no signs of relapse", "not failed",
      "hasn't relapsed", "never failed", "ongoing", "No Event observed", "absence of recurrence", "neither relapsed",
      "recurrence: no", "relapse = 0", "unrelapsed", "nonrecurrent", "relapse not seen", "0 relapses")),
    (("1", "yes", "true", "True", "T", "y", "+", "1.0", "TRUE", "Yes"),
     ("0", "no", "false", "False", "F", "n", "-", "0.0", "FALSE", "No")),
    (("2", "2.0"), ("1", "1.0")),
)  # fmt: skip
UNKNOWN = ("", "NA", "unknown", "Unknown", "missing", None)


def make(rng: np.random.Generator) -> Case:
    """A case: "events" and "censored", words of the status; "happened" and "times" of the rows; by which "way"."""
    happened, censored = pick(STUDIES, rng)
    if rng.random() < 0.05:  # of another study
        censored = pick(STUDIES[:2], rng)[1]
    words = pick(happened, rng), pick(censored, rng)
    change = pick((str, str, str.upper, str.lower, str.title, " {} ".format, str.capitalize), rng)
    n = int(rng.integers(6, 30))
    seen = rng.integers(0, 2, n).astype(bool)
    seen[:2] = True, False
    if rng.random() < 0.1 and happened[0] != "2":  # 1 alone is an event, and said: nobody knows that 2 is missing
        seen[:] = rng.random() < 0.7  # all, or nobody
    lacks = rng.random(n) < pick((0.0, 0.0, 0.15), rng)
    lacks[:2] = False
    return {
        "event": change(words[0]),
        "censored": change(words[1]),
        "seen": [None if lack else bool(one) for one, lack in zip(seen, lacks, strict=True)],
        "unknown": pick(UNKNOWN, rng),
        "times": np.round(rng.exponential(20, n), 1).tolist(),
        "way": pick(("survival", "survival", "structured", "columns", "table", "command"), rng),
        "form": pick(("list", "array", "object", "number", "bool"), rng),
        "named": bool(rng.random() < 0.2),
    }


def _status(case: Case) -> list:
    """The status of the rows, as its form has it."""
    words = {True: case["event"], False: case["censored"], None: case["unknown"]}
    if case["form"] == "number" and all(_is_number(words[key]) for key in (True, False)):
        words = {True: float(words[True]), False: float(words[False]), None: float("nan")}
    elif case["form"] == "bool" and None not in case["seen"]:
        words = {True: True, False: False}
    return [words[one] for one in case["seen"]]


def _is_number(text: object) -> bool:
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def prepare(case: Case) -> Action:
    """Times with the status; the action reads them and compares who had the event."""
    from orangecontrib.reliefe.core.targets.times import Survival
    from orangecontrib.reliefe.core.targets.times_reader import read_times

    status = _status(case)
    texts = [one for one in status if one is not None]
    kind = object if case["form"] == "object" or len(texts) < len(status) else None
    values = np.array(status, dtype=kind)
    times, n = np.array(case["times"]), len(case["times"])
    value = case["event"] if case["named"] and case["form"] not in ("number", "bool") else None

    def by_array() -> tuple[np.ndarray, np.ndarray]:
        if case["way"] == "survival":
            y, task = Survival(times, status if case["form"] == "list" else values, value), None
        elif case["way"] == "structured":
            y, task = np.zeros(n, [("status", values.dtype), ("days", float)]), None
            y["status"], y["days"] = values, times
        else:
            y, task = np.empty((n, 2), object), "survival"
            y[:, 0], y[:, 1] = times, status
        with refusing():
            found, known = read_times(y, n, task)
        return found.event, known

    if case["way"] in ("table", "command"):
        return lambda: _by_file(case, status, value)

    def action() -> None:
        event, known = by_array()
        wanted = [one for one, is_known in zip(case["seen"], known, strict=True) if is_known]
        if [one for one in case["seen"] if one is not None] != wanted:
            raise Wrong(f"known are {known.tolist()}", f"{case['way']}: known")
        if event.tolist() != wanted:
            raise Wrong(
                f"{case['event']!r}, {case['censored']!r}: events are {event.tolist()}", f"{case['way']}: events"
            )

    return action


def _by_file(case: Case, status: list, value: str | None) -> None:
    """By the command line: the digest of the target counts events and names their value."""
    import contextlib
    import json

    from orangecontrib.reliefe.command.cli import main

    with tempfile.TemporaryDirectory(prefix="fuzz-statuses-") as folder:
        path = Path(folder) / "x.csv"
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(["a", "days", "state"])
        cells = ["" if one is None or one != one else one for one in status]
        writer.writerows(zip([f"{k % 7}.5" for k in range(len(cells))], case["times"], cells, strict=True))
        path.write_text(out.getvalue(), encoding="utf-8")
        word = "" if value is None else f"={value.strip()}"
        arguments = ["rank", str(path), "--time", "days", "--event", f"state{word}", "--method", "rrelieff"]
        printed, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            code = main([*arguments, "--json"])
    if code:
        if code != 2 or "Traceback" in errors.getvalue():
            raise Wrong(f"status {code}: {errors.getvalue()[-300:]}", "command: status")
        raise Refused(errors.getvalue()[:300])
    document = json.loads(printed.getvalue())
    n_events = sum(one is True for one in case["seen"])
    n_censored = sum(one is False for one in case["seen"])
    said = json.dumps(document["info"])
    if f"{n_events} event" not in said or f"{n_censored} censored" not in said:
        raise Wrong(f"{n_events} events, {n_censored} censored; {said[:400]}", "command: counts")
    names = (case["event"].strip(), f"{case['event'].strip()}.0", str(case["form"] == "bool"))
    if n_events == n_censored and not any(repr(name) in said for name in names):
        raise Wrong(f"the event is {case['event']!r}; {said[:400]}", "command: name of the event")
