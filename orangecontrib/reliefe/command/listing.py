"""A ranking as lines of text."""

import shutil
from typing import IO

from pandas import isna, unique

from ..core import METHODS
from ..core.words import counted, shortened, some
from ..orange.conversion import CLASSIFICATION, REGRESSION, TableRanking, column_of
from .results import tests
from .terminal import bar, with_options

BAR_WIDTH = 40
LEVEL = 0.1  # false discovery rate
DIGEST = "{table}: {rows} rows, {features} features, {targets}"
TESTED = "{real} of {p} features at a false discovery rate of {level:.0%} ({n} shuffled targets, least p {least:.2g})"


def _targets(ranking: TableRanking) -> str:
    names = [shortened(target.name) for target in ranking.targets]
    if not names:
        return "no target"
    task = ranking.info["task"]
    kind = "number" if task == REGRESSION else _classes(ranking) if task == CLASSIFICATION else task
    return f"target{'s' * (len(names) > 1)} {some(names)} ({kind})"


def _classes(ranking: TableRanking) -> str:
    target = ranking.targets[0]
    values = sorted(v for v in unique(column_of(ranking.table, target)) if not isna(v) and v != "")
    names = [shortened(target.str_val(value)) for value in values]
    return f"{counted(len(names), 'class', 'classes')}: {some(names)}"


def digest(ranking: TableRanking) -> str:
    """Data and targets in a line."""
    table, features = ranking.table, len(ranking.features)
    return DIGEST.format(table=table.name, rows=len(table), features=features, targets=_targets(ranking))


def head(ranking: TableRanking, notes: list[str]) -> list[str]:
    """Lines above the features: data, notes on how they were read, choices, warnings."""
    info = ranking.info
    return [
        digest(ranking),
        *notes,
        f"{METHODS[ranking.method].title}: {info['summary']}",
        *([with_options(f"Chosen: {info['auto']}")] if "auto" in info else []),
        *info.get("warnings", ()),
        *_tested(ranking),
        "",
    ]


def _tested(ranking: TableRanking) -> list[str]:
    """Lines on p-values, if they were asked for."""
    found = ranking.significance
    if found is None:
        return []
    real, p, notes = len(found.discoveries(LEVEL)), len(found.q), map(with_options, found.notes)
    return [TESTED.format(real=real, p=p, level=LEVEL, n=found.n_shuffles, least=found.smallest), *notes]


def rows(ranking: TableRanking, top: int, stream: IO[str]) -> tuple[list[str], list[str]]:
    """Lines of the best features, and one that counts the rest if there are any."""
    best = [int(j) for j in ranking.ranking[:top]]
    names = [shortened(ranking.features[j].name) for j in best]
    width = max(map(len, names))
    digits = len(str(len(best)))
    columns = {name: values for name, values in tests(ranking).items() if name != "z"}
    kinds = ranking.significance.kind if ranking.significance else None
    tested = ["".join(f"{name} {values[j]:<8.2g}" for name, values in columns.items()) for j in best]
    if kinds is not None:
        tested = [f"{test}{kinds[j]:<15}" for test, j in zip(tested, best, strict=True)]
    left = shutil.get_terminal_size().columns - width - digits - 16 - len(tested[0])
    space = max(min(left, BAR_WIDTH), 8)
    largest = max(float(ranking.scores[best[0]]), 0.0)
    gone = ranking.info.get("removed_in") or [0] * len(ranking.scores)
    lines = [
        f"{position:>{digits}}  {name:<{width}}  {ranking.scores[j]:>9.5f}  {test}"
        + (
            f"removed after pass {gone[j]}"
            if gone[j]
            else bar(ranking.scores[j] / largest if largest else 0.0, space, stream)
        )
        for position, (j, name, test) in enumerate(zip(best, names, tested, strict=True), start=1)
    ]
    rest = len(ranking.features) - len(best)
    return lines, [f"{'':>{digits}}  ... and {rest} more"] if rest else []
