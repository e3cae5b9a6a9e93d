"""Gain and synergy of two features by plain loops over pairs of rows."""

from math import sqrt


def diff(a, b, nominal):
    return float(a != b) if nominal else abs(a - b)


def parts(pairs):
    """(i, j, weight) -> misses and hits with weights that add up to 1."""
    miss = [(i, j, u) for i, j, u in pairs if u > 0]
    hit = [(i, j, -u) for i, j, u in pairs if u < 0]
    return [[(i, j, u / sum(v for *_, v in part)) for i, j, u in part] for part in (miss, hit)]


def gain(pairs, A, B, nominal):
    def held(part):
        rest = sum(u * (1 - diff(B[i], B[j], nominal)) for i, j, u in part)
        return sum(u * diff(A[i], A[j], nominal) * (1 - diff(B[i], B[j], nominal)) for i, j, u in part) / rest

    def score(part):
        return sum(u * diff(A[i], A[j], nominal) for i, j, u in part)

    miss, hit = parts(pairs)
    return held(miss) - held(hit) - (score(miss) - score(hit))


def synergy(pairs, A, B, nominal):
    miss, hit = parts(pairs)

    def moments(column):
        values = [(u / 2, diff(column[i], column[j], nominal)) for i, j, u in miss + hit]
        mean = sum(u * d for u, d in values)
        return mean, sqrt(sum(u * (d - mean) ** 2 for u, d in values))

    (a, sd_a), (b, sd_b) = moments(A), moments(B)

    def covariance(part):
        x = [((diff(A[i], A[j], nominal) - a) / sd_a, (diff(B[i], B[j], nominal) - b) / sd_b, u) for i, j, u in part]
        return sum(p * q * u for p, q, u in x) - sum(p * u for p, _, u in x) * sum(q * u for _, q, u in x)

    return covariance(hit) - covariance(miss)
