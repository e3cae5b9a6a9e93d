"""Tables 2 and 3 of Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning."""

from functools import partial
from types import ModuleType

import numpy as np
from forest_quality import PUBLISHED, orders
from published import ERRORS as TABLE3
from published import METHODS as COLUMNS
from unsupervised import CLOSE, DRAWS, PRINTED, TIED, WITH_TIES, once, shuffled, urelief, values
from unsupervised import ERRORS as URELIEF

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import critical_difference, friedman, rmse_1nn

from .record import AGREES, DIFFERS, NO_VERDICT, Experiment, Lines, Section, number, verdict

CHANCE = 0.08  # relative difference of forests with other seeds
SEEDS, FEW = 3, 500  # forests averaged where there are at most so many rows
LARGE = ("COIL20", "Isolet")  # last
LEFT_OUT = ("BASEHOCK",)  # of forests: half an hour
QUICK = {"urelief": ("colon", "GLIOMA", "Yale", "ALLAML"), "genie3": ("colon", "GLIOMA", "ALLAML")}
RANKS, P_VALUE = (1.90, 3.42, 4.04, 5.25, 4.60, 4.46, 4.33), 9.4e-8  # printed below Table 3, and in the text
DEGENERATE = ("Yale", "madelon", "ALLAML")  # public sets in which the printed baselines are no rankings
ROUNDED = 0.15  # of a mean rank, by ties among rounded errors


def errors_by_urelief(name: str, data: ModuleType) -> Lines:
    """Column URelief of Table 3; of equally near rows the first or the last, whichever is nearer to the paper."""
    X, order, printed = values(data, name), once(urelief), URELIEF[name][0]
    found = [rmse_1nn(X, order)[0].mean(), rmse_1nn(X, order, last=True)[0].mean()]
    allowed = max((TIED if name in WITH_TIES else CLOSE) * printed, PRINTED)
    ours = min(found, key=lambda error: abs(error - printed))
    random = np.mean([rmse_1nn(X, partial(shuffled, seed=seed))[0].mean() for seed in range(DRAWS)])
    return [_line(name, X, "URelief", printed, ours, allowed, random)]


def errors_by_genie3(name: str, data: ModuleType) -> Lines:
    """Columns Genie3 and random forest of Tables 2 and 3; ours of the latter is another score: no verdict."""
    X = values(data, name)
    grown = [once(partial(orders, seed=seed)) for seed in range(SEEDS if len(X) <= FEW else 1)]
    lines = []
    for score, title, printed in zip(("genie3", "rforest"), ("Genie3", "random forest"), PUBLISHED[name], strict=True):
        ours = np.mean([rmse_1nn(X, lambda train, of=of, s=score: of(train)[s])[0].mean() for of in grown])
        line = _line(name, X, title, printed, float(ours), max(CHANCE * printed, PRINTED))
        lines.append(line if score == "genie3" else [*line[:-1], NO_VERDICT])
    return lines


def _line(
    name: str, X: np.ndarray, method: str, printed: float, ours: float, allowed: float, random: float | None = None
) -> list[str]:
    share = f"{100 * (ours / printed - 1):+.1f} %"
    cells = [name, f"{X.shape[0]} x {X.shape[1]}", method, number(printed), number(ours), share]
    return [*cells, "" if random is None else number(random), verdict(ours, printed, allowed)]


def ranks(_: ModuleType | None) -> Lines:
    """Mean ranks and Friedman's p of the errors as printed, recomputed."""
    found = friedman(np.array(list(TABLE3.values())), higher_is_better=False)
    lines = []
    for name, printed, ours in zip(COLUMNS, RANKS, found.ranks, strict=True):
        lines.append([f"mean rank of {name}", number(printed), number(ours, 3), verdict(ours, printed, ROUNDED)])
    ours = verdict(np.log10(found.p_value), np.log10(P_VALUE), 0.5)
    lines.append(["Friedman's p", number(P_VALUE), number(found.p_value), ours])
    distance = critical_difference(len(COLUMNS), len(TABLE3))
    return [*lines, ["critical difference", "-", number(distance), NO_VERDICT]]


def last_columns(name: str, data: ModuleType) -> Lines:
    """The baselines' printed errors are those of the last 16 columns of the file, whatever these are."""
    X, printed = values(data, name), TABLE3[name][2:6]
    ours = rmse_1nn(X, lambda X: np.arange(X.shape[1])[::-1])[0].mean()
    same = AGREES if min(abs(ours - p) for p in printed) <= max(PRINTED, 0.001 * ours) else DIFFERS
    known = " / ".join(number(p) for p in printed)
    lines = [[f"{name}: the last 16 columns, beside Laplace / SPEC / MCFS / NDFS", known, number(ours), same]]
    scaled = rmse_1nn(X, once(lambda X: rank(X, None, "laplacian").ranking))[0].mean()
    return [*lines, [f"{name}: Laplacian score of scaled features, median bandwidth", "-", number(scaled), NO_VERDICT]]


def _errors() -> tuple[Experiment, ...]:
    found = []
    forests = [name for name in PUBLISHED if name not in LEFT_OUT]
    for kind, run, names in (("urelief", errors_by_urelief, URELIEF), ("genie3", errors_by_genie3, forests)):
        found += [
            Experiment(f"{kind} {n}", partial(run, n), True, n in QUICK[kind]) for n in sorted(names, key=LARGE.count)
        ]
    return tuple(found)


ERRORS = Section(
    "without-target",
    "Rankings without a target: what 16 features tell of all",
    ("set", "size", "method", "printed", "ours", "difference", "random", "verdict"),
    _errors(),
    "python benchmarks/unsupervised.py --data FOLDER",
    lambda lines: _best(lines),
)
BASELINES = Section(
    "baselines",
    "Table 3 itself: ranks, and baselines that are no rankings",
    ("what", "printed", "ours", "verdict"),
    (
        Experiment("ranks", ranks),
        *(Experiment(f"last columns {n}", partial(last_columns, n), True, n != "madelon") for n in DEGENERATE),
    ),
    "python -m benchmarks reproduce --sections baselines",
)


def _best(lines: Lines) -> str:
    """Sentence about random rankings."""
    own = [line for line in lines if line[6]]
    better = [line[0] for line in own if float(line[6]) < float(line[4])]
    return f"Random features do better than URelief in {len(better)} of {len(own)} sets: {', '.join(better) or '-'}."
