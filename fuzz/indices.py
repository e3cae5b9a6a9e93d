"""Sparse data whose index arrays lie: SciPy trusts them, and compiled code would read any memory."""

import numpy as np

from .faces import FACES, call
from .kinds import Action, Case
from .mutations import pick
from .outcome import REFUSED, Wrong
from .refusals import refusing
from .requests import features, request
from .values import decoded

LIES = (10**9, -1, -(10**9), 2**31 - 1, 10**4, 2**40)
METHODS = (
    "relieff",
    "multisurf",
    "rrelieff",
    "reliefe",
    "urelief",
    "sslrelief",
    "pct",
    "boostedrelief",
    "surf",
    "auto",
)
ASKED = ("rank", "refine", "null_level", "ensemble", "ReliefRanker", "ForestRanker", "ForestClassifier")


def make(rng: np.random.Generator) -> Case:
    """A case: {"face", "arguments": [X, y], "options", "where": which of the two lies}."""
    face = pick(ASKED, rng)
    X, y, options = request(rng, "pct" if face == "ensemble" else pick(METHODS, rng))
    n, place = len(X["values"]), "y" if rng.random() < 0.25 else "X"
    if place == "y":
        y = _lying((rng.random((n, 4)) < 0.5).astype(float), rng)
        options["task"] = "multi-label"
    else:
        X = _lying(np.nan_to_num(np.array(features(rng, n, 4)["values"])), rng)
    return {"face": face, "arguments": [X, y], "options": options}


def _lying(values: np.ndarray, rng: np.random.Generator) -> Case:
    """A sparse matrix with a wrong index or a wrong pointer, or with arrays that are too short."""
    values[0, 0] = values[-1, -1] = 1
    form = pick(("csr", "csc", "coo", "bsr", "lil", "dok"), rng)
    out = {"!": "sparse", "values": values.tolist(), "format": form, "matrix": bool(rng.random() < 0.5)}
    lie, stored = pick(LIES, rng), np.count_nonzero(values)
    if form == "coo":
        return {**out, "edits": [["coords", [int(rng.integers(2)), int(rng.integers(stored))], lie]]}
    if form == "dok":
        return {**out, "edits": [["_dict", pick(([0, lie], [lie, 0]), rng), 1.0]]}
    if form == "lil":
        return {**out, "edits": [["rows", pick(([0, 0], [len(values) - 1, -1]), rng), lie]]}
    kind = rng.random()
    if kind < 0.5:
        return {**out, "edits": [["indices", int(rng.integers(stored)) if form != "bsr" else 0, lie]]}
    if kind < 0.8:
        return {**out, "edits": [["indptr", pick((0, 1, -1), rng), lie]]}
    cut = pick(("indices", "data", "indptr"), rng)
    if (cut, form) == ("indices", "bsr"):  # of one block, [0] would be right
        return {**out, "parts": {cut: {"!": "array", "values": [], "dtype": "int32"}}}
    return {**out, "parts": {cut: {"!": "array", "values": [[[0]]] if (cut, form) == ("data", "bsr") else [0]}}}


def prepare(case: Case) -> Action:
    """Make the values; the action must be refused."""
    arguments, options = decoded(case["arguments"]), decoded(case["options"])
    face = FACES[case["face"]]
    face.imported()

    def action() -> None:
        with refusing():
            call(face, arguments, options, lambda share: None, arguments)
        raise Wrong("index arrays that lie were not refused", f"not {REFUSED}")

    return action
