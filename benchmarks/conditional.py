"""Conditional p-values: level for features that add nothing, and shares that are found, beside regressions.

python benchmarks/conditional.py [--sets N] [--powers N] [--designs NAME ...] [--results FILE]

Two tables, with standard errors over data sets in brackets. All tests are `conditional_significance` with 199 draws, by
MultiSURF if a design names no other method.

1. For each design of `conditional_designs.LEVELS`: shares of p <= .05 among the features that add nothing, by p, and by
   its two parts. *p, valid* counts only those that are not reported as invalid. *not valid* is the share of sets in
   which any feature is reported as invalid, and *flagged* the same among sets in which a feature that adds nothing has
   p <= .05, for such features. *found* is the share of valid p <= .05 among the features that add something.
2. For each design of `conditional_designs.POWERS`, in which all 20 features are tested: the share that is found at a
   false discovery rate of .10, the rate of false ones, and the share of p <= .05 among features that add nothing.
   Tests are the conditional one, both of its parts, and the discoveries of `significance` that are tested as well.
   Beside them are likelihood-ratio or F tests of a regression on all features, and, where hidimstat is installed, its
   model-X knock-offs and its distilled conditional randomisation test.

A line of JSON for each set goes to the file of results. Sets that are there are not run again.
"""

import argparse
import json
import time
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from common import ROOT, table
from conditional_designs import GOOD, LEVELS, POWERS, Design
from scipy import stats

from orangecontrib.reliefe.core import ConditionalSignificance, conditional_significance, rank

RESULTS = ROOT / "build" / "conditional.jsonl"
NOMINAL = 0.05
LEVEL = 0.1  # false discovery rate
N_DRAWS = 199
SHUFFLES = 20
SEED = 2027
PARTS = "p", "by_neighbours", "by_line"


def tests_of(design: Design, features: list[int], seed: int) -> ConditionalSignificance:
    """Conditional tests of features of a data set."""
    options = dict(design.options)
    method = options.pop("method", "multisurf")
    return conditional_significance(
        design.X, design.y, method, features=features, n_draws=N_DRAWS, random_state=seed, **options
    )


def record_of(name: str, seed: int) -> dict[str, Any]:
    """Line of results of a set."""
    number = [*LEVELS, *POWERS].index(name)
    design = (LEVELS | POWERS)[name](np.random.default_rng([SEED, number, seed]))
    features = sorted([*design.adds_nothing, *design.adds])
    begin = time.perf_counter()
    tests = tests_of(design, features, seed)
    record: dict[str, Any] = {
        "design": name,
        "seed": seed,
        "adds": [feature in design.adds for feature in features],
        "valid": tests.valid.tolist(),
        "reasons": [reason[:20] for reason in tests.reasons],
        "seconds": (time.perf_counter() - begin) / len(features),
    }
    record |= {part: getattr(tests, part).tolist() for part in PARTS}
    if name in POWERS:
        ranking = rank(design.X, design.y, "multisurf", significance=SHUFFLES, random_state=seed)
        record["q_alone"] = ranking.significance.q.tolist()
        record["regression"] = regression_p(design.X, design.y).tolist()
        if find_spec("hidimstat") is not None:
            record |= tests_of_hidimstat(design.X, design.y, seed)
    return record


