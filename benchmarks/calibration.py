"""Levels of tests of Relief scores: false discoveries where nothing is relevant, discoveries where something is.

python benchmarks/calibration.py [--sets N] [--data FOLDER] [--write]

Prints the tables of doc/significance.md; --write also puts them and their pictures there.  FOLDER holds madelon.mat of
the scikit-feature repository (2600 x 500); without it madelon is left out.  30 sets take some 10 minutes.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from common import ROOT, table
from scipy import stats

from orangecontrib.reliefe.core import rank, significance

PAGE = ROOT / "doc" / "significance.md"
BEGIN, END = "<!-- {}: written by benchmarks/calibration.py --write -->", "<!-- end of {} -->"
ROWS, FEATURES = 100, 200
NEIGHBOURS = {"relieff": 10, "rrelieff": 33}
TITLES = {"relieff": "ReliefF", "multisurf": "MultiSURF", "rrelieff": "RReliefF"}
OURS, NORMAL, STUDENT, STIR = "shuffles, pooled (ours)", "closed form, normal tail", "own shuffles, t tail", "STIR"
TESTS = (OURS, NORMAL, STUDENT, STIR)
LEVEL = 0.1  # false discovery rate
SHUFFLES = 20  # of the test by own mean and spread
ROWS_OF_MADELON = 600


def normal(rng: np.random.Generator) -> np.ndarray:
    """Independent normal features."""
    return rng.normal(size=(ROWS, FEATURES))


def factors(rng: np.random.Generator) -> np.ndarray:
    """Features that share five factors."""
    return rng.normal(size=(ROWS, 5)) @ rng.normal(size=(5, FEATURES)) + rng.normal(size=(ROWS, FEATURES))


def blocks(rng: np.random.Generator) -> np.ndarray:
    """Ten blocks of features that correlate by .8."""
    common = np.repeat(rng.normal(size=(ROWS, 10)), FEATURES // 10, axis=1)
    return np.sqrt(0.8) * common + np.sqrt(0.2) * rng.normal(size=(ROWS, FEATURES))


def skewed(rng: np.random.Generator) -> np.ndarray:
    """Log-normal features."""
    return np.exp(normal(rng))


def snps(rng: np.random.Generator) -> np.ndarray:
    """Genotypes 0, 1, 2 with minor alleles of frequency .05 to .5."""
    return rng.binomial(2, rng.uniform(0.05, 0.5, FEATURES), size=(ROWS, FEATURES)).astype(float)


DESIGNS: dict[str, tuple[Callable[[np.random.Generator], np.ndarray], float]] = {
    "normal": (normal, 0.5),
    "five factors": (factors, 0.5),
    "blocks": (blocks, 0.5),
    "log-normal": (skewed, 0.5),
    "SNPs": (snps, 0.5),
    "normal, 20:80": (normal, 0.2),
}


def options(method: str) -> dict[str, int]:
    """Parameters of a method."""
    return {"n_neighbors": NEIGHBOURS[method]} if method in NEIGHBOURS else {}


def tests(X: np.ndarray, y: np.ndarray, method: str, seed: int) -> dict[str, np.ndarray]:
    """One-sided p (p,) of each test; STIR is defined for classes only."""
    found = significance(X, y, method, random_state=seed, **options(method))
    out = {OURS: found.p, NORMAL: stats.norm.sf(found.z), STUDENT: student(X, y, method, seed)}
    if method != "rrelieff":
        out[STIR] = stir(X, y, method)
    return {name: np.where(np.isnan(p), 1.0, p) for name, p in out.items()}


def student(X: np.ndarray, y: np.ndarray, method: str, seed: int) -> np.ndarray:
    """t of a score among those of 20 shuffled targets."""
    rng = np.random.default_rng([seed, 1])
    scores = rank(X, y, method, **options(method)).scores
    null = np.array([rank(X, rng.permutation(y), method, **options(method)).scores for _ in range(SHUFFLES)])
    spread = null.std(axis=0, ddof=1) * np.sqrt(1 + 1 / SHUFFLES)
    return stats.t.sf((scores - null.mean(axis=0)) / np.where(spread > 0, spread, np.inf), SHUFFLES - 1)


def stir(X: np.ndarray, y: np.ndarray, method: str) -> np.ndarray:
    """p of Le et al. (2019): pooled t of the diffs of miss and hit pairs, as if pairs were independent."""
    span = np.ptp(X, axis=0)
    X = (X - X.min(axis=0)) / np.where(span > 0, span, 1)
    count, total, squares = {}, {}, {}
    for hit in (True, False):
        count[hit], total[hit], squares[hit] = 0, np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(len(X)):
        diffs = np.abs(X - X[i])
        distance = diffs.sum(axis=1)
        others = np.delete(np.arange(len(X)), i)
        near = distance[others] < distance[others].mean() - distance[others].std() / 2
        for hit in (True, False):
            same = (y[others] == y[i]) == hit
            chosen = others[same & near] if method == "multisurf" else others[same]
            if method != "multisurf":
                chosen = chosen[np.argsort(distance[chosen], kind="stable")[: NEIGHBOURS[method]]]
            count[hit] += len(chosen)
            total[hit] += diffs[chosen].sum(axis=0)
            squares[hit] += (diffs[chosen] ** 2).sum(axis=0)
    mean = {hit: total[hit] / count[hit] for hit in count}
    within = sum(squares[hit] - count[hit] * mean[hit] ** 2 for hit in count)
    freedom = sum(count.values()) - 2
    error = np.sqrt(np.maximum(within, 1e-30) / freedom * (1 / count[True] + 1 / count[False]))
    return stats.t.sf((mean[False] - mean[True]) / error, freedom)


@dataclass
class Levels:
    """Rates of one test by one method, over sets without any signal, and all its p-values."""

    any_discovery: float
    at_5: float
    at_01: float
    p: np.ndarray


def levels(n_sets: int) -> dict[tuple[str, str, str], Levels]:
    """{(design, method, test): rates}."""
    out = {}
    for number, (design, (make, share)) in enumerate(DESIGNS.items()):
        found: dict[tuple[str, str], list[np.ndarray]] = {}
        for seed in range(n_sets):
            rng = np.random.default_rng([number, seed])
            X = make(rng)
            classes, numbers = rng.permutation(ROWS) < share * ROWS, rng.normal(size=ROWS)
            for method in TITLES:
                y = numbers if method == "rrelieff" else classes
                for test, p in tests(X, y, method, seed).items():
                    found.setdefault((method, test), []).append(p)
        for (method, test), lists in found.items():
            p = np.array(lists)
            discovered = [(stats.false_discovery_control(one) <= LEVEL).any() for one in lists]
            out[design, method, test] = Levels(np.mean(discovered), (p <= 0.05).mean(), (p <= 0.001).mean(), p.ravel())
    return out


def levels_table(found: dict[tuple[str, str, str], Levels]) -> str:
    """Rates over all designs, a row for each test and method."""
    rows = [["nominal", "", "0.050", "0.0010", "0.10", ""]]
    for method in TITLES:
        for test in TESTS:
            own = {design: found[design, method, test] for design in DESIGNS if (design, method, test) in found}
            if own:
                mean = [
                    np.mean([getattr(one, name) for one in own.values()]) for name in ("at_5", "at_01", "any_discovery")
                ]
                worst = max(own, key=lambda design: own[design].any_discovery)
                worst_text = f"{own[worst].any_discovery:.2f} ({worst})"
                rows.append([TITLES[method], test, f"{mean[0]:.3f}", f"{mean[1]:.4f}", f"{mean[2]:.2f}", worst_text])
    return table(["method", "test", "p <= .05", "p <= .001", "any at FDR 10 %", "worst design"], rows, markdown=True)


def epistasis(n_features: int, seed: int = 0, rows: int = 800) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """SNPs of which the first two decide together, and neither alone; heritability of .5."""
    rng = np.random.default_rng(seed)
    X = rng.binomial(2, rng.uniform(0.1, 0.5, n_features), size=(rows, n_features)).astype(float)
    X[:, :2] = rng.binomial(2, 0.5, size=(rows, 2))
    odd = (X[:, 0] == 1) != (X[:, 1] == 1)
    return X, (rng.random(rows) < np.where(odd, 0.85, 0.15)).astype(int), np.arange(2)


def madelon(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """600 rows of madelon, whose 20 relevant columns are those of the published Boruta analysis."""
    from scipy.io import loadmat

    relevant = [28, 48, 64, 105, 128, 153, 241, 281, 318, 336, 338, 378, 433, 442, 451, 453, 455, 472, 475, 493]
    held = loadmat(str(next(folder.rglob("madelon.mat"))))
    rows = np.random.default_rng(0).permutation(len(held["X"]))[:ROWS_OF_MADELON]
    return held["X"][rows].astype(float), held["Y"].ravel()[rows].astype(int), np.array(relevant)


def signals(folder: Path | None) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """{set: (X, y, relevant columns)}."""
    out = {f"pair among {p:,} SNPs": epistasis(p) for p in (100, 1000)}
    return ({"madelon": madelon(folder)} if folder else {}) | out


def signals_table(folder: Path | None) -> tuple[str, dict[str, dict[str, tuple[np.ndarray, np.ndarray]]]]:
    """Discoveries and those among them that are relevant; (z, relevant) of MultiSURF for the picture."""
    rows, kept = [], {}
    for name, (X, y, relevant) in signals(folder).items():
        for method in ("relieff", "multisurf"):
            found = significance(X, y, method, **options(method))
            line = [f"{name}, {len(X)} rows, {len(relevant)} relevant", TITLES[method]]
            for p in (found.p, stir(X, y, method)):
                discovered = np.flatnonzero(stats.false_discovery_control(p) <= LEVEL)
                line.append(f"{len(discovered)}, {np.isin(discovered, relevant).sum()}")
            strict = np.flatnonzero(found.family_wise <= 0.05)
            rows.append([*line, f"{len(strict)}, {np.isin(strict, relevant).sum()}"])
            kept.setdefault(name, {})[TITLES[method]] = found.z, np.isin(np.arange(X.shape[1]), relevant), found.q
    header = [
        "data",
        "method",
        "FDR 10 %: found, relevant",
        "STIR: found, relevant",
        "family-wise 5 %: found, relevant",
    ]
    return table(header, rows, markdown=True), kept


def draw(found: dict[tuple[str, str, str], Levels], kept: dict, folder: Path) -> None:
    """Write the pictures."""
    from pictures import COLOURS, plt, save

    figure, axes = plt.subplots(1, len(TITLES), figsize=(9, 3.2), sharey=True)
    for ax, (method, title) in zip(axes, TITLES.items(), strict=True):
        present = [test for test in TESTS if ("normal", method, test) in found]
        for t, test in enumerate(present):
            x = np.arange(len(DESIGNS)) + (t - (len(present) - 1) / 2) * 0.2
            shares = [found[design, method, test].any_discovery for design in DESIGNS]
            ax.bar(x, shares, 0.18, color=COLOURS[TESTS.index(test)], label=test)
        ax.axhline(LEVEL, color="black", linestyle="--", linewidth=1)
        ax.set_xticks(range(len(DESIGNS)), DESIGNS, rotation=40, ha="right")
        ax.set_title(title, fontsize=9)
    axes[0].set_ylabel("data sets with a discovery\n(nothing is relevant; FDR 10 %)")
    figure.legend(
        *axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 1.08), ncols=4, frameon=False
    )
    save(figure, folder / "false_discoveries.png")

    figure, axes = plt.subplots(1, len(TITLES), figsize=(9, 3.0), sharey=True)
    for ax, (method, title) in zip(axes, TITLES.items(), strict=True):
        for t, test in enumerate(TESTS):
            p = [found[design, method, test].p for design in DESIGNS if (design, method, test) in found]
            if p:
                pooled = np.sort(np.concatenate(p))
                expected = (np.arange(len(pooled)) + 0.5) / len(pooled)
                ax.plot(-np.log10(expected), -np.log10(np.maximum(pooled, 1e-12)), color=COLOURS[t], linewidth=1.4)
        top = -np.log10(expected[0])
        ax.plot([0, top], [0, top], "--", color="black", linewidth=1)
        ax.set(ylim=(0, 9), xlabel="expected -log10 p")
        ax.set_title(title, fontsize=9)
    axes[0].set_ylabel("observed -log10 p")
    save(figure, folder / "tails.png")

    figure, axes = plt.subplots(1, len(kept), figsize=(3 * len(kept), 3.0), squeeze=False)
    for ax, (name, by_method) in zip(axes[0], kept.items(), strict=True):
        z, relevant, q = by_method["MultiSURF"]
        order = np.argsort(-z, kind="stable")[:60]
        ax.bar(np.arange(len(order)), z[order], color=np.where(relevant[order], COLOURS[0], "#bbbbbb"), width=0.9)
        ax.axvline((q <= LEVEL).sum() - 0.5, color=COLOURS[1], linewidth=1.4)
        ax.set_title(name, fontsize=9)
        ax.set_xlabel("best 60 features by MultiSURF")
    axes[0, 0].set_ylabel("z")
    save(figure, folder / "found.png")


def put(name: str, text: str) -> None:
    """Replace a part of the page."""
    whole = PAGE.read_text(encoding="utf-8")
    before, _, rest = whole.partition(BEGIN.format(name))
    after = rest.partition(END.format(name))[2]
    PAGE.write_text(
        f"{before}{BEGIN.format(name)}\n\n{text}\n\n{END.format(name)}{after}", encoding="utf-8", newline="\n"
    )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=30)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    powers, kept = signals_table(arguments.data)
    print(powers, flush=True)
    found = levels(arguments.sets)
    rates = levels_table(found)
    print(rates)
    if arguments.write:
        put("levels", f"{arguments.sets} sets of {ROWS} x {FEATURES} for each of {len(DESIGNS)} designs.\n\n{rates}")
        put("power", powers)
        draw(found, kept, PAGE.parent / "significance")


if __name__ == "__main__":
    main()
