"""Computations that are stopped at random moments: how long the answer takes, and whether the next one is solved."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from .compiling import compile_seconds
from .kinds import Action, Case
from .mutations import pick
from .outcome import Late, Wrong
from .refusals import place_of
from .values import decoded

PROMISED = 2.0  # seconds from the stop to the answer that no case may need, also on a busy machine
NEXT = 10.0  # seconds for the small problem afterwards
FIRST, LAST = -2.5, 0.5  # powers of ten of the seconds until the stop
SMALL = (60, 8)
WARM = ((60, 100), (400, 20))  # shapes that are solved before
METHODS = (
    ("reliefe", {"embedding": "pca"}), ("reliefe", {"embedding": None}), ("reliefe", {"embedding": "umap"}),
    ("relieff", {}), ("rrelieff", {}), ("multisurf", {}), ("surfstar", {}), ("urelief", {}), ("sslrelief", {}),
    ("pct", {"n_trees": 200}), ("pct", {"n_trees": 50, "score": "rforest"}), ("boostedrelief", {}),
    ("learnedrelief", {}), ("boostedlearnedrelief", {}),
)  # fmt: skip
SHAPES = ((1000, 50), (3000, 200), (300, 5000), (8000, 500))


def make(rng: np.random.Generator) -> Case:
    """A case: {"method", "parameters", "shape", "form", "seed", "after": seconds, "face", "n_jobs"}."""
    method, own = pick(METHODS, rng)
    return {
        "method": method,
        "parameters": own,
        "shape": list(pick(SHAPES, rng)),
        "form": pick(("dense", "csr", "missing"), rng),
        "seed": int(rng.integers(1000)),
        "after": float(10 ** rng.uniform(FIRST, LAST)),
        "face": pick(("rank", "refine", "null_level"), rng),
        "n_jobs": pick((1, 2, None), rng),
    }


def prepare(case: Case) -> Action:
    """The data, the small problem, solved once, and code that is loaded.

    The action stops the large one and solves the small one again.
    """
    X, y = _data(case)
    method, own, n_jobs = case["method"], decoded(case["parameters"]), case["n_jobs"]
    small = _small(method, tuple(own.items()))
    _warm(case["face"], case["form"], case["n_jobs"], method, tuple(own.items()))

    def action() -> Mapping[str, float]:
        answered = _stopped(case["face"], case["after"], X, y, method, own, n_jobs)
        start = Moment.now()
        again = _solve(method, own)
        after = start.seconds
        if not np.array_equal(again, small):
            raise Wrong("after a stop the scores of the small problem are others", f"{method} scores")
        if after > NEXT:
            raise Late(f"after a stop a small problem took {after:.1f} s", f"{method} next")
        if answered is not None and answered > PROMISED:
            raise Late(f"the answer to a stop took {answered:.2f} s", f"{method} answer")
        return {"seconds of the next problem": after} | (
            {} if answered is None else {"seconds to the answer": answered}
        )

    return action


@dataclass(frozen=True)
class Moment:
    """A time, by the clock and by what this process has used; both without compilation."""

    clock: float
    used: float

    @classmethod
    def now(cls) -> "Moment":
        """This moment."""
        compiled = compile_seconds()
        return cls(time.perf_counter() - compiled, time.process_time() - compiled)

    @property
    def seconds(self) -> float:
        """Time since then: by the clock, but no more than this process has used, for others may be at work, too."""
        now = Moment.now()
        return max(min(now.clock - self.clock, now.used - self.used), 0.0)


def _data(case: Case) -> tuple[object, np.ndarray]:
    from scipy import sparse

    (n, p), rng = case["shape"], np.random.default_rng(case["seed"])
    if case["form"] == "csr":
        X = sparse.random(n, p, 0.02, "csr", random_state=rng, data_rvs=rng.random)
        return X, (np.asarray(X[:, : p // 2].sum(axis=1)).ravel() > p / 200).astype(int)
    X = rng.random((n, p))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    if case["form"] == "missing":
        X[rng.random((n, p)) < 0.05] = np.nan
    return X, y


@cache
def _warm(face: str, form: str, n_jobs: int | None, method: str, own: tuple) -> None:
    """Compile and load what the large problem needs: a program that has just begun need not answer at once."""
    for shape in WARM:
        X, y = _data({"shape": shape, "form": form, "seed": 0})
        _stopped(face, np.inf, X, y, method, dict(own), n_jobs)


def _target(method: str, y: np.ndarray) -> np.ndarray | None:
    if method == "urelief":
        return None
    return y.astype(float) if method == "rrelieff" else y


@cache
def _small(method: str, own: tuple) -> np.ndarray:
    """Scores of the small problem, as they are before any stop."""
    return _solve(method, dict(own))


def _solve(method: str, own: dict) -> np.ndarray:
    from orangecontrib.reliefe.core import rank

    rng = np.random.default_rng(0)
    X = rng.random(SMALL)
    return rank(X, _target(method, (X[:, 0] > 0.5).astype(int)), method, **own).scores


def _stopped(
    face: str, after: float, X: object, y: np.ndarray, method: str, own: dict, n_jobs: int | None
) -> float | None:
    """Seconds from the stop to the answer; None where the work was done before."""
    from orangecontrib.reliefe import core

    function: Callable = getattr(core, face)
    start, last = Moment.now(), [Moment.now()]

    def progress(share: float) -> None:
        now = Moment.now()
        if now.clock - start.clock >= after:
            raise core.Interrupted
        last[0] = now

    try:
        found = function(X, _target(method, y), method, progress=progress, n_jobs=n_jobs, **own)
        if face == "refine":
            list(found)
    except core.Interrupted:
        return Moment(start.clock + after, last[0].used).seconds
    except (ValueError, TypeError) as error:
        raise Wrong(f"refused: {error}", f"{method} {place_of(error)}") from error
    return None
