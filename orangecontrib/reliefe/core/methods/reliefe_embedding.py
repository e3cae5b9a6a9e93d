"""Preparation of ReliefE: representatives, their density and dimension, embeddings of rows and labels."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
from scipy import sparse

from ..data.table import DataTable
from ..embedding import density, embed, intrinsic_dimension, matrix, representatives, sparsify
from ..parallel import Work
from ..targets.labels import COORDINATES
from ..targets.targets import Target

SPARSIFY_ABOVE = 0.15  # share of non-zeros above which the paper sparsifies
MIN_ROWS, MIN_DENSITY = 100, 0.05  # rows, and share of non-zeros of sparse data, below which users are warned


@dataclass(frozen=True)
class Prepared:
    """Embeddings, and facts about them."""

    # (n, d): coordinates of the rows, one for each repeat; empty: the features themselves
    spaces: tuple[np.ndarray, ...] = ()
    labels: np.ndarray | None = None  # (n, d): coordinates of the label sets
    info: dict[str, Any] = field(default_factory=dict)  # facts, as plain literals
    warnings: tuple[str, ...] = ()  # sentences for users, of what is doubtful and of what is harmless
    information: tuple[str, ...] = ()


def prepare(table: DataTable, target: Target, values: dict[str, Any], random_state: int, work: Work) -> Prepared:
    """Prepare all that does not depend on which rows are targets: coordinates of the rows, and of label sets."""
    warnings: list[str]
    information: list[str]
    how, warnings, information = values["embedding"], [], []
    sets = target.sets
    groups = target.classes if sets is None else sets
    rows = representatives(groups, values["n_representatives"], random_state)
    labels = None
    if sets is not None and values["target_distance"] in tuple(COORDINATES):
        labels = _label_space(target, values["target_distance"], rows, random_state, work)
    info: dict[str, Any] = {
        "embedding": "none",
        "dimension": None,
        "dimension_estimate": None,
        "representatives": len(rows),
        "density_before": None,
        "density_after": None,
    }
    if table.shape[0] < MIN_ROWS:
        warnings.append(f"only {table.shape[0]} rows: with so few, rankings vary from sample to sample")
    if how is None:
        return Prepared((), labels, info, tuple(warnings))
    if isinstance(how, np.ndarray):
        info |= {"embedding": "coordinates", "dimension": how.shape[1]}
        return Prepared((how,), labels, info, tuple(warnings))
    spaces = _spaces(table, groups, rows, values, random_state, work, info, warnings, information)
    return Prepared(spaces, labels, info, tuple(warnings), tuple(information))


def _spaces(
    table: DataTable,
    groups: np.ndarray,
    rows: np.ndarray,
    values: dict[str, Any],
    random_state: int,
    work: Work,
    info: dict[str, Any],
    warnings: list[str],
    information: list[str],
) -> tuple[np.ndarray, ...]:
    """Embeddings; facts are added to `info`, `warnings` and `information`."""
    M, p, how = matrix(table, work=work), table.shape[1], values["embedding"]
    if len(np.unique(groups)) > len(rows):
        warnings.append(f"there are more classes or label sets than the {len(rows):,} rows that are embedded")
    sample = M if len(rows) == M.shape[0] else M[rows]
    info["density_before"] = density(sample)
    if sparse.issparse(M) and info["density_before"] < MIN_DENSITY:
        warnings.append("on sparse data such as texts an embedding hides much; compare with other methods")
    d = _dimension(sample, p, values["dimension"], random_state, work, info, warnings, information)
    if d is None:
        return ()
    fitted = None
    if values["sparsify"] == "yes" or (values["sparsify"] == "auto" and info["density_before"] > SPARSIFY_ABOVE):
        alike: dict[str, Any] = {
            "random_state": random_state,
            "dense": not sparse.issparse(M),
        }  # M, which it stands for
        thin = work.aside(partial(sparsify, sample, **alike))
        info["density_after"], fitted = thin.after, thin.X
        del thin
    del sample
    info |= {"embedding": how if isinstance(how, str) else type(how).__name__, "dimension": d}
    repeats = values["n_repeats"] if how != "pca" else 1
    spaces = []
    for repeat in range(repeats):

        def share(part: float, repeat: int = repeat) -> None:
            work.report((repeat + part) / repeats)

        found = embed(M, rows, d, how, fit_matrix=fitted, random_state=random_state + repeat, progress=share)
        spaces.append(found.coordinates)
        warnings.extend(note for note in found.notes if note not in warnings)
    return tuple(spaces)


def _dimension(
    sample: np.ndarray | sparse.csr_array,
    p: int,
    wanted: int | str,
    random_state: int,
    work: Work,
    info: dict[str, Any],
    warnings: list[str],
    information: list[str],
) -> int | None:
    """Dimension of the embedding, or None if it would not reduce the number of features."""
    if wanted != "auto":
        d = min(cast("int", wanted), sample.shape[1] - 1, sample.shape[0] - 2)
        if d < cast("int", wanted):
            information.append(f"the data allow {max(d, 0)} dimensions, not {wanted}")
        return d if d >= 1 else None
    found = intrinsic_dimension(sample, random_state=random_state, progress=lambda share: work.report(0.1 * share))
    info["dimension_estimate"] = float(found.estimate)
    if found.note:
        warnings.append(found.note)
    d = min(found.dimension, sample.shape[0] - 2)
    if d >= p or p <= 3 or d < 1:
        info["dimension"] = int(found.dimension)
        information.append(
            f"the dimension, {found.dimension}, is not below the number of features, {p}: nothing is embedded"
        )
        return None
    if d == 1:
        warnings.append("the dimension is 1: rows are near duplicates of each other, or lie on a line")
    return cast("int", min(d, sample.shape[1] - 1))


def _label_space(target: Target, distance: str, rows: np.ndarray, random_state: int, work: Work) -> np.ndarray:
    """Coordinates (n, d) of the label sets; d is that of the sets that differ."""
    Y, _ = target.columns
    found = intrinsic_dimension(np.unique(Y[rows], axis=0), random_state=random_state)
    d = max(min(found.dimension, Y.shape[1], len(rows) - 2), 1)
    output = "hyperboloid" if distance == "hyperbolic" else "euclidean"
    return embed(Y, rows, d, "umap", output_metric=output, random_state=random_state, progress=work.report).coordinates
