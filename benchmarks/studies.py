"""Studies with covariates, censoring and repeated measures: false discoveries where nothing is relevant, and power.

python benchmarks/studies.py [--sets N] [--only censored|effects]

Prints, for each design of tests/studies/designs.py: the share of sets with any q <= .10 where nothing is relevant, the
share of features that only follow the covariate with p <= .05, and the shares of relevant features found at q <= .10.
"Alone" is the score test of each feature in logistic regression, linear regression of normal scores, or Cox's model,
beside covariates.  NPDR and its extension for survival are short implementations of the published formulas, not the
authors' packages.  30 sets take some 30 minutes.

The part "censored" has times of which 80 % are censored and features that follow a covariate, where nothing is
relevant: shares of p-values, and of sets with any discovery, if residuals of all rows change places, and if those of
rows in one of six strata of risk do.  60 sets take five minutes.

The part "effects" has the designs of tests/studies/joint_designs.py: covariates that act by a line, a product, a wave,
in cells, and so on, 120 rows, 30 features, of which 8 follow the effect of the covariates and one is relevant. The
target is adjusted for each covariate for itself, and for what covariates do together, too. Standard errors over the
sets are in brackets. 20 sets take ten minutes.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import numpy as np
from common import table
from scipy import stats

from orangecontrib.reliefe.core import SignificanceTest, Survival, rank, significance
from orangecontrib.reliefe.core.studies import covariate_regression, risk_strata, study
from orangecontrib.reliefe.tests.studies import joint_designs
from orangecontrib.reliefe.tests.studies.designs import CONFOUNDED, lifetimes, repeated

SHUFFLES, LEVEL = 20, 0.1
TITLES = ["method", "any q <= .10", "confounded p <= .05", "main found", "pair found"]
PLACES = slice(0, 5), slice(5, 7)


def neighbours(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (i, j) in which j is nearer to i than the mean of its distances less half their deviation."""
    D = sum(np.abs(x[:, None] - x) for x in X.T)
    off = D[~np.eye(len(X), dtype=bool)].reshape(len(X), -1)
    near = (off.mean(axis=1) - 0.5 * off.std(axis=1, ddof=1))[:, None] > D
    np.fill_diagonal(near, False)
    return np.nonzero(near)


def npdr(X: np.ndarray, y: np.ndarray, covariates: np.ndarray, number: bool, nominal: bool) -> np.ndarray:
    """One-sided p (p,) of Le, Dawkins and McKinney (2020), Bioinformatics 36:2770: regressions over pairs of the
    target's difference on that of a feature, beside differences of covariates; classes by the logistic score test."""
    i, j = neighbours(X)
    columns = [np.ones(len(i))]
    for c in covariates.reshape(len(X), -1).T:
        few = c.dtype.kind == "U" or len(np.unique(c)) <= 2
        columns.append((c[i] != c[j]).astype(float) if few else np.abs(c[i] - c[j]))
    t = np.abs(y[i] - y[j]) if number else (y[i] != y[j]).astype(float)
    A, b, w = np.column_stack(columns), np.zeros(len(columns)), np.ones(len(i))
    for _ in range(1 if number else 10):
        e = np.zeros(len(i)) if number else 1 / (1 + np.exp(-A @ b))
        w = w if number else e * (1 - e)
        b = b + np.linalg.solve((A * w[:, None]).T @ A, A.T @ (t - e))
    rest = t - (A @ b if number else 1 / (1 + np.exp(-A @ b)))
    M, size, z = np.linalg.inv((A * w[:, None]).T @ A), rest @ rest / len(i) if number else 1.0, []
    for x in X.T:
        d = (x[i] != x[j]).astype(float) if nominal else np.abs(x[i] - x[j])
        a = (A * w[:, None]).T @ d
        left = size * ((w * d) @ d - a @ M @ a)
        z.append(d @ rest / np.sqrt(left) if left > 0 else 0.0)
    return stats.norm.sf(z)


def survival_npdr(X: np.ndarray, time: np.ndarray, event: np.ndarray, signed: bool) -> np.ndarray:
    """Two-sided p (p,) of linear regressions over pairs of differences of times, signed or absolute, on those of each
    feature, without pairs whose neighbour is censored first (Kampmeyer et al.)."""
    i, j = neighbours(X)
    keep = event[j] | (time[j] > time[i])
    i, j = i[keep], j[keep]
    size: Callable[[np.ndarray], np.ndarray] = np.asarray if signed else np.abs
    r = np.array([np.corrcoef(size(x[i] - x[j]), size(time[i] - time[j]))[0, 1] for x in X.T])
    return 2 * stats.t.sf(np.abs(r) * np.sqrt((len(i) - 2) / (1 - r * r)), len(i) - 2)


