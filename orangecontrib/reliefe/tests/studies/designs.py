"""Simulated studies in which a covariate acts on features and on the target, for tests and benchmarks."""

import numpy as np


def common_factors(rng, n, p):
    """Features that share five factors."""
    return 0.4 * rng.normal(size=(n, 5)) @ rng.normal(size=(5, p)) / np.sqrt(5) + rng.normal(size=(n, p))


def effects(X, main, pair):
    """Five features act alone, two by the product of their signs."""
    return main * X[:, :5].sum(axis=1) + pair * np.sign(X[:, 5] * X[:, 6])


def finished(rng, effect, number):
    """A number, or two classes of equal size."""
    if number:
        return effect + rng.normal(size=len(effect))
    noisy = effect + rng.logistic(size=len(effect))
    return (noisy > np.median(noisy)).astype(int)


def populations(rng, n=300, p=300, main=0.0, pair=0.0, number=False):
    """Genotypes of two populations, one of which is ill more often: X, y, covariates, confounded features.

    Balding and Nichols (1995), Genetica 96:3: frequencies in populations with Fst .05.
    """
    pop, f = rng.choice(2, n, p=(0.6, 0.4)), rng.uniform(0.1, 0.9, p)
    F = rng.beta(f * 19, (1 - f) * 19, (2, p))
    F[:, 5:7], F[:, :5] = 1 - np.sqrt(0.5), rng.uniform(0.25, 0.5, 5)
    X = rng.binomial(2, F[pop]).astype(float)
    parity = np.where((X[:, 5] > 0) != (X[:, 6] > 0), 1.0, -1.0)
    effect = main * (X[:, :5] - 2 * F[pop][:, :5]).sum(axis=1) + pair * parity + 1.5 * (pop - pop.mean())
    apart = np.ptp(F, axis=0)
    apart[:7] = -1
    return X, finished(rng, effect, number), pop.astype(str), np.argsort(apart)[-(p - 7) // 10 :]


def batches(rng, n=200, p=300, main=0.0, pair=0.0, number=False):
    """Three batches shift a fifth of the features, and the target."""
    batch, X, odd = rng.integers(0, 3, n), common_factors(rng, n, p), np.arange(p - p // 5, p)
    X[:, odd] += np.outer(batch - 1.0, rng.choice([-1, 1], len(odd)) * 0.8)
    return X, finished(rng, 1.2 * (batch - 1) + effects(X, main, pair), number), batch.astype(str), odd


def ages(rng, n=300, p=300, main=0.0, pair=0.0, number=False):
    """Age, in the form of a U, and sex act on a fifth of the features and on the target."""
    age, sex = rng.uniform(20, 80, n), rng.integers(0, 2, n)
    X, odd, u = common_factors(rng, n, p), np.arange(p - p // 5, p), (age - 50) / 17.3
    half = len(odd) // 2
    X[:, odd[:half]] += np.outer(u**2 - 1, rng.choice([-0.7, 0.7], half))
    X[:, odd[half:]] += np.outer(sex - 0.5, rng.choice([-1.2, 1.2], len(odd) - half))
    effect = 1.2 * (u**2 - 1) + 1.2 * (sex - 0.5) + effects(X, main, pair)
    return X, finished(rng, effect, number), np.column_stack([age, sex]), odd


def lifetimes(rng, n=300, p=100, main=0.0, pair=0.0):
    """Three features act on censoring alone: X, times, events, these features; with main and pair seven on times."""
    X, odd = rng.normal(size=(n, p)), np.arange(7, 10)
    T, C = (
        rng.exponential(size=n) * np.exp(-effects(X, main, pair)),
        rng.exponential(size=n) * np.exp(-X[:, odd].sum(axis=1) / 1.7),
    )
    return X, np.minimum(T, C), T <= C, odd


def repeated(rng, constant=True, n_people=40, times=5, p=200):
    """People seen several times, with features that they keep in part; classes of people, or of visits, by chance."""
    g = np.repeat(np.arange(n_people), times)
    X = np.sqrt(0.6) * rng.normal(size=(n_people, p))[g] + np.sqrt(0.4) * rng.normal(size=(len(g), p))
    h = rng.logistic(size=n_people)[g] if constant else 1.5 * rng.normal(size=n_people)[g] + rng.logistic(size=len(g))
    return X, (h > np.median(h)).astype(int), g


CONFOUNDED = {"populations": populations, "batches": batches, "age and sex": ages}
