"""Functions of the product that take arrays, and what they may give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module

import numpy as np

from .outcome import Refused, Wrong
from .requests import features, target

METHOD = "method"


@dataclass(frozen=True)
class Face:
    """One function.

    function: called with the arguments, the options and a function for progress; gives the arrays whose values must be
    finite.  module: to be imported before.  ranks: whether it takes a request for a ranking; otherwise valid: makes
    arguments that it takes, and options: values by name.  sparse: whether X may be sparse.
    worded: whether refusals must be in the product's words.
    """

    function: Callable[[Sequence, Mapping, Callable], Sequence[object]]
    module: str = "orangecontrib.reliefe.core"
    ranks: bool = True
    valid: Callable[[np.random.Generator], list] | None = None
    options: Mapping[str, Sequence[object]] = field(default_factory=dict)
    sparse: bool = True
    worded: bool = True

    def imported(self) -> object:
        """The module: imports are no part of a case."""
        return import_module(self.module)


def call(face: Face, arguments: list, options: dict, work: Callable, again: list) -> None:
    """Call the product; `Wrong` for scores that are not finite, and for arguments that were changed.

    again: the arguments once more.
    """
    for scores in face.function(arguments, options, work):
        scores = np.asarray(scores)
        if scores.dtype.kind != "f" or not np.isfinite(scores).all():
            raise Wrong(f"scores of type {scores.dtype}: {scores.ravel()[:8]}", "not finite")
    for before, after in zip(again, arguments, strict=True):
        if after is np.ma.masked or not isinstance(after, np.ndarray) or after.dtype == object:
            continue
        if before.tobytes() != after.tobytes():
            raise Wrong("an argument was changed", "changed")


def _asked(options: Mapping[str, object], work: Callable, **more: object) -> dict[str, object]:
    """Keyword arguments of `rank`."""
    own = options.get("parameters") or {}
    return {"progress": work, **{k: v for k, v in options.items() if k != "parameters"}, **own, **more}


def _core() -> object:
    return import_module("orangecontrib.reliefe.core")


def _rank(given: Sequence, options: Mapping, work: Callable) -> list:
    ranking = _core().rank(*given, **_asked(options, work))
    return [ranking.scores, *([] if ranking.per_target is None else [ranking.per_target])]


def _refine(given: Sequence, options: Mapping, work: Callable) -> list:
    return [ranking.scores for ranking in _core().refine(*given, **_asked(options, work))]


def _null_level(given: Sequence, options: Mapping, work: Callable) -> list:
    return [_core().null_level(*given, **_asked(options, work, n_shuffles=2)).maxima]


def _significance(given: Sequence, options: Mapping, work: Callable) -> list:
    found = _core().significance(*given, **_asked(options, work, n_shuffles=3))
    shares = np.array([found.p, found.q, found.family_wise, found.own_p])
    if np.isnan(found.z).any() or not ((shares > 0) & (shares <= 1)).all():
        raise Wrong(f"z {found.z}, p-values {shares}", "p-values")
    return []


def _ensemble(given: Sequence, options: Mapping, work: Callable) -> list:
    asked = {k: v for k, v in _asked(options, work).items() if k != METHOD}
    ensemble = _core().grow(*given, **{"n_trees": 2, **asked})
    return [ranking.scores for ranking in ensemble.rankings().values()]


def _ranker(given: Sequence, options: Mapping, work: Callable) -> list:
    kept = (METHOD, "nominal", "task", "random_state", "n_jobs", "parameters")
    estimators = import_module("orangecontrib.reliefe.core.estimators")
    found = estimators.ReliefRanker(**{k: v for k, v in options.items() if k in kept}).fit(*given)
    found.transform(given[0])
    return [found.scores_]


def _forest_ranker(given: Sequence, options: Mapping, work: Callable) -> list:
    kept = ("nominal", "task", "hierarchy", "random_state", "n_jobs")
    estimators = import_module("orangecontrib.reliefe.core.estimators")
    found = estimators.ForestRanker(n_trees=2, **{k: v for k, v in options.items() if k in kept}).fit(*given)
    return [found.scores_, found.errors_]


def _predictor(name: str) -> Callable:
    def fit(given: Sequence, options: Mapping, work: Callable) -> list:
        kept = ("nominal", "random_state", "n_jobs")
        predictors = import_module("orangecontrib.reliefe.core.estimators")
        model = getattr(predictors, name)(n_trees=2, **{k: v for k, v in options.items() if k in kept}).fit(*given)
        predicted = np.asarray(model.predict(given[0]))
        return [model.feature_importances_, *([predicted] if predicted.dtype.kind == "f" else [])]

    return fit


def _table_rank(given: Sequence, options: Mapping, work: Callable) -> list:
    """Rank a table; codes without a value must be refused, or count as missing."""
    package = import_module("orangecontrib.reliefe")
    scores = package.rank(given[0], progress=work, **options).scores
    cleaned = _cleaned(given[0])
    if cleaned is not None and not np.array_equal(scores, package.rank(cleaned, **options).scores):
        raise Wrong("codes beyond the values of a variable are neither refused nor missing", "codes")
    return [scores]


def _cleaned(table: object) -> object | None:
    """The table with missing values for codes that no value belongs to; None where there are no such codes."""
    domain = table.domain
    counts = [len(v.values) if v.is_discrete else np.inf for v in (*domain.attributes, *domain.class_vars)]
    block = np.column_stack([table.X, table.Y]) if not hasattr(table.X, "tocsr") else None
    if block is None or block.dtype.kind != "f":
        return None
    wrong = (block < 0) & np.isfinite(counts) | (block >= np.array(counts))
    wrong |= (np.mod(block, 1) != 0) & np.isfinite(counts) & ~np.isnan(block)
    if not wrong.any():
        return None
    block = np.where(wrong, np.nan, block)
    p = len(domain.attributes)
    Y = block[:, p] if len(domain.class_vars) == 1 else block[:, p:]
    return type(table).from_numpy(domain, block[:, :p], Y, table.metas)


def _learner(given: Sequence, options: Mapping, work: Callable) -> list:
    models = import_module("orangecontrib.reliefe.orange.models")
    if not hasattr(given[0], "domain"):
        raise Refused("Orange's learners take tables only, and do not look")
    found = models.PCTLearner(n_trees=2)(given[0])(given[0], 0)
    return [np.asarray(found, float)]


def _scorer(given: Sequence, options: Mapping, work: Callable) -> list:
    scorers = import_module("orangecontrib.reliefe.orange.scorers")
    options = dict(options)
    return [scorers.scorer(options.pop(METHOD, "relieff"), **options)(given[0])]


def _a_table(rng: np.random.Generator) -> list:
    """A table with categories, some codes of which may have no value."""
    n, p = int(rng.integers(4, 12)), int(rng.integers(1, 5))
    X = {**features(rng, n, p), "!": "array"}
    X.pop("format", None)
    table = {"!": "table", "X": X, "Y": target(rng, "classification", n), "classes": int(rng.integers(2, 5))}
    values = np.array(X["values"])
    counts = {str(j): int(rng.integers(1, 6)) for j in range(p) if (np.mod(values[:, j], 1) == 0).all()}
    if rng.random() < 0.3:
        table["Y"], table["classes"] = target(rng, "multi-label", n), 2
    return [{**table, "categories": counts, "metas": int(rng.integers(0, 2))}]


OF_TABLES = {
    "random_state": (0, 1), "n_jobs": (1, None),
    METHOD: ("relieff", "multisurf", "auto", "urelief", "sslrelief", "pct", "boostedrelief", "relief", "surf"),
}  # fmt: skip
FACES = {
    "rank": Face(_rank),
    "refine": Face(_refine),
    "null_level": Face(_null_level),
    "significance": Face(_significance),
    "ensemble": Face(_ensemble),
    "ReliefRanker": Face(_ranker, "orangecontrib.reliefe.core.estimators"),
    "ForestRanker": Face(_forest_ranker, "orangecontrib.reliefe.core.estimators", sparse=False),
    "ForestClassifier": Face(_predictor("ForestClassifier"), "orangecontrib.reliefe.core.estimators", sparse=False),
    "ForestRegressor": Face(_predictor("ForestRegressor"), "orangecontrib.reliefe.core.estimators", sparse=False),
    "table": Face(_table_rank, "orangecontrib.reliefe.orange.api", False, _a_table, OF_TABLES),
    "scorer": Face(_scorer, "orangecontrib.reliefe.orange.scorers", False, _a_table, OF_TABLES),
    "learner": Face(_learner, "orangecontrib.reliefe.orange.models", False, _a_table, {"none": (None,)}),
}
