"""Comparisons of rankings as in the publications, written to doc/comparison as tables and pictures.

    python benchmarks/comparison.py --data FOLDER                     all pages, five minutes
    python benchmarks/comparison.py --data FOLDER --only unsupervised

unsupervised: Petkovic et al. (2021), Ensemble- and distance-based feature ranking for unsupervised learning, table 3,
figures 2 and 5.  classes: Skrlj et al. (2022), ReliefE, figures 5, 8 and 11, appendix G.  labels: Petkovic et al.
(2020), Feature ranking for semi-supervised learning, figure 3 and tables 8 to 10.  Needs matplotlib.
"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from common import ROOT, table
from evaluation import COUNTS, FOLDS, ROWS, SEEDS, arguments, capped, chosen, folds, parsed
from forest_quality import PUBLISHED, SLOW, by_forest, orders
from pictures import curves, matrix, rank_diagram, triangles
from published import ERRORS, METHODS
from quality import order
from semisupervised import ALONE, OTHERS, by_relief, voted
from semisupervised import COUNTS as LABELLED
from semisupervised import SETS as FEW
from unsupervised import once, shuffled, urelief, values

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import (
    cliques,
    compare,
    critical_difference,
    curve_area,
    doublings,
    friedman,
    hierarchical_t,
    rmse_1nn,
)

PARTS = ("unsupervised", "classes", "labels")
N_FEATURES, DRAWN, DRAWS = 16, 6, 3  # in the table; sets with a curve; random rankings
RANKERS = {
    "random": "random",
    "F": "F",
    "ReliefF": "relieff",
    "MultiSURF": "multisurf",
    "ReliefE": "reliefe",
    "Genie3": "pct",
}
PAIRS = (("ReliefE", "ReliefF"), ("ReliefE", "MultiSURF"), ("Genie3", "MultiSURF"))
ROPE = 0.01
CLASSES = ("ALLAML", "GLIOMA", "colon", "khan_srbct", "tumors_C", "chess", "credit-g", "madelon", "phishing", "semeion",
           "soybean", "waveform5000")  # fmt: skip
N_FOLDS = 5


class Page:
    """A page of the documentation with its pictures."""

    def __init__(self, name: str, title: str, folder: Path):
        self.name, self.folder, self.lines = name, folder, [f"# {title}"]

    def text(self, words: str) -> None:
        self.lines.append(words)

    def table(self, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        self.lines.append(table(header, rows, markdown=True))

    def picture(self, name: str, what: str, draw: Callable) -> None:
        """draw: takes the path of the file."""
        file = f"comparison-{self.name}-{name}.png"
        draw(path=self.folder / "images" / file)
        self.lines.append(f"![{what}](../images/{file})")

    def write(self) -> None:
        """To doc/comparison."""
        self.text(f"This page is written by `python benchmarks/comparison.py --only {self.name}`.")
        path = self.folder / "comparison" / f"{self.name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n\n".join(self.lines) + "\n", encoding="utf-8")
        print(f"{path} written")


def main() -> int:
    """Write the pages."""
    parser = arguments(__doc__, (*PUBLISHED, *CLASSES, *FEW), PARTS)
    parser.add_argument("--doc", type=Path, default=ROOT / "doc", help="folder of the pages")
    parser.add_argument("--umap", action="store_true", help="ReliefE in an embedding by UMAP, which takes long")
    options = parsed(parser, (*PUBLISHED, *CLASSES, *FEW))
    if options is None:
        return 2
    for part in PARTS if options.only is None else [options.only]:
        PAGES[part](options).write()
    return 0


def diagram(page: Page, name: str, methods: Sequence[str], scores: np.ndarray, higher_is_better: bool) -> None:
    """Mean ranks over data sets, scores (n, k), with what differs by Nemenyi's test."""
    found = friedman(scores, higher_is_better)
    difference = critical_difference(len(methods), found.n)
    draw = partial(rank_diagram, methods, found.ranks, difference, cliques(found.ranks, difference))
    page.picture(name, f"Mean ranks of {len(methods)} methods on {found.n} sets", draw)
    page.text(
        f"Friedman's test: p = {found.p_value:.2g}. Bars join methods whose mean ranks do not differ significantly."
    )


