"""Preparation of ReliefE: embeddings of the rows, and of label sets.

`ReliefE.prepare` calls `prepare` once for the true target, and permuted targets share the result. Representatives, a
sample of the rows, determine the dimension and the embedding; then all rows are embedded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..embedding import density, embed, intrinsic_dimension, matrix, representatives, sparsify
from ..targets.label_distances import COORDINATES
from .base import MethodInput

SPARSIFY_ABOVE = 0.15  # share of non-zeros above which the paper sparsifies
MIN_ROWS = 100  # below which users are warned; chosen by eye
MIN_DENSITY = 0.05  # share of non-zeros of sparse data below which users are warned; chosen by eye
MAX_UNREDUCED = 3  # features, up to which nothing is embedded
DIMENSION_SHARE = 0.1  # of the work of an embedding; chosen by eye


@dataclass
class PreparedEmbeddings:
    """Embeddings of n rows, and facts about them.

    Attributes
    ----------
    spaces : list of (n, d) arrays
        Coordinates of the rows, an array for each repeat. Empty: rows are compared by the features themselves.
    labels : (n, d) array, optional
        Coordinates of the label sets of the rows, if their distance needs these.
    info : dict
        Facts, as plain literals; entries of `Ranking.info`.
    warnings : list of str
        Sentences on what is doubtful.
    information : list of str
        Sentences on what is harmless.
    """

    spaces: list[np.ndarray] = field(default_factory=list)
    labels: np.ndarray | None = None
    info: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    information: list[str] = field(default_factory=list)


def prepare(data: MethodInput[PreparedEmbeddings]) -> PreparedEmbeddings:
    """Embed rows and label sets as the parameters say.

    Parameters
    ----------
    data : MethodInput
        Table, target and checked parameters.

    Returns
    -------
    PreparedEmbeddings
        The embeddings.
    """
    target = data.target
    parameters = data.parameters
    n = data.table.shape[0]
    prepared = PreparedEmbeddings()

    # Representatives are stratified by class, or by label set.
    groups = target.classes if target.sets is None else target.sets
    rows = representatives(groups, parameters["n_representatives"], data.random_state)
    if target.sets is not None and parameters["target_distance"] in tuple(COORDINATES):
        prepared.labels = _embedded_label_sets(data, rows)
    prepared.info |= {
        "embedding": "none",
        "dimension": None,
        "dimension_estimate": None,
        "representatives": len(rows),
        "density_before": None,
        "density_after": None,
    }
    if n < MIN_ROWS:
        prepared.warnings.append(f"only {n} rows: with so few, rankings vary from sample to sample")

    # Embedding: coordinates of the user, none, or a method.
    embedding = parameters["embedding"]
    if isinstance(embedding, np.ndarray):
        prepared.info |= {"embedding": "coordinates", "dimension": embedding.shape[1]}
        prepared.spaces.append(embedding)
    elif embedding is not None:
        _embed_rows(data, groups, rows, prepared)
    return prepared


def _embedded_label_sets(data: MethodInput[PreparedEmbeddings], rows: np.ndarray) -> np.ndarray:
    """Coordinates (n, d) of the label sets, in as many dimensions as the different sets of the representatives have."""
    seed = data.random_state
    Y = data.target.columns[0]
    estimate = intrinsic_dimension(np.unique(Y[rows], axis=0), random_state=seed)
    d = max(min(estimate.dimension, Y.shape[1], len(rows) - 2), 1)
    metric = "hyperboloid" if data.parameters["target_distance"] == "hyperbolic" else "euclidean"
    embedding = embed(Y, rows, d, "umap", output_metric=metric, random_state=seed, progress=data.work.report)
    return embedding.coordinates


def _embed_rows(
    data: MethodInput[PreparedEmbeddings], groups: np.ndarray, rows: np.ndarray, prepared: PreparedEmbeddings
) -> None:
    """Add embeddings of all rows, and facts about them, to `prepared`.

    Parameters
    ----------
    data : MethodInput
        Table and parameters.
    groups : (n,) int array
        Codes of classes or label sets.
    rows : (m,) int array
        Indices of the representatives.
    prepared : PreparedEmbeddings
        Preparation so far, to which is added.
    """
    parameters = data.parameters
    work = data.work
    info = prepared.info
    warnings = prepared.warnings
    method = parameters["embedding"]
    M = matrix(data.table, work=work)
    if len(np.unique(groups)) > len(rows):
        warnings.append(f"there are more classes or label sets than the {len(rows):,} rows that are embedded")
    sample = M if len(rows) == M.shape[0] else M[rows]
    info["density_before"] = density(sample)
    if sparse.issparse(M) and info["density_before"] < MIN_DENSITY:
        warnings.append("on sparse data, for example texts, an embedding hides much. Compare with other methods")
    d = _dimension(data, sample, prepared)
    if d is None:
        return

    # Sparsify the sample that the embedding is fitted to.
    fit_matrix = None
    is_dense_enough = parameters["sparsify"] == "auto" and info["density_before"] > SPARSIFY_ABOVE
    if parameters["sparsify"] == "yes" or is_dense_enough:
        # The result is dense if M is, as it replaces rows of M.
        sparsified = work.aside(partial(sparsify, sample, random_state=data.random_state, dense=not sparse.issparse(M)))
        info["density_after"] = sparsified.after
        fit_matrix = sparsified.X
        del sparsified
    del sample

    # Embed all rows, with other seeds in each repeat.
    info |= {"embedding": method if isinstance(method, str) else type(method).__name__, "dimension": d}
    n_repeats = parameters["n_repeats"] if method != "pca" else 1  # principal components do not depend on the seed
    for repeat in range(n_repeats):

        def report(share: float, repeat: int = repeat) -> None:
            work.report((repeat + share) / n_repeats)

        seed = data.random_state + repeat
        embedding = embed(M, rows, d, method, fit_matrix=fit_matrix, random_state=seed, progress=report)
        prepared.spaces.append(embedding.coordinates)
        warnings.extend(note for note in embedding.notes if note not in warnings)


def _dimension(
    data: MethodInput[PreparedEmbeddings], sample: np.ndarray | sparse.csr_array, prepared: PreparedEmbeddings
) -> int | None:
    """Dimension of the embedding, or None if it would not reduce the number of features.

    Parameters
    ----------
    data : MethodInput
        Table and parameters.
    sample : (m, q) array
        Representatives, with a column for each category of a nominal feature.
    prepared : PreparedEmbeddings
        Preparation so far, to which facts and sentences are added.
    """
    requested = data.parameters["dimension"]
    p = data.table.shape[1]
    m, q = sample.shape
    if requested != "auto":
        d = min(requested, q - 1, m - 2)
        if d < requested:
            prepared.information.append(f"the data allow {max(d, 0)} dimensions, not {requested}")
        return d if d >= 1 else None
    report: Callable[[float], None] = lambda share: data.work.report(DIMENSION_SHARE * share)  # noqa: E731
    estimate = intrinsic_dimension(sample, random_state=data.random_state, progress=report)
    prepared.info["dimension_estimate"] = float(estimate.estimate)
    if estimate.note:
        prepared.warnings.append(estimate.note)
    d = min(estimate.dimension, m - 2)
    if d >= p or p <= MAX_UNREDUCED or d < 1:
        prepared.info["dimension"] = int(estimate.dimension)
        prepared.information.append(
            f"the dimension, {estimate.dimension}, is not below the number of features, {p}: nothing is embedded"
        )
        return None
    if d == 1:
        prepared.warnings.append("the dimension is 1: rows are near duplicates of each other, or lie on a line")
    return cast("int", min(d, q - 1))
