"""Values of a feature by groups of rows, in plain loops."""


def members(values, groups):
    """Known values of each group."""
    found = {}
    for value, group in zip(values, groups, strict=True):
        if value == value:
            found.setdefault(group, []).append(value)
    return found


def naive_quantiles(values, groups, shares=(0.05, 0.25, 0.5, 0.75, 0.95)):
    """Quantiles of each group, with linear interpolation between neighbours in the order."""
    out = {}
    for group, those in members(values, groups).items():
        those.sort()
        out[group] = {}
        for share in shares:
            place = share * (len(those) - 1)
            below = int(place)
            above = min(below + 1, len(those) - 1)
            out[group][share] = those[below] + (place - below) * (those[above] - those[below])
    return out


def naive_shares(values, groups):
    """Share of each category in each group."""
    out = {}
    for group, those in members(values, groups).items():
        out[group] = {value: those.count(value) / len(those) for value in those}
    return out


def naive_standardised_difference(first, second):
    """Difference of two means in standard deviations of both samples together."""
    means = [sum(sample) / len(sample) for sample in (first, second)]
    squares = 0.0
    for sample, mean in zip((first, second), means, strict=True):
        for value in sample:
            squares += (value - mean) ** 2
    return (means[0] - means[1]) / (squares / (len(first) + len(second) - 2)) ** 0.5


def naive_rank_correlation(first, second):
    """Spearman's correlation by the places of values, those of equal values being their mean."""
    ranks = []
    for column in (first, second):
        ranks.append([sum(x < value for x in column) + (sum(x == value for x in column) + 1) / 2 for value in column])
    n = len(first)
    middle = (n + 1) / 2
    products = sum((a - middle) * (b - middle) for a, b in zip(*ranks, strict=True))
    squares = [sum((a - middle) ** 2 for a in column) for column in ranks]
    return products / (squares[0] * squares[1]) ** 0.5
