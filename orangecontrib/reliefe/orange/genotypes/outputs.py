"""Outputs of a ranking of variants: the best variants of all people, and scores."""

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, StringVariable, Table
from Orange.data.util import get_unique_names, get_unique_names_duplicates

from ..ranker.tables import reduced_table
from ..ranking import FACT, FEATURE, numeric
from .from_table import CHROMOSOME, CODES, COUNTED, OTHER, POSITION, people_of
from .result import Found

MOST_SCORES = 100_000  # rows of a table of scores: the best variants
PERSON = "person"  # name of the meta that names people


def save_best(found: Found, path: str, n: int) -> None:
    """Write the n best variants, or a plot of all, by the ending of a path; raises what `GenotypeRanking.save` does."""
    from ...genetics import GenotypeRanking

    kept = found.kept
    facts = kept.frequency, kept.told, found.single_variants
    ranking = GenotypeRanking(found.scored.ranking, kept.data, kept.phenotype, *facts)
    ranking.save(path, n)


def names_of(variants, chosen: np.ndarray) -> list[str]:
    """Names of the chosen variants, all different: by place where they have none."""
    names, chromosome, position = (
        each[chosen].tolist() for each in (variants.name, variants.chromosome, variants.position)
    )
    places = zip(names, chromosome, position, strict=True)
    return get_unique_names_duplicates([f"{c}:{p}" if name in (".", "") else name for name, c, p in places])


def best_table(found: Found, n: int, table: Table | None) -> Table | None:
    """The n best variants, the best first, of the people that were ranked; of a table its own features.

    Else features are nominal, 0, 1, 2, with chromosome, position and alleles as attributes; the phenotype is the
    target, and names of people are a meta.
    """
    if found.scored is None:
        return None
    chosen, data = found.scored.order[:n], found.kept.data
    if table is not None:
        rows = {name: row for row, name in enumerate(people_of(table).tolist())}
        some = table[[rows[name] for name in data.people.tolist()]]
        features = {feature.name: feature for feature in table.domain.attributes}
        return reduced_table(some, [features[name] for name in data.variants.name[chosen].tolist()])
    v, some = data.variants, data.columns(chosen)
    features = []
    for name, f in zip(names_of(v, chosen), chosen.tolist(), strict=True):
        feature = DiscreteVariable(name, CODES)
        facts = {CHROMOSOME: str(v.chromosome[f]), POSITION: str(v.position[f])}
        facts |= {COUNTED: str(v.counted[f]), OTHER: str(v.other[f])}
        feature.attributes = {key: fact for key, fact in facts.items() if fact not in ("", "0")}
        features.append(feature)
    taken = [feature.name for feature in features]
    name, y = get_unique_names(taken, found.kept.name), found.kept.phenotype
    target = ContinuousVariable(name)
    if y.dtype.kind != "f":
        classes, y = np.unique(y, return_inverse=True)
        target = DiscreteVariable(name, tuple(classes.tolist()))
    person = StringVariable(get_unique_names([*taken, target.name], PERSON))
    codes = some.codes.codes(0, len(chosen))
    X = np.where(codes < 0, np.nan, codes)
    people = data.people.astype(object)[:, None]
    best = Table.from_numpy(Domain(features, target, [person]), X, y, people)
    best.name = "Best variants"
    return best


def scores_of(found: Found, most: int = MOST_SCORES) -> Table | None:
    """A row for each of the best variants, the best first: its score, facts about it, and z, p and q."""
    from ...core import METHODS

    if found.scored is None:
        return None
    ranking, v = found.scored.ranking, found.kept.data.variants
    best = found.scored.order[:most]
    facts = [ContinuousVariable("Position", number_of_decimals=0), ContinuousVariable("Frequency")]
    for variable in facts:
        variable.attributes[FACT] = "yes"
    tests = ranking.significance.columns if ranking.significance else {}
    texts = [StringVariable(title) for title in (FEATURE, "Chromosome", "Counted allele", "Other allele")]
    score = ContinuousVariable(METHODS[ranking.method].title)
    domain = Domain([score], metas=[*texts, *facts, *map(numeric, tests)])
    columns = [names_of(v, best), v.chromosome[best], v.counted[best], v.other[best], v.position[best]]
    columns += [found.kept.frequency[best], *(test[best] for test in tests.values())]
    metas = np.empty((len(best), len(columns)), object)
    for place, column in enumerate(columns):
        metas[:, place] = column
    table = Table.from_numpy(domain, ranking.scores[best][:, None], metas=metas)
    table.name = "Variant scores"
    return table