def unsupervised(options: Namespace) -> Page:
    """Errors of the nearest row: as printed, and as measured on the sets that are there."""
    page = Page("unsupervised", "Rankings without a target", options.doc)
    page.text(UNSUPERVISED_TEXT)
    diagram(page, "printed", METHODS, np.array(list(ERRORS.values())), False)
    names = [name for name in chosen(PUBLISHED, options.sets) if name not in SLOW]
    rows, panels, scores = [], {}, []
    for name in names:
        X = values(options.data, name)
        sizes = sorted({*doublings(X.shape[1])[::2], X.shape[1]})
        forest = once(partial(orders, seed=0))
        rankers = {
            "Genie3": lambda train, forest=forest: forest(train)["genie3"],
            "random forest": lambda train, forest=forest: forest(train)["rforest"],
            "URelief": urelief,
        }
        lines = {title: rmse_1nn(X, ranker, sizes)[0].mean(axis=0) for title, ranker in rankers.items()}
        draws = [rmse_1nn(X, partial(shuffled, seed=seed), sizes)[0].mean(axis=0) for seed in range(DRAWS)]
        lines["random"] = np.mean(draws, axis=0)
        here = [line[sizes.index(N_FEATURES)] for line in lines.values()]
        scores.append([*here, *ERRORS[name][2:]])
        printed = [f"{value:g}" for value in ERRORS[name]]
        rows.append([name, *(f"{value:.4g}" for value in here), f"{lines['random'][-1]:.4g}", *printed])
        panels[name] = np.array(sizes), lines
        print(f"{name} done", file=sys.stderr, flush=True)
    page.text(f"Measured here with {N_FEATURES} features, and as printed:")
    page.table(("set", *lines, "all features", *(f"{method}, printed" for method in METHODS)), rows)
    diagram(page, "ranks", (*lines, *(f"{method} (printed)" for method in METHODS[2:])), np.array(scores), False)
    page.text("Errors by the number of best features:")
    some = dict(list(panels.items())[:DRAWN])
    page.picture(
        "curves", "Errors by number of features", partial(curves, some, "features", "error", dashed=["random"])
    )
    return page


def scores_of(method: str, X: np.ndarray, y: np.ndarray, nominal: np.ndarray, umap: bool) -> np.ndarray:
    """Scores (p,) by a method of the project."""
    settings = {"embedding": "umap" if umap else "pca"} if method == "reliefe" else {}
    return rank(X, y, method, nominal=nominal, n_jobs=1, **settings).scores


def classes(options: Namespace) -> Page:
    """Accuracy of logistic regression with the best features, over that with all of them."""
    page = Page("classes", "Rankings for classes", options.doc)
    page.text(CLASSES_TEXT.format("UMAP" if options.umap else "principal components"))
    areas, panels, agreement = {}, {}, []
    for name in chosen(CLASSES, options.sets):
        X, y, nominal, _ = capped(options.data, name, ROWS)
        sizes = [size for size in COUNTS if size < X.shape[1]]
        found = np.empty((len(RANKERS), FOLDS, len(sizes)))
        for f, fold in enumerate(folds(X, y, nominal, SEEDS[:1])):
            whole, lists = fold.quality(np.arange(X.shape[1])), []
            for m, method in enumerate(RANKERS.values()):
                if method in ("random", "F"):
                    ranked = order(method, X[fold.rows], y[fold.rows], nominal, f)
                else:
                    lists.append(scores_of(method, X[fold.rows], y[fold.rows], nominal, options.umap))
                    ranked = np.argsort(-lists[-1], kind="stable")
                found[m, f] = [fold.quality(ranked[:size]) / whole for size in sizes]
            agreement.append(compare(lists))
        areas[name] = [[curve_area(sizes, line) for line in each] for each in found]
        panels[name] = np.array(sizes), dict(zip(RANKERS, found.mean(axis=1), strict=True))
        print(f"{name} done", file=sys.stderr, flush=True)
    _classes_page(page, np.array(list(areas.values())), panels, np.mean(agreement, axis=0))
    return page


