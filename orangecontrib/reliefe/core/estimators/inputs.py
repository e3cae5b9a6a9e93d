"""Arguments of scikit-learn's estimators as the core takes them: features, seeds, and parameters of a method.

All rankers and forests of this room check what they are given by these functions.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from ..checks import whole
from ..data.arrays import numbers, plain
from ..data.facts import one_row, refuse_empty, refuse_infinite
from ..data.frames import is_frame
from ..words import cut, shown

MAX_CHARACTERS = 300  # characters of a message of scikit-learn, which may repeat all of what it was given
MAX_SEED = np.iinfo(np.int32).max  # bound of seeds that are drawn from a RandomState


def plain_features(X: object) -> object:
    """Return X without masks and classes of containers; masked values are NaN."""
    return numbers(X, "X") if isinstance(X, np.ma.MaskedArray) else plain(X, "X")


def checked_features(estimator: BaseEstimator, X: object, reset: bool = True, min_rows: int = 1) -> Any:
    """Check X as scikit-learn does, and return it as an array, a sparse matrix or a frame.

    Parameters
    ----------
    estimator : BaseEstimator
        Estimator that is fitted or asked.
    X : object
        Data of a caller. Of frames the types of columns are kept, which show nominal ones.
    reset : bool
        True to note names and number of features in the estimator, False to compare X with them.
    min_rows : int
        Number of rows that the estimator needs, 1 or 2.

    Raises
    ------
    ValueError
        If X cannot be read, has no features or too few rows, or others than the estimator knows.
    """
    X = plain_features(X)
    _refuse_few(X, min_rows)
    if is_frame(X):
        with short_messages():
            validate_data(estimator, X, skip_check_array=True, reset=reset)
        return X
    formats = "csr" if estimator.__sklearn_tags__().input_tags.sparse else False
    with short_messages():
        values = validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse=formats,
            dtype=np.float64,
            ensure_all_finite=False,
        )
    _refuse_infinite(values)
    return values


def _refuse_infinite(X: Any) -> None:
    """Raise ValueError for infinite values in an array or a CSR matrix (n, p)."""
    values = X.data if issparse(X) else X
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):
            return
    is_infinite = np.isinf(values)
    refuse_infinite(np.unique(X.indices[is_infinite]) if issparse(X) else np.flatnonzero(is_infinite.any(axis=0)))


def _refuse_few(X: Any, min_rows: int) -> None:
    """Raise ValueError for a table without features or with too few rows, in the words that scikit-learn asks for."""
    shape: Any = getattr(X, "shape", None)
    if shape is None or len(shape) != 2:
        return
    n, p = shape
    empty_axis = "sample" if p else "feature"
    refuse_empty(shape, detail=f": 0 {empty_axis}(s) (shape={shape}) while a minimum of 1 is required.")
    if n < min_rows:
        raise ValueError(f"{one_row()} (n_samples = {n})")


@contextmanager
def short_messages() -> Iterator[None]:
    """Cut long messages of errors within the context: scikit-learn repeats all of what it was given."""
    try:
        yield
    except OverflowError:
        raise ValueError("X has numbers that are too large") from None
    except (ValueError, TypeError) as error:
        if len(str(error)) <= MAX_CHARACTERS:
            raise
        raise type(error)(cut(error, MAX_CHARACTERS)) from None


def parameters_of(parameters: object) -> dict[str, Any]:
    """Read the argument `parameters` of an estimator, those of its method; raises TypeError unless a dict or None."""
    if parameters is not None and not isinstance(parameters, Mapping):
        raise TypeError(f"parameters must be a dict or None, not {shown(parameters)}")
    return {} if parameters is None else dict(parameters)


def seed_of(random_state: object) -> int:
    """Read the argument `random_state`: a seed, or a generator or None, of which a seed is drawn."""
    if random_state is None or random_state is np.random or isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(MAX_SEED))
    return whole("random_state", random_state, 0)
