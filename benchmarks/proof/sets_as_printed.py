"""Tables of properties of data sets in the papers on ReliefE and SSL-Relief, recomputed from public files."""

from functools import partial
from types import ModuleType

import numpy as np

from orangecontrib.reliefe.core.evaluation import clustering_hypothesis

from .record import AGREES, DIFFERS, Experiment, Lines, Section, number, verdict

# ReliefE, Tables 2 and 3: name there, rows, features, classes or labels, share of non-zeros.
RELIEFE = {
    "chess": ("chess", 3196, 38, 2, 0.726558),
    "optdigits": ("optdigits", 5620, 62, 10, 0.528117),
    "madelon": ("madelon", 2000, 500, 2, 0.999999),
    "tumors_C": ("tumors C", 60, 7129, 2, 0.995722),
    "bibtex": ("bibtex", 7395, 3672, 159, 0.5),
}
# SSL-Relief, Tables 1 to 3: name there, rows, features, classes, labels or targets, clustering hypothesis (CH).
SSL = {
    "arrhythmia": ("Arrhythmia", 452, 279, 16, 0.02),
    "bank": ("Bank", 4521, 16, 2, -0.00),
    "kr-vs-kp": ("Chess", 3196, 36, 2, 0.22),
    "dis": ("Dis", 3772, 28, 2, 0.00),
    "phishing": ("Phishing", 11055, 30, 2, -0.00),
    "tic-tac-toe": ("Tic-tac-toe", 958, 9, 2, 0.70),
    "digits": ("Digits", 1797, 64, 10, -0.00),
    "bibtex": ("Bibtex", 7395, 1836, 159, 0.02),
    "birds": ("Birds", 645, 260, 19, 0.05),
    "emotions": ("Emotions", 593, 72, 6, 0.04),
    "genbase": ("Genbase", 662, 1185, 27, 0.26),
    "pheno-yeast-FUN": ("Pheno-yeast-FUN", 1592, 69, 594, 0.00),
    "mortgage": ("Mortgage", 1049, 15, 1, 0.57),
    "atp1d": ("Atp1d", 337, 411, 6, 0.49),
    "edm": ("Edm1", 154, 16, 2, 0.23),
    "soil-quality": ("Soil-quality", 1944, 142, 3, 0.07),
}
TASKS = {"mlc": "multi-label", "hmlc": "multi-label", "mtr": "multi-target"}
CLOSE = 0.03  # of CH: k-means begins at random
SHARE = 1e-3
SLOW = ("bibtex", "phishing", "pheno-yeast-FUN", "soil-quality")
REMARKS = {
    "optdigits": "two columns of it are constant",
    "madelon": "the file has training and test rows",
    "bibtex": "printed: each of 1836 columns twice, for 0 and for 1",
    "dis": "one column more in the public file",
    "pheno-yeast-FUN": "classes that occur only",
    "soil-quality": "fewer rows in the public file",
    "digits": "k-means is known to find digits",
    "tumors_C": "one probe less in the public file",
}


def shape(name: str, data: ModuleType) -> Lines:
    """Rows, features, classes and the share of non-zeros of a set of ReliefE's Tables 2 and 3."""
    title, n, p, k, share = RELIEFE[name]
    found = data.load(name)
    X = found["X"]
    stored = X.nnz if hasattr(X, "nnz") else np.count_nonzero(X)
    classes = len(np.unique(found["y"])) if found.get("y") is not None else found["Y"].shape[1]
    ours = stored / np.prod(X.shape)
    same = X.shape[0] == n and X.shape[1] == p and classes == k and abs(ours - share) <= SHARE
    printed = f"{n} x {p}, {k}", f"{X.shape[0]} x {X.shape[1]}, {classes}"
    remark = REMARKS.get(name, "")
    return [[title, *printed, "non-zeros", number(share), number(ours), remark, AGREES if same else DIFFERS]]


def hypothesis(name: str, data: ModuleType) -> Lines:
    """Size and CH of a set of SSL-Relief's Tables 1 to 3."""
    title, n, p, k, printed = SSL[name]
    found = data.load(name)
    task = TASKS.get(found["task"], found["task"])
    y = found["y"] if found.get("y") is not None else found["Y"]
    y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
    y = y if task == "classification" else y.astype(float)
    count = len(np.unique(y[y >= 0])) if task == "classification" else y.reshape(len(y), -1).shape[1]
    ours = clustering_hypothesis(found["X"], y, task, nominal=found["feature_is_nominal"])
    cells = [title, f"{n} x {p}, {k}", f"{len(y)} x {found['X'].shape[1]}, {count}", "CH"]
    remark = REMARKS.get(name, "")
    return [[*cells, number(printed), number(round(ours, 4), 3), remark, verdict(ours, printed, CLOSE)]]


def _all() -> tuple[Experiment, ...]:
    first = [Experiment(f"ReliefE {name}", partial(shape, name), True) for name in RELIEFE]
    second = [Experiment(f"SSL-Relief {name}", partial(hypothesis, name), True, name not in SLOW) for name in SSL]
    return (*first, *second)


SECTION = Section(
    "sets",
    "Properties of data sets, as two papers print them",
    ("set", "printed size", "ours", "number", "printed", "ours", "remark", "verdict"),
    _all(),
    "python -m benchmarks reproduce --sections sets",
)
