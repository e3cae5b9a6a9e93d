"""Arguments of scikit-learn's estimators as the core takes them: features, seeds, and parameters of a method.

All rankers and forests of this room check what they are given by these functions.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from ..checks import whole
from ..data.arrays import numbers, plain
from ..data.frames import is_frame
from ..words import cut, shown

MAX_CHARACTERS = 300  # characters of a message of scikit-learn, which may repeat all of what it was given
MAX_SEED = np.iinfo(np.int32).max  # bound of seeds that are drawn from a RandomState


def plain_features(X: object) -> object:
    """Return X without masks and classes of containers; masked values are NaN."""
    return numbers(X, "X") if isinstance(X, np.ma.MaskedArray) else plain(X, "X")


def checked_features(estimator: BaseEstimator, X: object, reset: bool = True, **options: object) -> Any:
    """Check X as scikit-learn does, and return it as an array, a sparse matrix or a frame.

    Parameters
    ----------
    estimator : BaseEstimator
        Estimator that is fitted or asked.
    X : object
        Data of a caller. Of frames the types of columns are kept, which show nominal ones.
    reset : bool
        True to note names and number of features in the estimator, False to compare X with them.
    **options
        Further ones of scikit-learn's `validate_data`.
    """
    X = plain_features(X)
    if is_frame(X):
        with short_messages():
            validate_data(estimator, X, skip_check_array=True, reset=reset)
        return X
    formats = "csr" if estimator.__sklearn_tags__().input_tags.sparse else False
    with short_messages():
        return validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse=formats,
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            **options,
        )


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
