"""Sparse matrices whose index arrays lie, given to everything that takes one.

    python -m orangecontrib.reliefe.tests.hostile csr csc

prints each case before it is tried, so that the last line tells which one ended the process.
"""

import sys
from itertools import product

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from scipy import sparse

from orangecontrib.reliefe.core import Ensemble, rank
from orangecontrib.reliefe.core import embedding as space
from orangecontrib.reliefe.core import evaluation as judge
from orangecontrib.reliefe.core.estimators import ForestRanker, ForestRegressor, ReliefRanker
from orangecontrib.reliefe.orange import api

N, P, FAR = 12, 6, 10**9
X = np.kron(np.random.default_rng(0).integers(0, 2, (N // 2, P // 2)), np.ones((2, 2)))
X[0] = X[:, 0] = 1
Y = np.arange(N) % 2
FORMATS = ("csr", "csc", "coo", "bsr", "lil", "dok", "dia")


def put(name, value, place=None):
    """Changes an index array: in its place, or as a whole."""

    def change(A):
        array = getattr(A, name)
        if place is None:
            setattr(A, name, value(array))
        else:
            array[place] = value

    return change


def entry(A):
    A.rows[0][-1] = FAR


def negative_entry(A):
    A.rows[0][0] = -FAR


def fewer_values(A):
    A.data[1] = A.data[1][:-1]


def key(A):
    A._dict[FAR, 0] = 1.0


def negative_key(A):
    A._dict[0, -FAR] = 1.0


COMPRESSED = {
    "index": put("indices", FAR, 0),
    "last index": put("indices", P * N, -1),
    "negative index": put("indices", -FAR, 0),
    "falling pointers": put("indptr", FAR, 1),
    "negative pointer": put("indptr", -FAR, 1),
    "first pointer": put("indptr", 1, 0),
    "last pointer": put("indptr", FAR, -1),
    "few pointers": put("indptr", lambda a: a[:-1].copy()),
    "many pointers": put("indptr", lambda a: np.append(a, a[-1])),
    "few indices": put("indices", lambda a: a[:-1].copy()),
    "few values": put("data", lambda a: a[:-1].copy()),
    "fractions": put("indices", lambda a: a + 0.5),
    "pointers in two dimensions": put("indptr", lambda a: a[None]),
}
CASES = {
    "csr": COMPRESSED,
    "csc": COMPRESSED,
    "bsr": COMPRESSED | {"blocks": put("data", lambda a: np.ones((len(a), 5, 5)))},
    "coo": {
        "row": put("row", FAR, 0),
        "negative column": put("col", -FAR, 0),
        "few values": put("data", lambda a: a[:-1].copy()),
    },
    "lil": {"index": entry, "negative index": negative_entry, "few values": fewer_values},
    "dok": {"key": key, "negative key": negative_key},
    "dia": {
        "offset": put("offsets", FAR, 0),
        "equal offsets": put("offsets", lambda a: a * 0),
        "few offsets": put("offsets", lambda a: a[:-1].copy()),
    },
}


Table.LOCKING = True  # or Orange makes an array of sparse targets, before anybody can check them


def made(kind, values=X):
    """A matrix of this format, as it should be."""
    A = sparse.csr_array(values)
    return A.tobsr((2, 2)) if kind == "bsr" else A.asformat(kind)


def table(A, target=False):
    """A table whose features, or targets, are A."""
    names = [DiscreteVariable(f"y{k}", values=("no", "yes")) for k in range(P)]
    out = Table.from_numpy(Domain([ContinuousVariable(f"x{k}") for k in range(P)], names), X, X)
    with out.unlocked():
        setattr(out, "Y" if target else "X", A)
    return out


def faces():
    """name -> what takes a matrix."""
    fitted, one = ReliefRanker("relieff").fit(X, Y), [(np.arange(6), np.arange(6, 12))]
    forest, near = Ensemble.of(X, Y, n_trees=3).grow(), np.array([[0, 1]])
    return {
        "rank": lambda A: rank(A, Y, "relieff"),
        "labels": lambda A: rank(X, A, "rrelieff", task="multi-label"),
        "hierarchy": lambda A: rank(X, A, "sslrelief", hierarchy=[()] * P),
        "fit": lambda A: ReliefRanker("relieff").fit(A, Y),
        "fit to labels": lambda A: ReliefRanker("rrelieff", task="multi-label").fit(X, A),
        "transform": fitted.transform,
        "forest": lambda A: ForestRanker(n_trees=3).fit(A, Y),
        "regressor": lambda A: ForestRegressor(n_trees=3).fit(A, Y),
        "model": forest.model().predict,
        "intrinsic_dimension": space.intrinsic_dimension,
        "sparsify": space.sparsify,
        "density": space.density,
        "density_curve": space.density_curve,
        "spectral_error": lambda A: space.spectral_error(X, A),
        "embed": lambda A: space.embed(A, np.arange(6), 2, "pca"),
        "fit_matrix": lambda A: space.embed(X, np.arange(N), 2, "pca", fit_matrix=A),
        "quality_curve": lambda A: judge.quality_curve(lambda X, y: X.shape[1] * [1.0], A, Y, parts=one),
        "quality of labels": lambda A: judge.quality_curve(lambda X, y: P * [1.0], X, A, "multi-label", parts=one),
        "convergence": lambda A: judge.convergence(lambda m, X, y: P * [1.0], [2, 4], A, Y, parts=one),
        "stability_selection": lambda A: judge.stability_selection(lambda X, y: P * [1.0], A, Y, 2),
        "clustering_hypothesis": lambda A: judge.clustering_hypothesis(A, Y),
        "references": lambda A: judge.references()["f-score"](A, Y),
        "RowSpace": judge.RowSpace.fit,
        "weighted_knn": lambda A: judge.weighted_knn(A, Y, A, np.ones(P), 2),
        "weighted_knn of labels": lambda A: judge.weighted_knn(X, A, X, np.ones(P), 2),
        "mean": lambda A: judge.mean(A, near),
        "rrmse": lambda A: judge.rrmse(A, X),
        "reconstruction": lambda A: judge.reconstruction(A, A, np.arange(2)),
        "table": lambda A: api.rank(table(A), "relieff", target="y1"),
        "table of labels": lambda A: api.rank(table(A, True), "rrelieff"),
    }


def main(*kinds):
    """Returns what was not refused."""
    wrong, takers = [], faces()
    for kind, (name, face) in product(kinds, takers.items()):
        for case, change in CASES[kind].items():
            sys.stdout.write(f"{kind}, {case}: {name}\n")
            sys.stdout.flush()
            A = made(kind)
            change(A)
            try:
                face(A)
            except (ValueError, TypeError):
                continue
            wrong.append(f"{kind}, {case}: {name}")
    return wrong


if __name__ == "__main__":
    sys.exit("\n".join(main(*sys.argv[1:])) or 0)
