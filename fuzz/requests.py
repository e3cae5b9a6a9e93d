"""Small valid requests for a ranking, of every kind of data, target and method."""

import numpy as np

from .kinds import Case
from .mutations import pick

CHEAP = {  # values of parameters that would take long
    "reliefe": {"embedding": (None, None, None, "pca"), "n_repeats": (1, 2), "dimension": ("auto", 1, 2)},
    "pct": {"n_trees": (1, 3)},
}
PARENTS = ((), (0,), (0,), (1, 2))
USED = 0.25  # share of the parameters that are given


def request(rng: np.random.Generator, method: str | None = None) -> tuple[object, object, Case]:
    """X, y and options (with the method's own in "parameters") of a request that should be carried out."""
    from orangecontrib.reliefe.core import METHODS

    method = method or pick(("auto", *METHODS), rng)
    task = pick(METHODS[method].tasks, rng) if method != "auto" else "classification"
    n, p = int(rng.integers(4, 14)), int(rng.integers(1, 7))
    options = {"method": method, "task": task, "parameters": parameters(rng, method)}
    if task == "hierarchical":
        options["hierarchy"] = [list(parents) for parents in PARENTS]
    X = features(rng, n, p)
    if rng.random() < 0.3:
        options["nominal"] = {
            "!": "array",
            "values": [bool(np.all(np.mod(c, 1) == 0)) for c in np.array(X["values"]).T],
        }
    options["n_jobs"] = pick((1, 2, None), rng)
    return X, target(rng, task, n), options


def features(rng: np.random.Generator, n: int, p: int) -> Case:
    """X (n, p): columns of fractions, grades, constants and zeros; sometimes with missing values, sometimes sparse."""
    columns = []
    for _ in range(p):
        kind = rng.random()
        if kind < 0.4:
            columns.append(rng.random(n))
        elif kind < 0.7:
            columns.append(rng.integers(0, int(rng.integers(2, 12)), n))
        elif kind < 0.9:
            columns.append(np.where(rng.random(n) < 0.7, 0, rng.integers(1, 4, n)))
        else:
            columns.append(np.full(n, float(rng.integers(-1, 2))))
    X = np.column_stack(columns).astype(float)
    if rng.random() < 0.25:
        X[rng.random((n, p)) < 0.15] = np.nan
    form = pick(("csr", "csc", "coo"), rng) if rng.random() < 0.25 else None
    return {"!": "sparse", "format": form, "values": X.tolist()} if form else {"!": "array", "values": X.tolist()}


def target(rng: np.random.Generator, task: str, n: int) -> object:
    """y for a task; sometimes with unknown values."""
    unknown = rng.random(n) < (0.2 if rng.random() < 0.2 else 0)
    if task == "unsupervised":
        return None
    if task == "regression":
        return {"!": "array", "values": np.where(unknown, np.nan, rng.random(n)).tolist()}
    if task == "classification":
        codes = rng.integers(0, 3, n)
        codes[:4] = 0, 1, 0, 1
        return {"!": "array", "values": np.where(unknown, np.nan, codes).tolist()}
    if task == "survival":
        times = np.column_stack([1 + rng.integers(0, 2 * n, n), np.arange(n) % 2])
        return {"!": "array", "values": np.where(unknown[:, np.newaxis], np.nan, times).tolist()}
    Y = (rng.random((n, 4)) < 0.5).astype(float)
    Y[0], Y[1] = 0, 1
    Y = Y + rng.random((n, 4)) if task == "multi-target" else Y
    return {"!": "array", "values": np.where(unknown[:, np.newaxis], np.nan, Y).tolist()}


def parameters(rng: np.random.Generator, method: str) -> Case:
    """Some of the method's own parameters, with values that it takes."""
    from orangecontrib.reliefe.core import METHODS

    if method not in METHODS:
        return {}
    cheap = CHEAP.get(method, {})
    out = {name: pick(choices, rng) for name, choices in cheap.items()}
    for parameter in METHODS[method].parameters:
        if parameter.name not in cheap and rng.random() < USED:
            out[parameter.name] = _value(parameter, rng)
    if method == "sslrelief" and ("w0" in out or "w1" in out):
        out["w0"], out["w1"] = pick(((0, 1), (0.25, 0.5), ("auto", "auto")), rng)
    if out.get("average"):
        out.pop("missing", None)
    return out


def _value(parameter: object, rng: np.random.Generator) -> object:
    kinds = {
        "integer": (*range(int(parameter.low or 0), int(min(parameter.high or 9, (parameter.low or 0) + 6)) + 1),),
        "number": (0.5, 2.0, 10.0),
        "share": (0.0, 0.5, 1.0),
        "switch": (True, False),
        "rows": (2, 0.5, 1000),
        "ramp": (True, False, [0.1, 0.3]),
    }
    choices = (*kinds.get(parameter.kind, ()), *parameter.choices)
    choices = [choice for choice in choices if choice not in ("umap", "cosine", "hyperbolic")]
    return pick((*choices, parameter.default), rng)
