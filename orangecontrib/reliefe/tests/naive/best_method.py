"""p-values of the best of several methods in plain loops, from z of the true and of permuted targets."""

from math import inf


def tested(true, permuted):
    """p and family-wise p of each feature.

    true: for each method z of each feature.  permuted: for each method, for each permuted target, z of each feature.
    """
    methods = range(len(true))
    targets = range(len(permuted[0]))
    features = range(len(true[0]))

    def share(method, z, own):
        """Share of the z of permuted targets of a method that reach z; own: 1 if z is of the true target."""
        if z == -inf:
            return 1.0
        null = [value for row in permuted[method] for value in row if value > -inf]
        return (own + sum(value >= z - 1e-9 * abs(z) for value in null)) / (1 + len(null))

    def quantile(values, share):
        """Interpolate between the two ordered values next to a place."""
        place = share * (len(values) - 1)
        left = int(place)
        right = min(left + 1, len(values) - 1)
        return values[left] + (place - left) * (values[right] - values[left])

    def in_units(method, z):
        """Subtract the median of the largest z of all targets, the true one included, and divide by their quartiles."""
        largest = sorted(value for value in map(max, [true[method], *permuted[method]]) if value > -inf)
        if not largest:
            return -inf
        spread = quantile(largest, 0.75) - quantile(largest, 0.25)
        return (z - quantile(largest, 0.5)) / (spread or 1)

    smallest = [min(share(m, true[m][f], 1) for m in methods) for f in features]
    of_targets = [[min(share(m, permuted[m][b][f], 0) for m in methods) for f in features] for b in targets]
    p, family_wise = [], []
    for f in features:
        if all(true[m][f] == -inf for m in methods):
            p.append(1.0)
            family_wise.append(1.0)
            continue
        below = sum(s <= smallest[f] for row in of_targets for s in row)
        p.append((1 + below) / (1 + len(targets) * len(features)))
        t = max(in_units(m, true[m][f]) for m in methods)
        reached = sum(max(in_units(m, max(permuted[m][b])) for m in methods) >= t - 1e-9 * abs(t) for b in targets)
        family_wise.append((1 + reached) / (1 + len(targets)))
    return p, family_wise
