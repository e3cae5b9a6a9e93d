"""Simulated studies of SNPs in linkage blocks, with a pair that tells nothing alone, and what methods find of it.

python benchmarks/gwas.py make study.bed [--people 1000] [--snps 50000] [--strength 0.8] [--seed 0]
python benchmarks/gwas.py run [--results doc/genotypes/pair.csv] [--most 1000000] [--seeds 3]
python benchmarks/gwas.py draw [--results doc/genotypes/pair.csv]

make: .bed, .bim and .fam; the pair is printed.  run: a line for each method, number of SNPs and seed is added to the
results; those that are there are not computed again.  draw: a picture and a table of them, beside them.

A block has a few ancestral stretches, of which everybody has two, with some alleles changed: neighbours are correlated.
Cases are people with exactly one heterozygous SNP of the pair; with probability (1 - strength) / 2 it is the reverse.
Half of the people are heterozygous at each, so that each alone tells nothing.
"""

import argparse
import csv
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import table

BLOCK, ANCESTORS, CHANGED = 16, 6, 0.02  # SNPs of a block, stretches it descends from, share of changed alleles
AT_ONCE = 2**12  # SNPs that are made together, a multiple of BLOCK and of 64
CHROMOSOMES, STEP = 22, 3000  # base pairs between two SNPs
AMONG = 200  # the best ones, of which a network is made
TAG = 0.8  # r² of SNPs that count as those of the pair
SIZES = (1000, 10_000, 50_000, 100_000, 1_000_000)
MOST = {"learnedrelief": 50_000}  # SNPs, where a method reads numbers
PATIENCE = {1_000_000: 1, 100_000: 1}  # seeds of large studies
METHODS = {
    "relieff": ("ReliefF", {"missing": "ignore"}),
    "multisurf": ("MultiSURF", {"missing": "ignore"}),
    "turf": ("TuRF", {"core": ("relieff", (("missing", "ignore"),))}),
    "learnedrelief": ("Learned space", {"missing": "ignore"}),
}
RESULTS = Path(__file__).resolve().parent.parent / "doc" / "genotypes" / "pair.csv"
FIELDS = ("method", "snps", "seed", "first", "second", "seconds")