def confounded(design: Callable[..., Any], sets: int, number: bool) -> list[list[object]]:
    """A row for each way: any discovery, confounded features with p <= .05, main effects and pairs found."""
    power, lists = ({"main": 0.5, "pair": 1.1}, "rrelieff") if number else ({"main": 0.7, "pair": 2.2}, "relieff")
    snps = design is CONFOUNDED["populations"]

    def ways(X: np.ndarray, y: np.ndarray, c: np.ndarray) -> dict[str, np.ndarray]:
        options: dict[str, Any] = {"n_shuffles": SHUFFLES, "nominal": np.full(X.shape[1], snps)}
        found = significance(X, y, "multisurf", covariates=c, **options)
        of_lists = significance(X, y, lists, covariates=c, **options)
        counts = {**options, "nominal": None, "n_shuffles": 1}  # of alleles, for the test of one variant
        alone = significance(X, y, "multisurf", covariates=c, **counts).alone if snps else found.alone
        return {
            "MultiSURF, unadjusted": significance(X, y, "multisurf", **options).p,
            "MultiSURF, adjusted": found.p,
            "ReliefF or RReliefF, adjusted": of_lists.p,
            "NPDR with covariates": npdr(X, y, c, number, snps),
            "alone, adjusted": np.asarray(alone),
        }

    return measured(sets, design, ways, {"n": 400, "p": 100, **power}, number=number)


def measured(
    sets: int, design: Callable[..., Any], ways: Callable[..., Any], power: dict[str, Any], **options: Any
) -> list[list[object]]:
    """Figures of all ways (title -> p), of data of one design without an effect and with effects."""
    figures: dict[str, list[list[float]]] = {}
    for seed in range(sets):
        rng = np.random.default_rng((seed, 2026))
        *data, odd = design(rng, **options)
        some = ways(*data)
        *data, _ = design(rng, **power, **options)
        for title, p in ways(*data).items():
            q, found = (stats.false_discovery_control(each) <= LEVEL for each in (some[title], p))
            row = [q.any(), (some[title][odd] <= 0.05).mean(), *(found[places].mean() for places in PLACES)]
            figures.setdefault(title, []).append(row)
    return [[title, *(f"{value:.3f}" for value in np.mean(rows, axis=0))] for title, rows in figures.items()]


def of_times(sets: int) -> list[list[object]]:
    """The same for three features that act on censoring alone."""

    def ways(X: np.ndarray, time: np.ndarray, event: np.ndarray) -> dict[str, np.ndarray]:
        tests = {name: significance(X, Survival(time, event), name, n_shuffles=SHUFFLES) for name in METHODS}
        rivals = {
            f"survival NPDR, {name}": survival_npdr(X, time, event, name == "signed") for name in ("absolute", "signed")
        }
        return {
            **{name: test.p for name, test in tests.items()},
            **rivals,
            "Cox, alone": np.asarray(tests["multisurf"].alone),
        }

    return measured(sets, lifetimes, ways, {"main": 0.4, "pair": 1.0})


METHODS = "multisurf", "rrelieff"


def of_groups(sets: int) -> list[list[object]]:
    """Any discovery, and share of p <= .05, in repeated measures without any effect."""
    out: list[list[object]] = []
    for constant in (True, False):
        for grouped in (False, True):
            figures = []
            for seed in range(sets):
                X, y, g = repeated(np.random.default_rng((seed, 2026)), constant)
                found = significance(X, y, "multisurf", **({"groups": g} if grouped else {"n_shuffles": SHUFFLES}))
                figures.append([(found.q <= LEVEL).any(), (found.p <= 0.05).mean()])
            title = f"target {'constant' if constant else 'varies'}, {'groups' if grouped else 'rows'} permuted"
            out.append([title, *(f"{value:.3f}" for value in np.mean(figures, axis=0))])
    return out


def heavily_censored(
    rng: np.random.Generator, n: int, effect: float, end: float, is_u: bool = False
) -> tuple[np.ndarray, Survival, np.ndarray]:
    """Times, a covariate, and 50 features, ten of which follow its form.

    The log hazard ratio of the covariate, or of its standardised square, is the effect.
    """
    X = rng.normal(size=(n, 50))
    c = rng.normal(size=n)
    form = (c**2 - 1) / np.sqrt(2) if is_u else c
    X[:, FOLLOWERS] = 0.8 * form[:, None] + 0.7 * X[:, FOLLOWERS]
    death = rng.exponential(size=n) * np.exp(-effect * form)
    last_seen = rng.exponential(size=n) * end
    return X, Survival(np.minimum(death, last_seen), death <= last_seen), c


FOLLOWERS = slice(10, 20)
CENSORED = {
    "120 rows": {"n": 120, "effect": 1.0, "end": 0.25},
    "300 rows": {"n": 300, "effect": 1.0, "end": 0.25},
    "200 rows, strong covariate": {"n": 200, "effect": 2.0, "end": 0.1},
    "300 rows, U": {"n": 300, "effect": 1.0, "end": 0.25, "is_u": True},
    "300 rows, strong U": {"n": 300, "effect": 2.0, "end": 0.15, "is_u": True},
}


