"""Times and memory beside other packages, and how both grow with rows and features."""

import tempfile
from functools import partial
from pathlib import Path
from statistics import median
from types import ModuleType

import numpy as np
from common import METHODS, SHAPES, TITLES, child, interleaved

from .record import Experiment, Lines, Section, number

SCRIPT = str(Path(__file__).resolve().parents[1] / "peers.py")
PEERS = ("fast-select", "scikit-rebate", "Orange")
PATIENCE = 60.0  # seconds for a call of a slow peer
SLOW = {"scikit-rebate": 13e-6, "Orange": 3.5e-9}  # seconds for a row and feature; for two rows and a feature
QUICK = SHAPES[1:2]
GROWTH = ("relieff", "multisurf", "surf")
ROWS, FEATURES = (500, 1000, 2000, 4000, 8000), (100, 400, 1600, 6400, 25600)
FEW, FIXED = 100, 400  # features while rows grow, rows while features grow
SMALL = 3  # first sizes in the quick report
CACHE = Path(tempfile.gettempdir()) / "reliefe-proof"


def beside_peers(n: int, p: int, method: str, _: ModuleType | None) -> Lines:
    """CPU seconds of one thread and megabytes beyond the input, ours and others'."""
    base = {"method": method, "n": n, "p": p, "jobs": 1}
    kinds = {name: base | {"library": name, "mode": "warm"} for name in ("ours", "fast-select")}
    found = interleaved(SCRIPT, kinds, 1, cache=lambda name: CACHE / name)
    for name in PEERS[1:]:
        if _cost(name, n, p) < PATIENCE and (name != "Orange" or method == "relieff"):
            found[name] = child(SCRIPT, base | {"library": name, "mode": "once"}, CACHE / name, timeout=4 * PATIENCE)
    ours = found["ours"]
    if "error" in ours:
        raise RuntimeError(ours["error"])
    seconds = median(ours["cpu"])
    cells = [f"{n} x {p}", TITLES[method], number(seconds * 1000, 3), f"{ours['megabytes']:.0f}"]
    for name in PEERS:
        other = found.get(name)
        if other is None or "error" in other:
            cells += ["-", "-"]
        else:
            cells += [f"{median(other['cpu']) / seconds:.3g}", f"{other['megabytes']:.0f}"]
    return [cells]


def _cost(name: str, n: int, p: int) -> float:
    return SLOW[name] * n * p * (n if name == "Orange" else 1) + (7e-7 * n * n if name == "scikit-rebate" else 0)


def growth(method: str, n: int, p: int, _: ModuleType | None) -> Lines:
    """CPU seconds of one thread and megabytes beyond the input."""
    request = {"library": "ours", "method": method, "n": n, "p": p, "jobs": 1, "mode": "warm"}
    found = child(SCRIPT, request, CACHE / "ours")
    if "error" in found:
        raise RuntimeError(found["error"])
    kind = "rows" if p == FEW else "features"
    seconds = median(found["cpu"])
    return [[TITLES[method], kind, str(n), str(p), number(seconds, 3), f"{found['megabytes']:.1f}"]]


def _exponents(lines: Lines) -> str:
    """Sentence about the slopes of the last two doublings."""
    parts = []
    for kind, column in (("rows", 2), ("features", 3)):
        for title in dict.fromkeys(line[0] for line in lines):
            own = [line for line in lines if line[0] == title and line[1] == kind][-3:]
            if len(own) > 1:
                sizes, times = (np.log([float(line[c]) for line in own]) for c in (column, 4))
                parts.append(f"{title} {np.polyfit(sizes, times, 1)[0]:.2f} ({kind})")
    return f"Exponents of the time over the three largest sizes: {', '.join(parts)}." if parts else ""


PEERS_SECTION = Section(
    "peers",
    "Times and memory beside other packages",
    ("data", "method", "ours ms", "MB", *(cell for name in PEERS for cell in (f"{name}, times", "MB"))),
    tuple(
        Experiment(f"{m} {n}x{p}", partial(beside_peers, n, p, m), quick=(n, p) in QUICK and m == "multisurf")
        for n, p in SHAPES
        for m in METHODS
    ),
    "python benchmarks/peers.py",
)
GROWTH_SECTION = Section(
    "growth",
    "Growth with rows and features",
    ("method", "grows", "rows", "features", "seconds", "MB"),
    tuple(
        Experiment(f"{m} {n}x{p}", partial(growth, m, n, p), quick=place < SMALL and m == "multisurf")
        for m in GROWTH
        for sizes in ([(n, FEW) for n in ROWS], [(FIXED, p) for p in FEATURES])
        for place, (n, p) in enumerate(sizes)
    ),
    "python -m benchmarks reproduce --sections growth",
    _exponents,
)