class Study:
    """People (n) and SNPs (p) of which a pair decides; SNPs are made some at a time, always the same."""

    def __init__(self, n: int, p: int, strength: float, seed: int):
        self.n, self.p, self.seed = n, p, seed
        rng = np.random.default_rng([seed, 1])
        blocks = rng.choice(p // BLOCK, 2, replace=False)
        self.pair = np.sort(blocks * BLOCK + rng.integers(0, BLOCK, 2))
        self.codes = np.array([self._pair_codes(f)[:, f % BLOCK] for f in self.pair])
        likely = np.where((self.codes == 1).sum(axis=0) == 1, 1 + strength, 1 - strength) / 2
        self.cases = (rng.random(n) < likely).astype(int)

    def blocks(self) -> Iterator[np.ndarray]:
        """Codes (n, <= AT_ONCE) int8, one stretch of SNPs after another."""
        for first in range(0, self.p, AT_ONCE):
            found = np.concatenate([self._block(s) for s in range(first, min(first + AT_ONCE, self.p), BLOCK)], axis=1)
            yield found[:, : self.p - first]

    def _pair_codes(self, f: int) -> np.ndarray:
        return self._block(f - f % BLOCK)

    def _block(self, first: int) -> np.ndarray:
        rng = np.random.default_rng([self.seed, 2, first])
        frequency = rng.uniform(0.1, 0.5, BLOCK)
        ancestors = rng.random((ANCESTORS, BLOCK)) < frequency
        for f in self.pair:
            if first <= f < first + BLOCK:  # half of them have the allele
                ancestors[:, f - first] = rng.permutation(ANCESTORS) < ANCESTORS // 2
        strands = ancestors[rng.integers(0, ANCESTORS, (2, self.n))] ^ (rng.random((2, self.n, BLOCK)) < CHANGED)
        return strands.sum(axis=0).astype(np.int8)

    def tags(self, f: int) -> np.ndarray:
        """SNPs of the block of one of the pair that say as much as it does."""
        own = self._pair_codes(f).astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            r = np.corrcoef(own, rowvar=False)[f % BLOCK]
        return f - f % BLOCK + np.flatnonzero(np.nan_to_num(r) ** 2 >= TAG)


def make(path: Path, study: Study) -> None:
    """Write a study as .bed, .bim and .fam."""
    from orangecontrib.reliefe.core import Packed
    from orangecontrib.reliefe.genetics.genotypes import Genotypes, Variants, write_bed

    per = -(-study.p // CHROMOSOMES)
    number = np.arange(study.p)
    variants = Variants(
        np.array([f"rs{f + 1}" for f in number], object),
        (number // per + 1).astype(str).astype(object),
        (number % per + 1) * STEP,
        np.full(study.p, "A", object),
        np.full(study.p, "G", object),
    )
    people = np.array([f"P{i + 1}" for i in range(study.n)], object)
    codes = Packed.of_blocks(study.n, study.p, study.blocks())
    write_bed(path, Genotypes(codes, people, variants), study.cases + 1)
    names = " and ".join(f"rs{f + 1}" for f in study.pair)
    print(f"{path}: {study.n:,} people, {study.p:,} SNPs, {study.cases.sum():,} cases; the pair is {names}")


def run(results: Path, most: int, seeds: int, n: int, strength: float) -> None:
    """Add what is not in the results yet."""
    from orangecontrib.reliefe.core import Packed, rank

    done = {(row["method"], int(row["snps"]), int(row["seed"])) for row in read(results)}
    for p in (size for size in SIZES if size <= most):
        for seed in range(min(seeds, PATIENCE.get(p, seeds))):
            wanted = [m for m in METHODS if (m, p, seed) not in done and p <= MOST.get(m, p)]
            if not wanted:
                continue
            study = Study(n, p, strength, seed)
            packed = Packed.of_blocks(n, p, study.blocks())
            for method in wanted:
                begin = time.perf_counter()
                found = rank(packed, study.cases, method, **METHODS[method][1])
                seconds = time.perf_counter() - begin
                place = np.empty(p, int)
                place[found.ranking] = np.arange(1, p + 1)
                first, second = sorted(int(place[study.tags(f)].min()) for f in study.pair)
                row = dict(zip(FIELDS, (method, p, seed, first, second, round(seconds, 2)), strict=True))
                add(results, row)
                print(row, flush=True)


def read(results: Path) -> list[dict[str, str]]:
    """Lines of the results; none where there is no file."""
    if not results.exists():
        return []
    with results.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def add(results: Path, row: dict[str, object]) -> None:
    """A line more."""
    results.parent.mkdir(parents=True, exist_ok=True)
    new = not results.exists()
    with results.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def draw(results: Path) -> None:
    """Write a picture of the rank of the second one of the pair, and print a table: in how many studies it is among the
    best, its median rank, and seconds."""
    rows = read(results)
    sizes = sorted({int(row["snps"]) for row in rows})
    median: dict[tuple[str, int], float] = {}
    lines = []
    for method in METHODS:
        cells = [METHODS[method][0]]
        for p in sizes:
            own = [row for row in rows if row["method"] == method and int(row["snps"]) == p]
            if own:
                places = [int(row["second"]) for row in own]
                median[method, p] = statistics.median(places)
                seconds = statistics.median(float(row["seconds"]) for row in own)
                among = sum(place <= AMONG for place in places)
                cells.append(f"{among} of {len(own)}; {median[method, p]:,.0f} ({seconds:.1f} s)")
            else:
                cells.append("")
        lines.append(cells)
    print(table(["method", *(f"{p:,}" for p in sizes)], lines, markdown=True))
    picture(sizes, median, results.with_suffix(".png"))


def picture(sizes: list[int], median: dict[tuple[str, int], float], path: Path) -> None:
    """Write curves of ranks, both axes by powers of ten."""
    import matplotlib.pyplot as plt
    from pictures import COLOURS, WIDE, save

    figure, axes = plt.subplots(figsize=(WIDE, 3.4))
    axes.plot(sizes, [2 * p / 3 for p in sizes], color="#9aa5b1", linestyle="--", label="chance")
    for method, colour in zip(METHODS, COLOURS, strict=False):
        own = [p for p in sizes if (method, p) in median]
        axes.plot(own, [median[method, p] for p in own], "o-", color=colour, label=METHODS[method][0], alpha=0.8)
    axes.set(
        xscale="log", yscale="log", xlabel="SNPs", ylabel="rank of the second one of the pair", ylim=(sizes[-1], 1)
    )
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, path)


def main() -> None:
    """Do what the first argument says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "run", "draw"))
    parser.add_argument("path", nargs="?", type=Path)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--snps", type=int, default=50_000)
    parser.add_argument("--strength", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--results", type=Path, default=RESULTS)
    given = parser.parse_args()
    if given.what == "make":
        if given.path is None:
            parser.error("make needs the name of a .bed")
        make(given.path, Study(given.people, given.snps, given.strength, given.seed))
    elif given.what == "run":
        run(given.results, given.most, given.seeds, given.people, given.strength)
    else:
        draw(given.results)


if __name__ == "__main__":
    main()