def regression_p(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """p (p,) of each feature in a linear regression on all, by F tests, or a logistic one, by likelihood ratios."""
    from sklearn.linear_model import LogisticRegression

    n, p = X.shape
    has_classes = y.dtype.kind == "i"

    def loss(columns: np.ndarray) -> float:
        """Squares of residuals, or minus twice the logarithm of the likelihood."""
        if has_classes:
            model = LogisticRegression(C=1e6, max_iter=1000).fit(columns, y)
            return float(-2 * np.log(model.predict_proba(columns)[np.arange(n), y]).sum())
        A = np.column_stack([np.ones(n), columns])
        return float(((y - A @ np.linalg.lstsq(A, y, rcond=None)[0]) ** 2).sum())

    full = loss(X)
    added = np.array([loss(np.delete(X, feature, axis=1)) - full for feature in range(p)])
    if has_classes:
        return np.asarray(stats.chi2.sf(added, 1))
    return np.asarray(stats.f.sf(added / full * (n - p - 1), 1, n - p - 1))


def tests_of_hidimstat(X: np.ndarray, y: np.ndarray, seed: int) -> dict[str, Any]:
    """Features that model-X knock-offs select, and p of a distilled conditional randomisation test, both by a lasso."""
    from hidimstat import D0CRT, ModelXKnockoff
    from sklearn.linear_model import LassoCV

    target = y.astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        knockoff = ModelXKnockoff(random_state=seed)
        knockoff.fit_importance(X, target)
        selected = np.asarray(knockoff.fdr_selection(fdr=LEVEL)) != 0
        distilled = D0CRT(LassoCV(), screening_threshold=100, random_state=seed)
        distilled.fit_importance(X, target)
    return {"knockoffs": selected.tolist(), "distilled": distilled.pvalues_.tolist()}


def discovered(p_values: np.ndarray, n_hypotheses: int | None = None) -> np.ndarray:
    """Mask of the discoveries of Benjamini and Hochberg among so many hypotheses; None: the tested ones."""
    n_more = (n_hypotheses or len(p_values)) - len(p_values)
    if not len(p_values):
        return np.zeros(0, bool)
    return stats.false_discovery_control(np.concatenate([p_values, np.ones(n_more)]))[: len(p_values)] <= LEVEL


def share(values_by_set: list[np.ndarray], digits: int = 3) -> str:
    """Share of true values, with its standard error over sets, which differ in how many values they have."""
    counts = np.array([len(values) for values in values_by_set], float)
    if not counts.sum():
        return "-"
    sums = np.array([np.sum(values) for values in values_by_set], float)
    mean = sums.sum() / counts.sum()
    error = np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum()
    return f"{mean:.{digits}f} ({error:.{digits}f})"


def level_row(name: str, records: list[dict[str, Any]]) -> list[object]:
    """Line of the first table: design, sets, level, level of valid p, of both parts, flagged, found."""
    adds = [np.array(record["adds"]) for record in records]
    valid = [np.array(record["valid"]) for record in records]

    def reached(part: str) -> list[np.ndarray]:
        """For each set the mask of its features with p <= .05."""
        return [np.array(record[part], float) <= NOMINAL for record in records]

    small = reached("p")
    parts = [share([mask[~add] for mask, add in zip(reached(part), adds, strict=True)]) for part in PARTS]
    false_and_valid = [(mask & ok)[~add] for mask, ok, add in zip(small, valid, adds, strict=True)]
    is_false = [(mask & ~add).any() for mask, add in zip(small, adds, strict=True)]
    is_flagged = [
        np.array([(mask & ~add & ~ok).any()])
        for mask, add, ok, false in zip(small, adds, valid, is_false, strict=True)
        if false
    ]
    discovered = [(mask & ok)[add] for mask, ok, add in zip(small, valid, adds, strict=True)]
    any_flag = share([np.array([not ok.all()]) for ok in valid], 2)
    return [
        name,
        len(records),
        parts[0],
        share(false_and_valid),
        *parts[1:],
        any_flag,
        share(is_flagged, 2),
        share(discovered, 2),
    ]


def power_rows(name: str, records: list[dict[str, Any]]) -> list[list[object]]:
    """Lines of the second table: design, sets, test, share found, false discoveries, level."""
    adds = [np.array(record["adds"]) for record in records]
    rows: list[list[object]] = []

    def add_row(test: str, selected: list[np.ndarray], p_values: list[np.ndarray] | None) -> None:
        """Add the line of a test from its selections, and its p-values if it has any."""
        shares_found = share([chosen[add] for chosen, add in zip(selected, adds, strict=True)], 2)
        false = [(chosen & ~add).sum() / max(chosen.sum(), 1) for chosen, add in zip(selected, adds, strict=True)]
        level = "-"
        if p_values is not None:
            level = share([p[~add] <= NOMINAL for p, add in zip(p_values, adds, strict=True)])
        rows.append([name, len(records), test, shares_found, share([np.array([rate]) for rate in false], 2), level])

    for part, title in zip(PARTS, ("conditional", "its part by neighbours", "its part by lines"), strict=True):
        p_values = [np.nan_to_num(np.array(record[part], float), nan=1.0) for record in records]
        if part == "p":
            p_values = [np.where(record["valid"], p, 1.0) for p, record in zip(p_values, records, strict=True)]
        add_row(title, [discovered(p) for p in p_values], p_values)
    for title, among_all in (("discoveries, q among them", False), ("discoveries, q among all", True)):
        selected = []
        for record in records:
            is_tested = np.array(record["q_alone"]) <= LEVEL
            p = np.where(record["valid"], record["p"], 1.0)[is_tested]
            chosen = np.zeros(len(is_tested), bool)
            chosen[is_tested] = discovered(p, len(is_tested) if among_all else None)
            selected.append(chosen)
        add_row(title, selected, None)
    p_values = [np.array(record["regression"]) for record in records]
    add_row("regression", [discovered(p) for p in p_values], p_values)
    if all("knockoffs" in record for record in records):
        add_row("knock-offs", [np.array(record["knockoffs"]) for record in records], None)
        p_values = [np.array(record["distilled"]) for record in records]
        add_row("distilled CRT", [discovered(p) for p in p_values], p_values)
    return rows


def main() -> None:
    """Run the sets that are not there, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=200, help="of each design of levels")
    parser.add_argument("--powers", type=int, default=50, help="of each design of powers")
    parser.add_argument("--designs", nargs="*", choices=[*LEVELS, *POWERS], default=[*LEVELS, *POWERS], metavar="NAME")
    parser.add_argument("--results", type=Path, default=RESULTS, help="file of the lines")
    options = parser.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    options.results.touch()
    records = [json.loads(line) for line in options.results.read_text(encoding="utf-8").splitlines()]
    measured = {(record["design"], record["seed"]) for record in records}
    for seed in range(max(options.sets, options.powers)):
        for name in options.designs:
            n_sets = options.sets if name in LEVELS else options.powers
            if seed < n_sets and (name, seed) not in measured:
                records.append(record_of(name, seed))
                with options.results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(records[-1], separators=(",", ":")) + "\n")

    level_rows = []
    rows: list[list[object]] = []
    for name in options.designs:
        of_design = [record for record in records if record["design"] == name]
        if of_design and name in LEVELS:
            level_rows.append(level_row(name, of_design))
        elif of_design:
            rows += power_rows(name, of_design)
    of_good = [record for record in records if record["design"] in GOOD]
    if of_good:
        level_rows.append(level_row("all designs above the line", of_good))
    head = ["design", "sets", "p", "p, valid", "by neighbours", "by line", "not valid", "flagged", "found"]
    print(table(head, level_rows), end="\n\n")
    print(table(["design", "sets", "test", "found", "false", "level"], rows))


if __name__ == "__main__":
    main()
