"""Small problems that are solved in two ways which must agree: moved rows, threads, masked values, and slow twins.

The kind `formats` compares dense, sparse and packed data. Cases of the check "csr" are from before.
"""

from collections.abc import Callable

import numpy as np

from .kinds import Action, Case
from .mutations import pick
from .outcome import Refused, Wrong
from .requests import PARENTS, parameters
from .twins import TWINNED, twin
from .values import decoded

CLOSE = 1e-9
CHECKS = ("columns", "rows", "affine", "threads", "masked", "frame", "twin", "twin")
TIED = 0.5  # share of the problems with many equal distances
METHOD, TASK = "method", "task"
# Trees and subsets of features are drawn at random, and filters train, cut and break ties: their own tests say how far
# forms of the same data agree.  One method takes the rows in turn.
DRAWN = ("trees", "wrapper", "filter")
# Both rows of a group of two are as far from its mean, so that mu-Relief takes the first of them for k = 1.
LEFT_OUT = dict.fromkeys(("rows", "columns", "affine"), DRAWN) | {"rows": (*DRAWN, "ireliefonline", "murelief")}
# Its balls have sharp borders, and with a large step the weights oscillate without end: each iteration enlarges the
# difference of last bits about 1.4 times, to 1e-15 after 10 iterations, 1e-12 after 20 and .06 after 100.
AMPLIFYING, MAX_ITERATIONS = "iterativerelief", 10
BOOSTED = (
    "boostedrelief",
    "boostedlearnedrelief",
)  # take the first of features that are as good, and enlarge rounding errors
# Which depend on the order of rows, make distances equal (ties go to the first row), or are unknown to twins.
UNUSED = {
    "rows": ("n_instances", "ramp", "per_target", "diff", "distance"),
    "affine": ("diff", "distance"),  # a shift moves what is zero
    "twin": ("n_instances", "per_target", "candidates", "preset", "labelled_only", "diff", "distance"),
}


def make(rng: np.random.Generator) -> Case:
    """A case: {"check", "X", "y", "nominal", "task", "method", "parameters", "hierarchy", "change"}."""
    from orangecontrib.reliefe.core import METHODS

    check = pick(CHECKS, rng)
    method = pick(
        TWINNED
        if check == "twin"
        else [m.name for m in METHODS.values() if not {m.family, m.name} & {*LEFT_OUT.get(check, ())}],
        rng,
    )
    task = pick(METHODS[method].tasks, rng)
    boosted = check in ("columns", "twin") and method in BOOSTED
    tied = check != "rows" and not boosted and rng.random() < TIED
    n, p = int(rng.integers(5, 16 if check == "twin" else 60)), int(rng.integers(1, 9))
    X, nominal = _columns(rng, n, p, tied)
    if check != "rows" and rng.random() < 0.25:
        X[rng.random((n, p)) < 0.1] = np.nan
    case = {
        "check": check, "X": X.tolist(), "y": _target(rng, task, n, X), "nominal": nominal.tolist(), TASK: task,
        METHOD: method, "parameters": _chosen(rng, method, check),
    }  # fmt: skip
    if task == "hierarchical":
        case["hierarchy"] = [list(parents) for parents in PARENTS]
    return {**case, "change": _change(rng, check, n, p, nominal, tied)}


