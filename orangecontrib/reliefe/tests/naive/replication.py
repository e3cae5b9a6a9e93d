"""Replication by its definition: whether a feature counts at a level, and the smallest level at which it does."""

from orangecontrib.reliefe.tests.naive.significance import benjamini_hochberg


def symmetric(p_a, p_b, select):
    """r-values of Bogomolov and Heller (2018) for two lists of p-values of the same features."""
    selected_a = [j for j, p in enumerate(p_a) if p <= select]
    selected_b = [j for j, p in enumerate(p_b) if p <= select]
    in_both = [j for j in selected_a if j in selected_b]

    def are_below(count, level):
        """Candidates whose p-values pass the thresholds of `count` discoveries at a level."""
        threshold_a = count * level / 2 / max(len(selected_b), 1)
        threshold_b = count * level / 2 / max(len(selected_a), 1)
        return [j for j in in_both if p_a[j] <= nearly(threshold_a) and p_b[j] <= nearly(threshold_b)]

    errors = [max(2 * len(selected_b) * p_a[j], 2 * len(selected_a) * p_b[j]) for j in in_both]
    return smallest_levels(len(p_a), in_both, errors, are_below)


def follow_up(p_a, p_b, p_only_a, select):
    """r-values of Heller, Bogomolov and Benjamini (2014) with l00 = 0; p_only_a: of features that B does not have."""
    m = len(p_a) + len(p_only_a)
    q = benjamini_hochberg([*p_a, *p_only_a])
    followed = [j for j in range(len(p_a)) if q[j] <= select]

    def are_below(count, level):
        threshold_a = count * level / 2 / m
        threshold_b = count * level / 2 / max(len(followed), 1)
        return [j for j in followed if p_a[j] <= nearly(threshold_a) and p_b[j] <= nearly(threshold_b)]

    errors = [max(2 * m * p_a[j], 2 * len(followed) * p_b[j]) for j in followed]
    return smallest_levels(len(p_a), followed, errors, are_below)


def adafilter(p_a, p_b):
    """Smallest level of AdaFilter-BH (Wang, Gui, Su, Sabatti and Owen 2022) for each feature; 1 for those with none.

    At a level, gamma is the largest threshold with gamma #{F <= gamma} <= level max(1, #{S <= gamma}). Features with
    S <= gamma are discovered. Only the numbers of S need to be tried, and levels at which one of them begins to pass.
    """
    smaller = [min(pair) for pair in zip(p_a, p_b, strict=True)]
    larger = [max(pair) for pair in zip(p_a, p_b, strict=True)]

    def cost(gamma):
        """Level from which a threshold passes."""
        return gamma * sum(f <= gamma for f in smaller) / max(1, sum(s <= gamma for s in larger))

    def discovered(level):
        thresholds = [gamma for gamma in larger if cost(gamma) <= nearly(level)]
        gamma = max(thresholds, default=-1)
        return [j for j, s in enumerate(larger) if s <= gamma]

    r = [1.0] * len(p_a)
    for level in sorted({cost(gamma) for gamma in larger if cost(gamma) <= 1}, reverse=True):
        for j in discovered(level):
            r[j] = level
    return r


def smallest_levels(m, candidates, errors, are_below):
    """For each of m features the smallest level at which it is discovered; 1 for those that never are."""
    r = [1.0] * m
    levels = sorted({error / count for error in errors for count in range(1, len(candidates) + 1)})
    for level in reversed([level for level in levels if level <= 1]):
        counts = range(len(candidates), 0, -1)
        largest = next((count for count in counts if len(are_below(count, level)) >= count), 0)
        for j in are_below(largest, level) if largest else []:
            r[j] = level
    return r


def nearly(threshold):
    """Lift a threshold by more than rounding."""
    return threshold * (1 + 1e-12)
