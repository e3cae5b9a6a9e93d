"""Outputs of *Rank Genotypes*: tables of the best variants and of scores, and files.

The widget calls `best_table` and `scores_of` with its result, and `save_best` for a path that the user chose.
"""

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names, get_unique_names_duplicates

from ...genetics.genotypes import Genotypes, Variants
from ..ranker.tables import reduced_table
from ..scores_table import FACT, FEATURE, numeric
from .from_table import CHROMOSOME, CODES, COUNTED, OTHER, POSITION, people_of
from .result import VariantResult

MAX_SCORES = 100_000  # rows of a table of scores, those of the best variants; chosen by eye
PERSON = "person"  # name of the meta with names of people
UNNAMED = (".", "")  # instead of the name of a variant
UNKNOWN_FACTS = ("", "0")


def save_best(found: VariantResult, path: str, n: int) -> None:
    """Write the n best variants, or a plot of all, by the ending of a path; raises what `GenotypeRanking.save` does."""
    from ...genetics import GenotypeRanking

    if found.scored is None:
        raise ValueError("the variants are not ranked yet")
    filtered = found.filtered
    ranking = GenotypeRanking.of(
        found.scored.ranking,
        data=filtered.data,
        phenotype=filtered.phenotype,
        frequency=filtered.frequency,
        left_out=filtered.told,
        single_variants=found.single_variants,
    )
    ranking.save(path, n)


def names_of(variants: Variants, chosen: np.ndarray) -> list[str]:
    """Names of the variants with some indices, all different: by position where they have none."""
    names = []
    for j in chosen.tolist():
        name = variants.name[j]
        names.append(f"{variants.chromosome[j]}:{variants.position[j]}" if name in UNNAMED else name)
    unique: list[str] = get_unique_names_duplicates(names)
    return unique


def best_table(found: VariantResult, n: int, table: Table | None) -> Table | None:
    """Make a table of the best variants of the ranked people.

    Parameters
    ----------
    found : VariantResult
        Result of the ranking.
    n : int
        Number of variants.
    table : Table, optional
        Table that genotypes are from, whose features are taken. None: features are nominal, 0, 1, 2, or numbers where
        dosages were read. They have chromosome, position and alleles as attributes. The phenotype is the target, and
        names of people are a meta.

    Returns
    -------
    Table or None
        The variants, the best first. None before the ranking.
    """
    if found.scored is None:
        return None
    best = found.scored.order[:n]
    data = found.filtered.data
    if table is not None:
        row_of = {name: row for row, name in enumerate(people_of(table).tolist())}
        people = table[[row_of[name] for name in data.people.tolist()]]
        feature_of = {feature.name: feature for feature in table.domain.attributes}
        return reduced_table(people, [feature_of[name] for name in data.variants.name[best].tolist()])

    chosen = data.columns(best)
    features = _features(chosen)
    names = [feature.name for feature in features]
    target, y = _target(get_unique_names(names, found.filtered.name), found.filtered.phenotype)
    person = StringVariable(get_unique_names([*names, target.name], PERSON))
    if chosen.dosages is None:
        codes = chosen.codes.codes(0, len(best))
        X = np.where(codes < 0, np.nan, codes)
    else:
        X = chosen.dosages.astype(float)
    metas = data.people.astype(object)[:, None]
    best_variants = Table.from_numpy(Domain(features, target, [person]), X, y, metas)
    best_variants.name = "Best variants"
    return best_variants


def _features(data: Genotypes) -> list[Variable]:
    """Nominal features, or numeric ones where there are dosages, for variants, with facts as attributes."""
    variants = data.variants
    features: list[Variable] = []
    for j, name in enumerate(names_of(variants, np.arange(len(variants)))):
        facts = {
            CHROMOSOME: str(variants.chromosome[j]),
            POSITION: str(variants.position[j]),
            COUNTED: str(variants.counted[j]),
            OTHER: str(variants.other[j]),
        }
        feature = DiscreteVariable(name, CODES) if data.dosages is None else ContinuousVariable(name)
        feature.attributes = {key: fact for key, fact in facts.items() if fact not in UNKNOWN_FACTS}
        features.append(feature)
    return features


def _target(name: str, phenotype: np.ndarray) -> tuple[Variable, np.ndarray]:
    """Variable and values (n,) of a phenotype, numbers or classes."""
    if phenotype.dtype.kind == "f":
        return ContinuousVariable(name), phenotype
    classes, codes = np.unique(phenotype, return_inverse=True)
    return DiscreteVariable(name, tuple(classes.tolist())), codes


def scores_of(found: VariantResult, most: int = MAX_SCORES) -> Table | None:
    """Make a table of scores, with a row for each of the best variants, the best first.

    Parameters
    ----------
    found : VariantResult
        Result of the ranking.
    most : int
        Number of rows, at most.

    Returns
    -------
    Table or None
        Scores as attributes; facts about the variants, z, p and q as metas. None before the ranking.
    """
    if found.scored is None:
        return None
    ranking = found.scored.ranking
    variants = found.filtered.data.variants
    best = found.scored.order[:most]
    tests = ranking.significance.columns if ranking.significance else {}

    # Metas: texts, facts and tests.
    texts = [StringVariable(title) for title in (FEATURE, "Chromosome", "Counted allele", "Other allele")]
    facts = [ContinuousVariable("Position", number_of_decimals=0), ContinuousVariable("Frequency")]
    for variable in facts:
        variable.attributes[FACT] = "yes"
    columns = [
        names_of(variants, best),
        variants.chromosome[best],
        variants.counted[best],
        variants.other[best],
        variants.position[best],
        found.filtered.frequency[best],
        *(test[best] for test in tests.values()),
    ]
    metas = np.empty((len(best), len(columns)), object)
    for k, column in enumerate(columns):
        metas[:, k] = column
    score = ContinuousVariable(ranking.title)
    domain = Domain([score], metas=[*texts, *facts, *map(numeric, tests)])
    table = Table.from_numpy(domain, ranking.scores[best][:, None], metas=metas)
    table.name = "Variant scores"
    return table
