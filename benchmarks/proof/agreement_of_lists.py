"""Values of the Fuzzy Jaccard Index (FUJI) that its authors publish."""

import json
from pathlib import Path
from types import ModuleType

from orangecontrib.reliefe.core.evaluation import fuji

from .record import Experiment, Lines, Section, number, verdict

LISTS = Path(__file__).with_name("digits_rankings.json")
EXACT = 1e-6


def example(_: ModuleType | None) -> Lines:
    """The two lists of five features in the authors' description of their code."""
    a, b = (1.0, 0.9, 0.3, 0.14, 0.1), (0.8, 0.9, 0.3, 0.14, 0.1)
    return [
        _line("example, 1 feature", 0.894444, fuji(a, b, 1)),
        _line("example, 2 features", 1.0, fuji(a, b, 2)),
        _line("example, area", 0.986806, fuji(a, b)),
    ]


def digits(_: ModuleType | None) -> Lines:
    """Rankings of digits (64 features) by Genie3 and random forests, as published beside the code."""
    lists = json.loads(LISTS.read_text(encoding="utf-8"))
    return [_line("digits, Genie3 and RForest, area", 0.893021, fuji(lists["Genie3"], lists["RForest"]))]


def _line(what: str, printed: float, ours: float) -> list[str]:
    return [what, number(printed, 6), number(ours, 6), verdict(ours, printed, EXACT)]


SECTION = Section(
    "fuji",
    "FUJI",
    ("lists", "theirs", "ours", "verdict"),
    (Experiment("example", example), Experiment("digits", digits)),
    "python -m benchmarks reproduce --sections fuji",
)
