"""Tables of `areas`: every set, and our own methods against the others, pair by pair."""

from collections.abc import Callable

import numpy as np
from areas import BASE, ONE_TARGET, SETS, SPLITS, rankers, read
from evaluation import show
from rivals import CLASSES, LABELS, NUMBERS, rivals
from scipy.stats import wilcoxon

from orangecontrib.reliefe.core.evaluation import hierarchical_t, nogueira

ROPE = 0.01
TITLES = {
    CLASSES: "AUrF1: area under the accuracy with the best 1, 2, 4 .. 128 features, over that with all",
    NUMBERS: "AUrRRMSE: area under the error with the best 1, 2, 4 .. 128 features, over that with all; less is better",
    LABELS: "AUrF1 of label sets: micro-F1 with the best 1, 2, 4 .. 128 features, over that with all",
}


def print_all() -> None:
    """Tables of what the file of results has, for each kind of target: of the sets that are finished."""
    for kind, title in TITLES.items():
        lines = [line for line in read() if line["kind"] == kind]
        methods = list(rankers(kind))
        found = {(line["set"], line["method"]): line for line in lines}
        needed = [m for m in methods if m not in ONE_TARGET or kind == CLASSES]
        sets = [name for name in SETS[kind] if all((name, m) in found for m in needed)]
        if sets:
            print_sets(title, sets, methods, found, kind)
            print_pairs(sets, methods, found, kind)


def print_sets(title: str, sets: list[str], methods: list[str], found: dict, kind: str) -> None:
    """Means of the folds, with their means over the sets, stability and time; methods that are not for all sets have no
    means."""

    def cells(of: Callable, form: str, mean: Callable = np.mean) -> list[str]:
        values = {m: [of(found[name, m]) for name in sets if (name, m) in found] for m in methods}
        return [form.format(mean(values[m])) if len(values[m]) == len(sets) else "" for m in methods]

    def area(name: str, method: str) -> str:
        return f"{np.mean(found[name, method]['areas']):.3f}" if (name, method) in found else ""

    rows = [[name, *(area(name, m) for m in methods)] for name in sets]
    rows.append(["mean", *cells(lambda line: np.mean(line["areas"]), "{:.3f}")])
    if kind == CLASSES:
        rows.append(["20 nearest rows", *cells(lambda line: np.mean(line["knn"]), "{:.3f}")])
    rows.append(["stability", *cells(stability, "{:.2f}")])
    base = {name: min(found[name, BASE[kind][0]]["seconds"]) for name in sets}
    ratios = cells(lambda line: min(line["seconds"]) / base[line["set"]], "{:.1f}", np.median)
    rows.append([f"CPU over {BASE[kind][0]}", *ratios])
    show(f"{title} ({len(sets)} sets, {SPLITS} folds; stability of the best ten by Nogueira, median time)",
         ("set", *methods), rows)  # fmt: skip


def stability(line: dict) -> float:
    """Nogueira's stability of the best features of the folds."""
    chosen = np.array([np.isin(np.arange(line["features"]), best) for best in line["best"]])
    return nogueira(chosen).value


def print_pairs(sets: list[str], methods: list[str], found: dict, kind: str) -> None:
    """Paired differences, sets won, Wilcoxon's p, and how probably either is better on another set."""
    others, sign = (*BASE[kind], *rivals(kind)), -1 if kind == NUMBERS else 1
    rows = []
    for method in (name for name in methods if name not in others):
        for other in (*others, f"{method.split(',')[0]}, old"):
            both = [name for name in sets if (name, method) in found and (name, other) in found]
            if other == method or not both:
                continue
            first, second = (np.array([found[name, m]["areas"] for name in both]) for m in (method, other))
            means = sign * (first - second).mean(axis=1)
            p = wilcoxon(means).pvalue if means.any() else 1.0
            bayes = hierarchical_t(first, second, SPLITS, ROPE, sign > 0) if len(both) > 1 and means.any() else None
            sides = [f"{side:.2f}" for side in (bayes.first, bayes.rope, bayes.second)] if bayes else ["", "", ""]
            won = f"{(means > 0).sum()} : {(means < 0).sum()}"
            rows.append([method, other, f"{means.mean():+.3f}", won, f"{p:.3f}", *sides])
    header = ("method", "against", "better by", "sets", "Wilcoxon p", "better", f"within {ROPE}", "worse")
    show("Pair by pair; the last three: probabilities for another set (hierarchical Bayesian test)", header, rows)