def _classes_page(page: Page, areas: np.ndarray, panels: dict, agreement: np.ndarray) -> None:
    """areas (sets, methods, folds)."""
    rows = [[name, *(f"{value:.3f}" for value in line)] for name, line in zip(panels, areas.mean(axis=2), strict=True)]
    rows.append(["mean", *(f"{value:.3f}" for value in areas.mean(axis=(0, 2)))])
    page.table(("set", *RANKERS), rows)
    diagram(page, "ranks", tuple(RANKERS), areas.mean(axis=2), True)
    place, draws, rows = list(RANKERS).index, {}, []
    for first, second in PAIRS:
        found = hierarchical_t(areas[:, place(first)], areas[:, place(second)], FOLDS, ROPE)
        draws[first, second] = found.draws
        rows.append([first, second, *(f"{value:.2f}" for value in (found.first, found.rope, found.second))])
    page.text(f"On a new data set, by the hierarchical Bayesian correlated t-test; areas within {ROPE} count as equal:")
    page.table(("first", "second", "first is better", "equal", "second is better"), rows)
    page.picture("triangles", "Probabilities that one of two is better", partial(triangles, draws, ROPE))
    page.text("Agreement of the rankings (area under the FUJI curve, mean of sets and folds):")
    page.picture("agreement", "Agreement of rankings", partial(matrix, tuple(RANKERS)[2:], agreement))
    page.text("Relative accuracy by the number of best features:")
    some = dict(list(panels.items())[-DRAWN:])
    page.picture(
        "curves", "Relative accuracy", partial(curves, some, "features", "relative accuracy", dashed=["random"])
    )


def labels(options: Namespace) -> Page:
    """A vote of 40 neighbours by rankings of all rows and of labelled rows alone."""
    page = Page("labels", "Rankings with few labels", options.doc)
    page.text(LABELS_TEXT)
    rankers = {
        "Genie3 of all rows": partial(by_forest, supervision=0.5),
        "Genie3 of labelled rows": partial(by_forest, supervision=1.0),
        "SSL-Relief of all rows": partial(by_relief, **OTHERS["far"]),
        "SSL-Relief of labelled rows": partial(by_relief, **ALONE),
    }
    panels, table_rows = {}, []
    for name in chosen(FEW, options.sets):
        found = voted(options.data, name, list(rankers.values()), N_FOLDS)
        panels[name] = np.array(LABELLED), dict(zip(rankers, found.mean(axis=2).T, strict=True))
        areas = np.trapezoid(found, LABELLED, axis=0) / (LABELLED[-1] - LABELLED[0])
        gains = areas[0] - areas[1], areas[2] - areas[3]
        table_rows.append([name, *(cell for gain in gains for cell in (f"{gain.mean():+.3f}", f"{gain.std():.3f}"))])
        print(f"{name} done", file=sys.stderr, flush=True)
    page.table(("set", "Genie3", "sd", "SSL-Relief", "sd"), table_rows)
    alone = list(rankers)[1::2]
    draw = partial(curves, panels, "labelled rows", "quality", dashed=alone, pairs=True)
    page.picture("curves", "Quality by the number of labelled rows", draw)
    return page


UNSUPERVISED_TEXT = """\
The training row nearest to a test row in the best features predicts all of its features. The error is the root mean
squared error of a feature, mean over features and ten folds, in units of the data. The first picture shows mean ranks
computed from the published table of 26 sets; the critical difference and the groups are the published ones."""
CLASSES_TEXT = """\
The measure is the accuracy of logistic regression with the best 1, 2, 4, ... 128 features, relative to that with all
features. It is the area under this curve over the logarithm of their number, mean of five folds, at most 1,000 rows.
ReliefE has an embedding by {} and 15 neighbours, ReliefF ten neighbours, Genie3 100 trees."""
LABELS_TEXT = """\
Of the training rows 50, 100, 200 or 500 are labelled. The 40 nearest of these vote, with features weighted by a
ranking from all rows or from the labelled rows only. With all rows, forests have half of the weight on the target, and
SSL-Relief has influence from 0 to 1. Quality is macro F1 for classes, the negative relative root mean squared error for
numbers, and the area under the pooled precision-recall curve for labels. The table shows the area under the curve over
the number of labelled rows: all rows minus labelled rows, and the standard deviation of this difference over five
folds."""
PAGES = {"unsupervised": unsupervised, "classes": classes, "labels": labels}

if __name__ == "__main__":
    sys.exit(main())
