"""Global part of margins: for every row and other class, how much nearer a feature's value is to the mean of its own
class than to that of the other one, over all rows instead of neighbours.

Numeric features are taken by midranks, so that no scale and no value that is far off matters; of nominal ones shares of
their values are compared.  A feature that tells nothing of the classes alone would add noise to what its neighbours
say of it: a gate takes its global part away, unless a test of the classes gives more than the best of as many useless
features reaches about once.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from ..data.features import aligned
from ..parallel import n_parts
from ..relief.run import Run
from .class_margins import chi_square, kruskal_wallis, nominal_margins, numeric_margins
from .midranks import columns, standardised

MOST_PROBABLE = 0.5  # level of the gate where there are few features
SORTED = 16  # operations, about, that sorting costs for each value


@dataclass(frozen=True)
class Ranked:
    """Standardised midranks of some numeric features, or codes of nominal ones, and what they tell of the classes.

    Attributes
    ----------
    chosen : (c,) int array
        Features, as the run numbers them, ascending.
    cut : int
        Number of numeric ones, which come first.
    z : (c, n) array
        Midranks less their mean, over their standard deviation; codes from 0; NaN where they are unknown.
    gates : (c,) array
        Shares of the global part that count, from 0 to 1.
    statistics : (c, 2) array
        Of the test of the classes (Kruskal and Wallis; chi-square), and its degrees of freedom.
    sizes : (c,) array
        Sums of the squares of all margins, before the gate.
    """

    part: "GlobalPart"
    chosen: np.ndarray
    cut: int
    z: np.ndarray
    gates: np.ndarray
    statistics: np.ndarray
    sizes: np.ndarray

    def margins(self, places: np.ndarray) -> np.ndarray:
        """Margins (len(places), R) of the features at some places, ascending, times their gates."""
        run, n_classes = self.part.run, self.part.run.n_groups
        count = len(places)
        out = aligned((count, run.m * (n_classes - 1)), run.features.values.dtype)
        cut = int(np.searchsorted(places, self.cut))

        def some(block: np.ndarray) -> None:
            run.work.tick()
            here = slice(block[0], block[-1] + 1)
            own = self.z[places[here]], run.target.classes, n_classes, run.m
            (numeric_margins if block[0] < cut else nominal_margins)(*own, self.gates[places[here]], out[here])

        for ends in ((0, cut), (cut, count)):
            run.work.map(some, _pieces(*ends, out.shape[1]))
        return out


@dataclass(frozen=True)
class GlobalPart:
    """Global parts of the margins of a run by classes.

    Attributes
    ----------
    run : Run
        Data and target.
    moved : (n,) int array or None
        Whose values each row has instead of its own.
    """

    run: Run
    moved: np.ndarray | None = None

    def ranked(self, chosen: np.ndarray) -> Ranked:
        """Rank the values of features (c,), ascending, and test the classes by them."""
        run, n = self.run, self.run.n
        cut = int(np.searchsorted(chosen, min(run.features.n_numeric, run.p)))
        z, found = np.empty((len(chosen), n)), np.zeros((len(chosen), 3))
        values = columns(run.features, chosen)

        def some(block: np.ndarray) -> None:
            run.work.tick()
            here = slice(block[0], block[-1] + 1)
            nominal = bool(block[0] >= cut)
            standardised(values, here, nominal, z[here])
            if self.moved is not None:
                z[here] = z[here, self.moved]
            test = chi_square if nominal else kruskal_wallis
            test(z[here], run.target.classes, run.n_groups, run.m, found[here])

        for ends in ((0, cut), (cut, len(chosen))):
            run.work.map(some, _pieces(*ends, SORTED * n))
        gates = gates_of(found[:, 0], found[:, 1], run.p)
        return Ranked(self, chosen, cut, z, gates, found[:, :2], found[:, 2])

    def shuffled(self, moved: np.ndarray) -> "GlobalPart":
        """The same where rows have the values of others (n,)."""
        return replace(self, moved=moved)


def gates_of(statistics: np.ndarray, freedom: np.ndarray, p: int) -> np.ndarray:
    """Shares (c,), from 0 to 1, by statistics (c,) with degrees of freedom (c,), of c among p features."""
    limits = special.chdtri(np.maximum(freedom, 1), min(1 / p, MOST_PROBABLE))
    tell = (statistics > limits) & (freedom > 0)
    return np.where(tell, 1 - limits / np.where(tell, statistics, 1.0), 0.0)


def _pieces(start: int, stop: int, operations: int) -> list[np.ndarray]:
    """Places from start to stop in as many pieces as their work is worth; none is empty."""
    whole = np.arange(start, stop)
    return [piece for piece in np.array_split(whole, n_parts(operations * len(whole))) if len(piece)]
