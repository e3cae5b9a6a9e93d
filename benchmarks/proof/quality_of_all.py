"""Quality on public sets: beside an independent implementation, and of all methods that were run on all sets."""

import json
from functools import partial
from types import ModuleType

import areas as learned
import numpy as np
import quality
from common import TITLES
from evaluation import ROWS_RECALL, TOLERANCE, capped, noise, places
from expected import AREAS, COLUMNS, RECALL
from threadpoolctl import threadpool_limits
from which import RESULTS as WHICH

from .record import AGREES, DIFFERS, NO_VERDICT, Experiment, Lines, Section, number

OURS = tuple(TITLES)
QUICK_AREAS = ("colon", "khan_srbct", "credit-g")
SHOWN = ("relieff", "rrelieff", "multisurf", "boostedrelief", "learnedrelief", "F", "RF", "mRMR", "JMI", "MI")


def area(name: str, data: ModuleType) -> Lines:
    """AUrF1 by Relief methods, F and a random ranking, beside those of the independent implementation."""
    with threadpool_limits(1):
        _, found = quality.areas(data, name)
    lines = []
    for method, wanted in zip(COLUMNS, AREAS[name][1], strict=True):
        mean, spread = found[method].mean(), noise(found[method])
        if method in OURS:
            shown = AGREES if abs(mean - wanted) <= max(spread, TOLERANCE) else DIFFERS
            shown = "equal" if abs(mean - wanted) <= TOLERANCE else shown
        else:
            shown = NO_VERDICT
        lines.append([name, TITLES.get(method, method), f"{mean:.3f}", f"{wanted:.3f}", f"{spread:.3f}", shown])
    return lines


def recall(name: str, data: ModuleType) -> Lines:
    """Recall of relevant features and the worst rank of one, beside those of the independent implementation."""
    X, y, nominal, loaded = capped(data, name, ROWS_RECALL)
    lines = []
    for method, (share, worst) in zip(OURS, RECALL[name], strict=True):
        found = places(quality.order(method, X, y, nominal, 0), np.asarray(loaded["relevant"]))
        same = "equal" if (round(found[0], 2), found[1]) == (share, worst) else DIFFERS
        lines.append([name, TITLES[method], f"{found[0]:.2f} ({found[1]})", f"{share:.2f} ({worst})", same])
    return lines


def known_areas(_: ModuleType | None) -> Lines:
    """AUrF1 and its like by set, from doc/learned/results.jsonl."""
    lines = {}
    for result in learned.read():
        lines.setdefault((result["kind"], result["set"]), {})[result["method"]] = float(np.mean(result["areas"]))
    return [
        [name, kind, *(f"{found[m]:.3f}" if m in found else "-" for m in SHOWN)]
        for (kind, name), found in lines.items()
    ]


def known_recall(_: ModuleType | None) -> Lines:
    """Mean recall on simulated sets by method, from doc/which/results.jsonl."""
    found: dict[str, list[float]] = {}
    for text in WHICH.read_text(encoding="utf-8").splitlines():
        result = json.loads(text)
        if "recall" in result:
            found.setdefault(result["method"], []).append(result["recall"])
    rows = sorted(found.items(), key=lambda item: -np.mean(item[1]))
    return [[method, str(len(values)), number(np.mean(values), 3), number(min(values), 3)] for method, values in rows]


AREAS_SECTION = Section(
    "areas",
    "Quality beside an independent implementation: accuracy",
    ("set", "ranking", "ours", "independent", "noise", "verdict"),
    tuple(Experiment(name, partial(area, name), True, name in QUICK_AREAS) for name in AREAS),
    "python benchmarks/quality.py --data FOLDER --only areas",
)
RECALL_SECTION = Section(
    "recall",
    "Quality beside an independent implementation: relevant features",
    ("set", "method", "ours", "independent", "verdict"),
    tuple(Experiment(name, partial(recall, name), True, "10000" not in name) for name in RECALL),
    "python benchmarks/quality.py --data FOLDER --only recall",
)
SETS_SECTION = Section(
    "all-sets",
    "Quality on all public sets that were run",
    ("set", "target", *SHOWN),
    (Experiment("learned", known_areas),),
    "python -m benchmarks learned --data FOLDER --only areas --minutes 60",
)
SIMULATED_SECTION = Section(
    "simulated",
    "Relevant features found in simulated sets, all methods",
    ("method", "sets", "mean recall", "worst"),
    (Experiment("which", known_recall),),
    "python -m benchmarks which --data FOLDER --minutes 60",
)
