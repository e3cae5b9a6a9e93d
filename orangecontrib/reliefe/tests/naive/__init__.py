"""Slow, independent twins of the methods: plain loops, straight from the definitions, importing nothing of ours.

differences (n, n, p) -> distances (n, n) -> one function per method -> scores (p,)
"""

import numpy as np

from .diffs import cosines, differences, distances, instead
from .nearest import relief, relieff, rrelieff
from .relatives import erelieff, reliefa, reliefmss, reliefseq, relievedf
from .thresholds import (
    multisurf,
    multisurfstar,
    multiswrf,
    multiswrfdb,
    multiswrfdbstar,
    multiswrfstar,
    murelief,
    surf,
    surfstar,
    swrf,
    swrfstar,
)

DECIMALS = 12  # mean diffs that agree in them are ties, which go to the lower row

TWINS = {
    "relief": relief,
    "relieff": relieff,
    "rrelieff": rrelieff,
    "surf": surf,
    "surfstar": surfstar,
    "multisurf": multisurf,
    "multisurfstar": multisurfstar,
    "swrfstar": swrfstar,
    "swrf": swrf,
    "multiswrf": multiswrf,
    "multiswrfstar": multiswrfstar,
    "multiswrfdb": multiswrfdb,
    "multiswrfdbstar": multiswrfdbstar,
    "murelief": murelief,
    "reliefa": reliefa,
    "erelieff": erelieff,
    "relievedf": relievedf,
    "reliefmss": reliefmss,
    "reliefseq": reliefseq,
}
SURF = "surf", "surfstar", "multisurf", "multisurfstar"
SWRF = "swrfstar", "swrf", "multiswrf", "multiswrfstar", "multiswrfdb", "multiswrfdbstar"
OF_NUMBERS = *SURF, *SWRF, "murelief"  # whose hits are rows with similar numbers
USUAL = {"erelieff": "ignore", "relievedf": "separate"}  # for missing values, where it is the method's


def target_rows(n, n_instances=None, random_state=0):
    """The rows that are targets when a number or a share of n rows is asked for."""
    if n_instances is None:
        return list(range(n))
    m = n_instances if n_instances >= 1 else max(1, round(n_instances * n))
    return [int(i) for i in np.random.default_rng(random_state).permutation(n)[:m]]


def rank(
    X,
    y,
    method,
    nominal=None,
    task="classification",
    *,
    missing=None,
    ramp=False,
    power=1,
    diff="range",
    distance="manhattan",
    n_instances=None,
    random_state=0,
    **parameters,
):
    """Scores (p,) of the columns of X (n, p), NaN = missing; y (n,) without missing values."""
    X, y = np.asarray(X, float), np.asarray(y)
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal, bool)
    numbers = task == "regression"
    missing = missing or USUAL.get(method) or ("ignore" if numbers else "class-conditional")
    D = differences(instead(X, nominal, diff), nominal, None if numbers else y, missing, ramp, power)
    targets = target_rows(len(X), n_instances, random_state)
    if method in OF_NUMBERS:
        parameters["numbers"] = numbers
    d = distances(D) if distance == "manhattan" else X.shape[1] * cosines(X, nominal)
    if method not in (*SURF, *SWRF):  # only their order matters, and which of them are tied
        d = np.round(d / X.shape[1], DECIMALS)
    return TWINS[method](D, d, y, targets, **parameters)
