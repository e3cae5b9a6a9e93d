"""The slow twins of the tests, called as the methods are."""

from collections.abc import Callable

import numpy as np

from .kinds import Case

OF_TARGET = ("target_distance", "label_weights", "label_decay", "gamma")
SMOOTH = ("swrf", "multiswrf", "multiswrfstar", "multiswrfdb", "multiswrfdbstar")
RELIEF = ("relief", "relieff", "rrelieff", "surf", "surfstar", "multisurf", "multisurfstar", "swrfstar", *SMOOTH)
COUNTING, DIGITS = ("relief", "relieff", "rrelieff"), 11
LEARNED = ("boostedrelief", "learnedrelief", "boostedlearnedrelief")
TWINNED = (*RELIEF, *LEARNED, "reliefe", "urelief", "sslrelief")
SEVERAL = ("multi-target", "multi-label", "hierarchical")


def twin(case: Case) -> np.ndarray:
    """Scores (p,) of the twin.  Raises ValueError for parameters that it does not know."""
    given = dict(case["parameters"])
    target = {name: given.pop(name) for name in OF_TARGET if name in given}
    X, nominal = np.array(case["X"], float), np.array(case["nominal"], bool)
    y = None if case["y"] is None else np.array(case["y"])
    with np.errstate(all="ignore"):
        return _twin(case["method"], case["task"])(X, y, nominal, case, given, target)


def _twin(method: str, task: str) -> Callable:
    if method == "reliefe":
        return _reliefe
    if method in LEARNED:
        return _learned
    if method in ("urelief", "sslrelief") or task in SEVERAL:
        return _pairs
    return _relief


def _relief(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, case: Case, given: Case, _: Case) -> np.ndarray:
    """Distances are rounded where neighbours are counted: rows that are as near as each other are ties."""
    from orangecontrib.reliefe.tests import naive

    if case["method"] not in COUNTING:
        return naive.rank(X, y, case["method"], nominal, case["task"], **given)
    numbers, power = case["task"] == "regression", given.pop("power", 1)
    missing = given.pop("missing", None) or ("ignore" if numbers else "class-conditional")
    D = naive.differences(X, nominal, None if numbers else y, missing, given.pop("ramp", False), power)
    d = np.round(naive.distances(D), DIGITS)
    return naive.TWINS[case["method"]](D, d, y, range(len(X)), **given)


def _reliefe(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, _: Case, given: Case, target: Case) -> np.ndarray:
    """In the space of the features, with distances that are rounded for the same reason."""
    from orangecontrib.reliefe.tests.naive import differences, distances, reliefe
    from orangecontrib.reliefe.tests.naive.diffs import shaper

    k, ramp = given.get("n_neighbors", 15), given.get("ramp", False)
    D = differences(X, nominal, y if y.ndim == 1 else None, given.get("missing") or "ignore", ramp)
    d, rows = np.round(distances(D), DIGITS), range(len(X))
    compare = reliefe.Compare(X, nominal, D, given.get("average", False), shaper(ramp, 1))
    if y.ndim == 1:
        return reliefe.multiclass(compare, d, y, rows, k)
    t = reliefe.label_distances(y, target.get("target_distance", "f1"))
    return reliefe.multilabel(compare, d, t, rows, k, given.get("pooled", False))


def _learned(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, case: Case, given: Case, target: Case) -> np.ndarray:
    from orangecontrib.reliefe.tests.naive import boosted

    t = None if case["task"] == "classification" else _differences(y, case, target)
    numbers = list(np.atleast_2d(y.T)) if case["task"] in ("regression", "multi-target") else ()
    if given.get("eta") == "prediction-first":
        given["eta"] = 0.5
    return boosted.rank(X, y if t is None else None, nominal, case["method"], t=t, numbers=numbers, **given)


def _pairs(X: np.ndarray, y: np.ndarray, nominal: np.ndarray, case: Case, given: Case, target: Case) -> np.ndarray:
    from orangecontrib.reliefe.tests.naive import unlabelled

    given = {name: value for name, value in given.items() if name != "missing" or value is not None}
    if case["method"] == "urelief":
        return unlabelled.urelief(X, nominal, **given)
    known = case["task"] != "unsupervised"
    t = _differences(y, case, target) if known else np.full((len(X), len(X)), np.nan)
    return getattr(unlabelled, case["method"])(X, t, nominal, **given)


def _differences(y: np.ndarray, case: Case, target: Case) -> np.ndarray:
    """(n, n) differences of the targets."""
    from orangecontrib.reliefe.tests.naive import targets

    if case["task"] == "classification":
        return targets.classes(y)
    if case["task"] == "regression":
        return targets.numbers(y)
    if case["task"] == "multi-target":
        return targets.several(y)
    if case["task"] == "multi-label":
        return targets.labels(y, target.get("target_distance", "hamming"))
    names = {"target_distance": "distance", "label_weights": "how", "label_decay": "decay", "gamma": "gamma"}
    own = {names[name]: value for name, value in target.items()}
    return targets.hierarchy(y, [tuple(parents) for parents in case["hierarchy"]], **own)