def of_censored_times(sets: int) -> list[list[object]]:
    """Shares of p-values, of those of features that follow the covariate, and of sets with any discovery."""
    lines: list[list[object]] = []
    for title, options in CENSORED.items():
        for permuted, n_strata in {"among all rows": 1, "within six strata": risk_strata.MOST_STRATA}.items():
            figures = []
            for seed in range(sets):
                X, y, c = heavily_censored(np.random.default_rng((seed, 5252)), **options)
                with patch.object(risk_strata, "MOST_STRATA", n_strata):
                    found = significance(X, y, "multisurf", covariates=c, n_shuffles=SHUFFLES)
                shares = [(found.p <= 0.05).mean(), (found.p <= 0.001).mean(), (found.p[FOLLOWERS] <= 0.05).mean()]
                figures.append([*shares, (found.q <= LEVEL).any()])
            lines.append([title, permuted, *(f"{value:.4f}" for value in np.mean(figures, axis=0))])
    return lines


def of_effects(sets: int) -> list[list[object]]:
    """Shares of p <= .05 of features that follow covariates, useless ones and a relevant one, discoveries, warnings.

    The target is regressed on each covariate for itself, by lines or splines, or on cells, products and a kernel, too.
    """
    lines: list[list[object]] = []
    for name in joint_designs.DESIGNS:
        for task in (joint_designs.NUMBER, joint_designs.CLASSES, joint_designs.TIMES):
            if task == joint_designs.TIMES and name not in joint_designs.OF_TIMES:
                continue
            for is_joint in (False, True):
                figures = []
                for seed in range(sets):
                    sample = joint_designs.study_of(name, task, seed)
                    with nullcontext() if is_joint else one_by_one():
                        figures.append(figures_of_effect(sample, seed))
                way = "together" if is_joint else "one by one"
                lines.append([f"{name}, {task}", way, *map(with_error, np.transpose(figures))])
                print(*lines[-1], sep=" | ", flush=True)
    return lines


def figures_of_effect(sample: joint_designs.Study, seed: int) -> list[float]:
    """Figures of one study: shares of small p-values, any false discovery, and whether effects are warned of."""
    test = SignificanceTest.of(sample.X, sample.y, "multisurf", covariates=sample.covariates, random_state=seed)
    for _ in test.shuffle(SHUFFLES_OF_EFFECTS, n_jobs=1):
        pass
    significance = test.result()
    is_useless = np.ones(len(significance.p), bool)
    is_useless[: joint_designs.N_FOLLOWERS] = False
    is_useless[joint_designs.RELEVANT] = False
    is_small = significance.p <= 0.05
    return [
        is_small[: joint_designs.N_FOLLOWERS].mean(),
        is_small[is_useless].mean(),
        float(is_small[joint_designs.RELEVANT]),
        float((np.delete(significance.q, joint_designs.RELEVANT) <= LEVEL).any()),
        float(any("still predict" in text for text in test.request.info["warnings"])),
    ]


def with_error(values: np.ndarray) -> str:
    """Write a mean over sets, with its standard error."""
    return f"{values.mean():.3f} ({values.std(ddof=1) / np.sqrt(len(values)):.3f})"


@contextmanager
def one_by_one() -> Iterator[None]:
    """Regress on lines or splines of each covariate alone."""
    no_columns = property(lambda regression: np.empty((regression.n, 0)))
    with (
        patch.object(study, "join_cells", lambda covariates: None),
        patch.object(covariate_regression.CovariateRegression, "products", no_columns),
        patch.object(covariate_regression.CovariateRegression, "kernel_columns", no_columns),
    ):
        yield


SHUFFLES_OF_EFFECTS = 25
TITLES_OF_EFFECTS = [
    "design, target",
    "adjusted",
    "followers p <= .05",
    "useless p <= .05",
    "relevant p <= .05",
    "any false q <= .10",
    "warned",
]
TITLES_OF_CENSORED = ["design", "permuted", "p <= .05", "p <= .001", "confounded p <= .05", "any q <= .10"]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--only", choices=["censored", "effects"])
    arguments = parser.parse_args()
    sets = arguments.sets
    rank(np.eye(4), [0, 1, 0, 1], "relieff")  # compiles
    if arguments.only != "censored":
        print("\nEffects of covariates\n" + table(TITLES_OF_EFFECTS, of_effects(sets)), flush=True)
    if arguments.only == "effects":
        return
    print("\nTimes, 80 % censored\n" + table(TITLES_OF_CENSORED, of_censored_times(sets)), flush=True)
    if arguments.only == "censored":
        return
    for number in (False, True):
        for name, design in CONFOUNDED.items():
            lines = table(TITLES, confounded(design, sets, number))
            print(f"\n{'Numbers' if number else 'Classes'}, {name}\n{lines}", flush=True)
    print(
        f"\nTimes; features that act on censoring are the confounded ones\n{table(TITLES, of_times(sets))}", flush=True
    )
    print("\nRepeated measures\n" + table(["design", "any q <= .10", "p <= .05"], of_groups(sets)))


if __name__ == "__main__":
    main()
