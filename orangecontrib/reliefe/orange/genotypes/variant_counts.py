"""Numbers of people with each genotype of a variant, by class, as Rank Genotypes shows them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .result import VariantResult

UNKNOWN, FREQUENCY = "?", "Freq."  # columns
WORDS = {UNKNOWN: "unknown", FREQUENCY: "frequency of the counted allele"}
MOST_CLASSES = 30  # that are counted; the rarest others are left out


@dataclass(frozen=True)
class VariantCounts:
    """Table of a variant."""

    title: str  # name of the variant
    facts: str  # its place, alleles, score and p-value
    columns: tuple[str, ...]  # titles
    rows: tuple[tuple[str, ...], ...]  # texts, the first of which is the name of the row

    @property
    def text(self) -> str:
        """The table as sentences, for screen readers."""
        lines = [f"{self.title}: {self.facts}"]
        for name, *cells in self.rows:
            parts = (
                f"{WORDS.get(column, column)} {cell}" for column, cell in zip(self.columns[1:], cells, strict=True)
            )
            lines.append(f"{name}: {', '.join(parts)}")
        return ". ".join(lines)


def counts_of(found: VariantResult, variant: int) -> VariantCounts:
    """Count the people with each genotype, class by class; for a number, its mean for each genotype.

    A dosage counts as the nearest genotype.

    Parameters
    ----------
    found : VariantResult
        Result with scores.
    variant : int
        Index of the variant.
    """
    kept = found.kept
    codes, y = kept.data.codes.codes(variant, variant + 1)[:, 0], kept.phenotype
    v = kept.data.variants
    counted, other = str(v.counted[variant]), str(v.other[variant])
    named = counted and other and len(counted) + len(other) <= 8
    genotypes = (f"{other}/{other}", f"{other}/{counted}", f"{counted}/{counted}") if named else ("0", "1", "2")
    rows = _of_numbers(codes, y) if y.dtype.kind == "f" else _of_classes(codes, y)
    columns = ("Class", *genotypes, UNKNOWN, FREQUENCY)
    return VariantCounts(str(v.name[variant]), _facts(found, variant, counted, other), columns, tuple(rows))


def _of_classes(codes: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, ...]]:
    """Rows for the largest classes, and for all people; codes (n,): 0, 1, 2, or -1 for unknown genotypes."""
    classes, sizes = np.unique(y, return_counts=True)
    for name in classes[np.sort(np.argsort(-sizes, kind="stable")[:MOST_CLASSES])].tolist():
        yield name, *_row(codes[y == name])
    yield "all", *_row(codes)


def _of_numbers(codes: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, ...]]:
    """Rows for the means of a number, and for the numbers of people."""
    means = [f"{y[codes == code].mean():.4g}" if (codes == code).any() else "\u2013" for code in (0, 1, 2, -1)]
    yield "mean", *means, ""
    yield "people", *_row(codes)


def _row(codes: np.ndarray) -> tuple[str, ...]:
    """Numbers of people with each genotype, and the frequency of the counted allele."""
    sizes = [int((codes == code).sum()) for code in (0, 1, 2, -1)]
    known = sum(sizes[:3])
    share = f"{(sizes[1] + 2 * sizes[2]) / (2 * known):.3f}" if known else "\u2013"
    return *(f"{size:,}" for size in sizes), share


def _facts(found: VariantResult, variant: int, counted: str, other: str) -> str:
    v, parts = found.kept.data.variants, []
    if v.chromosome[variant]:
        parts.append(f"chromosome {v.chromosome[variant]}")
    if v.position[variant]:
        parts.append(f"position {int(v.position[variant]):,}")
    if counted or other:
        parts.append(f"alleles {counted} (counted) and {other}")
    if found.kept.data.dosages is not None:
        parts.append("dosages counted as the nearest genotypes")
    parts.append(f"frequency of the rarer {found.kept.frequency[variant]:.3f}")
    scored = found.scored
    parts.append(f"score {scored.ranking.scores[variant]:.4g}, rank {scored.rank[variant]:,} of {len(scored.rank):,}")
    test = scored.ranking.significance
    if test is not None:
        parts.append(f"p {test.p[variant]:.3g}, q {test.q[variant]:.3g}")
    return ", ".join(parts)
