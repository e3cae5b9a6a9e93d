"""Bookkeeping of methods that remove features in passes: which features are left, and the final scores of all.

`turf` adds the scores of each pass to an `Elimination`, and removes the worst features. Features that are left have the
scores of the last pass. Below them is a tier for each pass, the later the higher, in which its removed features keep
their order.
"""

import numpy as np

# Scores of removed features, in units of the range of the scores of those that are left
TIER = 0.01  # distance of two tiers; chosen by eye
WITHIN_TIER = 1e-8  # extent of a tier, as a share of this distance: invisible, but enough for the order
DECIMALS = 12  # to which scores, as shares of the largest, are compared: sums of dense and sparse rows differ below


def sizes(p: int, n_keep: int, share: float, step: int | None) -> list[int]:
    """Numbers of features that are ranked in each pass.

    Parameters
    ----------
    p : int
        Number of features in the first pass.
    n_keep : int
        Number of features in the last pass.
    share : float
        Share of the features that is removed after each pass, at least one feature.
    step : int, optional
        Number of features that is removed instead.
    """
    last = min(n_keep, p)
    passes = [p]
    while passes[-1] > last:
        n_removed = max(int(share * passes[-1]), 1) if step is None else step
        passes.append(max(passes[-1] - n_removed, last))
    return passes


class Elimination:
    """Features that are left, and facts about those that were removed.

    Parameters
    ----------
    p : int
        Number of features.

    Attributes
    ----------
    last_scores : (p,) float64 array
        Scores of each feature in the last pass that ranked it.
    rounded_scores : (p,) float64 array
        The same, rounded as shares of the largest; they decide which features are removed.
    last_per_target : (t, p) float64 array, optional
        Scores for each of several targets in the last pass that ranked the feature.
    removed_in : (p,) int array
        Pass after which each feature was removed, from 1; 0 if it is left.
    passes : int
        Number of passes so far.
    """

    def __init__(self, p: int):
        self.last_scores = np.zeros(p)
        self.rounded_scores = np.zeros(p)
        self.last_per_target: np.ndarray | None = None
        self.removed_in = np.zeros(p, int)
        self.passes = 0

    @property
    def left(self) -> np.ndarray:
        """Mask (p,) of the features that are left."""
        is_left: np.ndarray = self.removed_in == 0
        return is_left

    def add(self, scores: np.ndarray, per_target: np.ndarray | None) -> None:
        """Add the scores of a pass.

        Parameters
        ----------
        scores : (q,) float64 array
            Scores of the features that are left.
        per_target : (t, q) float64 array, optional
            Their scores for each of several targets.
        """
        self.passes += 1
        self.last_scores[self.left] = scores
        self.rounded_scores[self.left] = _rounded(scores)
        if per_target is not None:
            if self.last_per_target is None:
                self.last_per_target = np.zeros((len(per_target), len(self.last_scores)))
            self.last_per_target[:, self.left] = per_target

    def remove(self, size: int) -> None:
        """Remove the worst features until `size` are left. Of equal ones the lower index survives."""
        n_removed = np.count_nonzero(~self.left)
        order = self._sorted(self.rounded_scores)
        self.removed_in[order[n_removed : len(order) - size]] = self.passes

    def order(self) -> np.ndarray:
        """Indices (p,) of the features in the order of removal, the worst first, then those that are left by score."""
        return self._sorted(np.where(self.left, self.last_scores, self.rounded_scores))

    def scores(self) -> np.ndarray:
        """Scores (p,) of all features."""
        return self._with_tiers(self.last_scores, self.rounded_scores)

    def per_target(self) -> np.ndarray | None:
        """Scores (t, p) for each of several targets, if there are any."""
        if self.last_per_target is None:
            return None
        return np.array([self._with_tiers(scores, _rounded(scores)) for scores in self.last_per_target])

    def _sorted(self, keys: np.ndarray) -> np.ndarray:
        """Features by the pass of their removal, then by ascending keys (p,), then by descending index."""
        passes = np.where(self.left, self.passes + 1, self.removed_in)
        order: np.ndarray = np.lexsort((-np.arange(len(keys)), keys, passes))
        return order

    def _with_tiers(self, last_scores: np.ndarray, rounded_scores: np.ndarray) -> np.ndarray:
        """Scores with a tier for each pass below those of the features that are left.

        A feature that was removed in pass i of m has lowest - tier (m + 1 - i + WITHIN_TIER r), where r is its rank
        among those of its pass, from 0 for the best, over their number. Equal scores have equal ranks.
        """
        is_left = self.left
        lowest = last_scores[is_left].min()
        tier = TIER * (float(np.ptp(last_scores[is_left])) or 1.0)

        # Sort by pass, best first, and number the different scores within each pass.
        order = np.lexsort((-rounded_scores, self.removed_in))
        passes = self.removed_in[order]
        descending = rounded_scores[order]
        begins_pass = np.r_[True, passes[1:] != passes[:-1]]
        begins_score = begins_pass | np.r_[True, descending[1:] != descending[:-1]]
        number = np.cumsum(begins_score)
        first_of_pass = np.maximum.accumulate(np.where(begins_pass, np.arange(len(order)), 0))
        rank = np.empty(len(last_scores))
        rank[order] = (number - number[first_of_pass]) / np.bincount(self.removed_in)[passes]
        depth = self.removed_in.max() + 1 - self.removed_in + WITHIN_TIER * rank
        return np.where(is_left, last_scores, lowest - tier * depth)


def _rounded(scores: np.ndarray) -> np.ndarray:
    """Scores as shares of the largest, rounded."""
    return np.round(scores / (np.abs(scores).max() or 1.0), DECIMALS)
