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
