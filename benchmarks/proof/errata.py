"""Mistakes of papers and of other implementations as experiments: their number, the right rule, our number."""

from types import ModuleType

import numpy as np
from unsupervised import once, urelief, values

from orangecontrib.reliefe.core import rank
from orangecontrib.reliefe.core.evaluation import curve_area, rmse_1nn

from .record import AGREES, DIFFERS, Experiment, Lines, Section, number

EXACT = 1e-9
SINGLE = 1e-5  # for scores in single precision
ROWS = 40
YALE = 51.29


def line(source: str, mistake: str, theirs: float, rule: str, ours: float, shown: bool) -> list[str]:
    """Cells of one mistake; `shown`: the experiment shows what is said."""
    return [source, mistake, number(theirs), rule, number(ours), AGREES if shown else DIFFERS]


def two_classes(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows (40, 5) without equal distances, and a class of two features."""
    X = np.random.default_rng(seed).random((ROWS, 5))
    return X, (X[:, 0] + X[:, 1] > 1).astype(int)


def rebate(name: str, X: np.ndarray, y: np.ndarray, **parameters: object) -> np.ndarray:
    """Scores (p,) by scikit-rebate."""
    import skrebate

    return getattr(skrebate, name)(n_features_to_select=1, **parameters).fit(X, y).feature_importances_


def far_pairs(_: ModuleType | None) -> Lines:
    """The review's sentence on far pairs, with two features that act together among eight that say nothing."""
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (400, 10)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    nominal = np.ones(10, bool)
    near = rank(X, y, "multisurf", nominal=nominal).scores
    both = 2 * rank(X, y, "multisurfstar", nominal=nominal).scores  # as published
    turned = 2 * near - both  # near + far instead of near - far
    margins = [scores[:2].min() - scores[2:].max() for scores in (turned, both)]
    cells = "far pairs: equal values of hits increase, of misses decrease a score (MultiSURF\\*)"
    rule = "the other way round; margin of two interacting features over noise"
    return [line("review, 3.3", cells, margins[0], rule, margins[1], margins[1] > max(margins[0], 0))]


def own_hit(_: ModuleType | None) -> Lines:
    """scikit-rebate's ReliefF where a class has fewer rows than neighbours are asked for."""
    X, y = two_classes()
    theirs, ours = rebate("ReliefF", X, y, n_neighbors=100), rank(X, y, "relieff", n_neighbors=100).scores
    honest = rank(X, y, "relieff", n_neighbors=int(np.bincount(y).max())).scores
    difference = np.abs(theirs - ours).max()
    same = np.abs(ours - honest).max() < EXACT
    cells = (
        "ReliefF with more neighbours than a class has (default: 100): the row itself is a hit; difference of a score"
    )
    return [line("scikit-rebate 0.8", cells, difference, "as many hits as there are", 0, difference > EXACT and same)]


def own_distance(_: ModuleType | None) -> Lines:
    """scikit-rebate's threshold of SURF."""
    X, y = two_classes()
    R = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    mean = R.sum(axis=2)[np.triu_indices(ROWS, 1)].mean()
    difference = np.abs(rebate("SURF", X, y) - rank(X, y, "surf").scores).max()
    cells = "SURF's threshold takes in the zero distances of rows to themselves"
    rule = f"the mean over pairs; here {number(mean)}"
    theirs = mean * (ROWS - 1) / ROWS
    cells = f"{cells}: {number(theirs)}; difference of a score"
    return [line("scikit-rebate 0.8", cells, difference, rule, 0, difference > EXACT)]


def three_classes(_: ModuleType | None) -> Lines:
    """scikit-rebate's weights of several classes."""
    y = np.repeat([0, 1, 2], 4)
    X = np.column_stack([y, *[y == 2] * 5]).astype(float)
    theirs, ours = rebate("MultiSURF", X, y).max(), rank(X, y, "multisurf", nominal=np.ones(6, bool)).scores.max()
    cells, rule = "three classes: a score beyond 1", "priors of the classes present add up to 1"
    return [line("scikit-rebate 0.8", cells, theirs, rule, ours, theirs > 1 >= ours)]


def gaps(_: ModuleType | None) -> Lines:
    """scikit-rebate's score of a feature that half of the rows lack."""
    X, y = two_classes()
    X[::2, 0] = np.nan
    theirs = rebate("ReliefF", X, y, n_neighbors=10)[0]
    ours = rank(X, y, "relieff", n_neighbors=10, missing="ignore").scores[0]
    shown = abs(theirs - ours / 2) < EXACT
    cells = "a row without the value counts as 0: half of them missing halves the score"
    return [line("scikit-rebate 0.8", cells, theirs, "rows without it do not count", ours, shown)]


def two_kinds_of_numbers(_: ModuleType | None) -> Lines:
    """scikit-rebate's ReliefF of a number: rows whose targets differ by less than a standard deviation are hits."""
    X = two_classes()[0]
    y = X[:, 0] + 0.1 * np.random.default_rng(1).random(ROWS)
    theirs = rebate("ReliefF", X, y, n_neighbors=5)
    D = np.abs(X[:, None] - X[None]) / np.ptp(X, axis=0)
    is_hit = np.abs(y[:, None] - y[None]) < y.std(ddof=1)
    np.fill_diagonal(is_hit, False)
    by_kind = np.zeros(X.shape[1])
    for i, distances in enumerate(D.sum(axis=2)):
        order = [j for j in np.argsort(distances, kind="stable") if j != i]
        hits = [j for j in order if is_hit[i, j]][:5]
        misses = [j for j in order if not is_hit[i, j]][:5]
        by_kind += (D[i, misses].mean(axis=0) - D[i, hits].mean(axis=0)) / ROWS
    ours = rank(X, y, "rrelieff", n_neighbors=5).scores
    shown = np.abs(theirs - by_kind).max() < EXACT and np.abs(theirs - ours).max() > EXACT
    cells = "ReliefF for a number: two classes, within one standard deviation or not; score of the best feature"
    return [
        line("scikit-rebate 0.8", cells, theirs.max(), "RReliefF, with the size of the difference", ours.max(), shown)
    ]


def pooled_misses(_: ModuleType | None) -> Lines:
    """fast-select's MultiSURF of three classes; of two, it is ours."""
    from fast_select.MultiSURF import MultiSURF

    X = np.random.default_rng(0).normal(size=(60, 6))
    differences = []
    for classes in (2, 3):
        y = np.searchsorted(np.quantile(X[:, 0], np.arange(1, classes) / classes), X[:, 0])
        theirs = MultiSURF(n_features_to_select=5, n_jobs=1, backend="cpu").fit(X, y).feature_importances_
        differences.append(np.abs(theirs - rank(X, y, "multisurf").scores).max())
    two, three = differences
    cells = "MultiSURF of three classes pools all misses; difference of a score"
    rule = f"misses weighted by priors; of two classes the difference is {number(two)}"
    return [line("fast-select 0.3", cells, three, rule, 0, two < SINGLE < 0.01 < three)]


def fifth_of_influence(_: ModuleType | None) -> Lines:
    """Orange's RReliefF of features that say nothing."""
    from Orange.data import ContinuousVariable, Domain, Table
    from Orange.preprocess import score

    X = two_classes()[0]
    y = X[:, 0] + 0.1 * np.random.default_rng(1).random(ROWS)
    domain = Domain([ContinuousVariable(name) for name in "abcde"], ContinuousVariable("y"))
    theirs = np.asarray(score.RReliefF(50, 6, random_state=0)(Table.from_numpy(domain, X, y)))[1:].mean()
    ours = rank(X, y, "rrelieff", n_neighbors=6, sigma=None).scores[1:].mean()
    cells = "RReliefF divides influence by five times its sum; mean score of noise"
    return [line("Orange 3.40", cells, theirs, "influence adds up to 1", ours, theirs > 0.1 > abs(ours))]


def constant_feature(_: ModuleType | None) -> Lines:
    """ReliefE's score of a feature that never changes, by the paper's equation 1 and by its algorithm 3."""
    random = np.random.default_rng(0)
    labels = (random.random((60, 5)) < 0.3).astype(int)
    X = np.column_stack([random.random((60, 4)), np.ones(60)])
    T = np.abs(labels[:, None] - labels[None]).mean(axis=2)
    printed = T[~np.eye(60, dtype=bool)].mean()  # (T - D) / (1 - TD) with D = TD = 0, all rows as neighbours
    ours = rank(X, labels, "reliefe", embedding=None, task="multi-label").scores[4]
    cells = "equation 1 (label sets): a constant feature scores the mean difference of the labels"
    rule = "algorithm 3, line 34: TD / T - (D - TD) / (1 - T)"
    return [line("ReliefE, eq. 1", cells, printed, rule, ours, ours == 0 < printed)]


def squared_errors(data: ModuleType) -> Lines:
    """The errors that tables of rankings without a target call MSE."""
    X = values(data, "Yale")
    raw = rmse_1nn(X, once(urelief))[0].mean()
    cells = "Tables 2 and 3 are called mean squared errors (Yale: 51.29)"
    rule = "root mean squared error of a feature, mean over features"
    return [line("URelief, Tables 2, 3", cells, YALE, rule, raw, abs(raw - YALE) < 0.005)]


def area_of_curve(_: ModuleType | None) -> Lines:
    """AUrF1 of a curve, divided by the number of points, and by its length."""
    sizes, quality = np.array([1, 2, 3, 4]), np.array([0.5, 0.8, 1.0, 1.0])
    ours = curve_area(sizes, quality)
    from scipy.integrate import simpson

    printed = simpson(quality, x=sizes) / len(sizes)
    cells = "AUrF1 is divided by the number of points: a curve that is 1 throughout has an area below 1"
    shown = abs(curve_area(sizes, np.ones(4)) - 1) < EXACT
    return [line("ReliefE, 4.3", cells, printed, "divided by its length", ours, shown)]


def few_targets(data: ModuleType) -> Lines:
    """Recall of pairs of SNPs when the square root of the rows are targets, and all."""
    found = {"sqrt": [], "all": []}
    for name in ("epi2_100atts_r01", "epi2_100atts_r02", "epi2_h0.4_e1_r01", "epi2_h0.1_e2_r01", "epi2_additive50_r01"):
        loaded = data.load(name)
        X, y, relevant = loaded["X"], loaded["y"], np.asarray(loaded["relevant"])
        for key, count in (("sqrt", int(np.sqrt(len(y)))), ("all", None)):
            options = {} if count is None else {"n_instances": count}
            best = rank(X, y, "relieff", nominal=loaded["feature_is_nominal"], **options).ranking[: len(relevant)]
            found[key].append(np.isin(best, relevant).mean())
    few, every = (float(np.mean(values)) for values in found.values())
    cells = "as many targets as the square root of the rows suffice; recall of relevant SNPs, mean of five sets"
    return [line("ReliefE, 5.5", cells, few, "all rows are targets", every, every > few)]


def embedding_loses_pairs(data: ModuleType) -> Lines:
    """Worst rank of two interacting SNPs among 1000 by ReliefE with UMAP, and by MultiSURF."""
    loaded = data.load("epi2_1000atts_r01")
    X, y, relevant = loaded["X"], loaded["y"], np.asarray(loaded["relevant"])
    worst = []
    for method, options in (("reliefe", {"embedding": "umap"}), ("multisurf", {})):
        order = rank(X, y, method, nominal=loaded["feature_is_nominal"], **options).ranking
        worst.append(int(np.flatnonzero(np.isin(order, relevant)).max()) + 1)
    cells = "rankings by embedded neighbours are on par; worst rank of two interacting SNPs of 1000"
    rule = "MultiSURF, neighbours by all features"
    return [line("ReliefE, 5 and 6", cells, worst[0], rule, worst[1], worst[1] == 2 < worst[0])]


SECTION = Section(
    "errata",
    "Mistakes of papers and of implementations, shown",
    ("source", "claim or behaviour", "gives", "the rule", "ours", "shown"),
    (
        Experiment("far pairs", far_pairs),
        Experiment("own hit", own_hit),
        Experiment("own distance", own_distance),
        Experiment("three classes", three_classes),
        Experiment("gaps", gaps),
        Experiment("kinds of numbers", two_kinds_of_numbers),
        Experiment("pooled misses", pooled_misses),
        Experiment("influence", fifth_of_influence),
        Experiment("constant feature", constant_feature),
        Experiment("squared errors", squared_errors, True),
        Experiment("area of a curve", area_of_curve),
        Experiment("few targets", few_targets, True),
        Experiment("pairs in an embedding", embedding_loses_pairs, True, False),
    ),
    "python -m benchmarks reproduce --sections errata",
)
