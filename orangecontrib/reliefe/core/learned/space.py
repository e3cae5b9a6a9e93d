"""A space of neighbours."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..relief.formats.lists import Neighbours, OwnMeans
from .rows import Rows


@dataclass(frozen=True)
class Space:
    """Neighbours by some distance, and the scores that they give."""

    near: Neighbours  # lists of the nearest rows
    rows: Rows | None = None  # distances that the lists are by; None where nobody looks up neighbours anew
    scores: np.ndarray | None = None  # as the run orders features
    weights: np.ndarray | None = None  # of the features in the distance; None: all weigh 1
    # Features that have neighbours of their own
    heavy: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    means: OwnMeans | None = None  # theirs
    diagnostics: tuple[dict[str, Any], ...] = ()  # of each round, plain literals