def _columns(rng: np.random.Generator, n: int, p: int, tied: bool) -> tuple[np.ndarray, np.ndarray]:
    """X (n, p) and which columns are nominal; tied: grades and categories, zeros, equal rows."""
    if not tied:
        return rng.normal(size=(n, p)), np.zeros(p, bool)
    X = rng.integers(0, rng.integers(2, 12, p), (n, p)).astype(float)
    X[rng.random((n, p)) < pick((0, 0.5), rng)] = 0
    X *= pick((1.0, 0.1, 0.7, 1 / 3), rng)
    if rng.random() < 0.5:
        X = X[rng.integers(0, max(n // 2, 2), n)]
    nominal = rng.random(p) < pick((0, 0.5, 1), rng)
    return X, nominal


def _target(rng: np.random.Generator, task: str, n: int, X: np.ndarray) -> list | None:
    signal = np.nan_to_num(X[:, 0]) + rng.normal(size=n)
    if task == "unsupervised":
        return None
    if task == "regression":
        return signal.tolist()
    if task == "classification":
        codes = np.argsort(np.argsort(signal)) * int(rng.integers(2, 5)) // n
        return codes.tolist() if rng.random() < 0.8 else (codes > 0).astype(int).tolist()
    Y = (rng.random((n, len(PARENTS))) < 0.4).astype(float)
    Y[:, 0] = signal > np.median(signal)
    return (Y + rng.normal(size=Y.shape)).tolist() if task == "multi-target" else Y.tolist()


def _chosen(rng: np.random.Generator, method: str, check: str) -> Case:
    """Parameters with which both ways must agree."""
    out = parameters(rng, method)
    for name in ("embedding", *UNUSED.get(check, ())):
        out.pop(name, None)
    if method == "reliefe":
        out["embedding"] = None
    if method == "pct":
        out["n_trees"] = 3
    if method == AMPLIFYING:
        out["max_iter"] = min(out.get("max_iter", MAX_ITERATIONS), MAX_ITERATIONS)
    if method == "sslrelief" and check in ("rows", "twin"):  # cross-validation depends on the order of rows
        out |= {"n_neighbors": int(rng.integers(1, 9)), "w0": 0.25, "w1": pick((0.25, 1.0), rng)}
    return out


def _change(rng: np.random.Generator, check: str, n: int, p: int, nominal: np.ndarray, tied: bool) -> Case:
    if check == "columns":
        return {"order": rng.permutation(p).tolist()}
    if check == "rows":
        return {"order": rng.permutation(n).tolist()}
    if check == "affine":  # exact where distances are tied, so that they stay so
        factor = rng.choice([-2.0, 0.5, 4.0] if tied else [-3.0, 0.7, 250.0], p)
        return {
            "factor": np.where(nominal, 1, factor).tolist(),
            "shift": np.where(nominal | tied, 0, rng.integers(-5, 5, p)).tolist(),
        }
    if check in ("masked", "frame"):
        return {"mask": (rng.random((n, p)) < 0.1).tolist(), "rows": (rng.random(n) < 0.1).tolist()}
    return {}


def prepare(case: Case) -> Action:
    """Both ways; the action compares them."""
    from orangecontrib.reliefe.core import METHODS

    METHODS[case[METHOD]]  # not known is a mistake of the case
    case = decoded(case)
    first, second = _WAYS[case["check"]]

    def action() -> None:
        one, other = _solved(first, case), _solved(second, case)
        if isinstance(one, str) and (isinstance(other, str) or case["check"] == "twin"):
            raise Refused(one)
        place = f"{case['check']} {case[METHOD]}"
        if isinstance(one, str) or isinstance(other, str):
            raise Wrong(f"refused in one way only: {one} {other}", f"{place} refused")
        exact = case["check"] == "threads"
        if not (np.array_equal(one, other) if exact else np.allclose(one, other, rtol=0, atol=CLOSE)):
            raise Wrong(f"scores that differ by {np.abs(one - other).max():.2g}: {one} {other}", place)

    return action


def _solved(way: Callable[[Case], np.ndarray], case: Case) -> np.ndarray | str:
    """Scores, or why there are none."""
    try:
        return way(case)
    except (ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def _scores(case: Case, X: object = None, y: object = None, nominal: object = None, workers: int = 1) -> np.ndarray:
    """Scores of the product; what is None is as in the case."""
    from orangecontrib.reliefe.core.checked_call import check_call
    from orangecontrib.reliefe.core.work.threads import Work

    request = check_call(
        np.array(case["X"]) if X is None else X,
        (None if case["y"] is None else np.array(case["y"])) if y is None else y,
        case[METHOD],
        nominal=np.array(case["nominal"], bool) if nominal is None else nominal,
        task=case[TASK],
        hierarchy=case.get("hierarchy"),
        **case["parameters"],
    )
    return request.rank(Work(workers)).scores


def _csr(case: Case) -> np.ndarray:
    from scipy import sparse

    return _scores(case, sparse.csr_array(np.array(case["X"])))


def _columns_moved(case: Case) -> np.ndarray:
    order = case["change"]["order"]
    found = _scores(case, np.array(case["X"])[:, order], nominal=np.array(case["nominal"], bool)[order])
    out = np.empty(len(order))
    out[order] = found
    return out


def _rows_moved(case: Case) -> np.ndarray:
    order = case["change"]["order"]
    return _scores(case, np.array(case["X"])[order], None if case["y"] is None else np.array(case["y"])[order])


def _scaled(case: Case) -> np.ndarray:
    return _scores(case, np.array(case["X"]) * case["change"]["factor"] + case["change"]["shift"])


def _hidden(case: Case, value: float, hide: Callable[[np.ndarray, np.ndarray], object]) -> np.ndarray:
    """With the values and the targets that the case masks replaced, and hidden by `hide(values, mask)`."""
    X, y, mask = np.array(case["X"]), case["y"], np.array(case["change"]["mask"])
    X = hide(np.where(mask, value, X), mask)
    if y is not None:
        y = np.array(y, float)
        rows = np.array(case["change"]["rows"]).reshape(-1, *[1] * (y.ndim - 1)) & np.ones(y.shape, bool)
        y = hide(np.where(rows, value, y), rows)
    return _scores(case, X, y)


def _as_masked(case: Case) -> np.ndarray:
    return _hidden(case, -999.0, np.ma.MaskedArray)


def _as_frame(case: Case) -> np.ndarray:
    """In columns of pandas that can be missing."""
    import pandas as pd

    def hide(values: np.ndarray, mask: np.ndarray) -> object:
        if values.ndim == 1:
            return pd.arrays.FloatingArray(values, mask | np.isnan(values)).to_numpy(object)
        columns = [pd.arrays.FloatingArray(v.copy(), m | np.isnan(v)) for v, m in zip(values.T, mask.T, strict=True)]
        return pd.DataFrame({f"x{j}": column for j, column in enumerate(columns)})

    return _hidden(case, -999.0, hide)


def _as_missing(case: Case) -> np.ndarray:
    return _hidden(case, np.nan, lambda values, mask: values)


_WAYS: dict[str, tuple[Callable[[Case], np.ndarray], Callable[[Case], np.ndarray]]] = {
    "csr": (_scores, _csr),
    "columns": (_scores, _columns_moved),
    "rows": (_scores, _rows_moved),
    "affine": (_scores, _scaled),
    "threads": (_scores, lambda case: _scores(case, workers=4)),
    "masked": (_as_masked, _as_missing),
    "frame": (_as_frame, _as_missing),
    "twin": (_scores, twin),
}
