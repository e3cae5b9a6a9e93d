"""Tables that a ranker sends: selected and remaining features, marked data, scores."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from ..scores_table import FACT
from ..scores_table import scores_table as table_of_scores
from .scores import MethodScores

SELECTED = "selected"  # attribute of a variable


class Fact(NamedTuple):
    """Something that is known about each feature; in a table it is a meta.

    title: name of the meta, unless it is taken.
    values: (p,) numbers in an array, or texts.
    """

    title: str
    values: Sequence[object]


def reduced_table(data: Table, chosen: Sequence[Variable], metas: Sequence[Variable] = ()) -> Table | None:
    """`data` with the chosen features, all of its targets and metas, and further ones; None without any feature."""
    if not chosen:
        return None
    domain = data.domain
    return data.transform(Domain(chosen, domain.class_vars, tuple(dict.fromkeys((*domain.metas, *metas)))))


def remaining_domain(data: Table, chosen: Sequence[Variable]) -> Domain:
    """The domain of `data` without the chosen features; all targets and metas stay."""
    left_out, domain = set(chosen), data.domain
    return Domain([v for v in domain.attributes if v not in left_out], domain.class_vars, domain.metas)


def marked_table(
    data: Table, places: Mapping[str, int], selected: Collection[str], columns: Sequence[MethodScores]
) -> Table:
    """`data` with what was found written into the attributes of its features: "selected", and each finite score.

    Rows and values are the same, and the variables of `data` stay as they are; marks of an earlier selection are
    replaced.

    Parameters
    ----------
    data : Table
    places : mapping of str to int
        Index of the score of each feature that was ranked, alone or in a group, by its name.
    selected : collection of str
        Names of the selected features.
    columns : sequence of MethodScores
    """
    selected = set(selected)
    domain = data.domain
    marked = []
    for variable in domain.attributes:
        copy, place = variable.copy(), places.get(variable.name)
        copy.attributes.pop(SELECTED, None)
        if place is not None:
            scores = {each.title: float(each.values[place]) for each in columns}
            copy.attributes |= {title: score for title, score in scores.items() if np.isfinite(score)}
        if variable.name in selected:
            copy.attributes[SELECTED] = True
        marked.append(copy)
    table = data[:]  # a conversion would look at each feature, and make sparse data dense
    table.domain = Domain(marked, domain.class_vars, domain.metas)
    return table


def scores_table(
    names: Sequence[str], columns: Sequence[MethodScores], facts: Sequence[Fact] = (), lead: MethodScores | None = None
) -> Table | None:
    """A row for each feature, a column for each method (and for each of its labels); None without scores.

    facts: about the features, as metas, behind z, p, q and the kind of the leading score if these are known.
    """
    values = {}
    for scores in columns:
        values[scores.title] = scores.values
        values |= {f"{scores.title} ({label})": own for label, own in scores.each}
    tests: dict[str, np.ndarray] = {}
    if lead is not None and lead.significance is not None:
        tests, kinds = lead.significance.columns, lead.significance.kinds(lead.level)
        facts = facts if kinds is None else [Fact("kind", kinds.tolist()), *facts]
        facts = [*(Fact(title, texts) for title, texts in lead.significance.text_columns.items()), *facts]
    return _with_facts(table_of_scores(names, values, tests), facts) if columns else None


def _with_facts(table: Table, facts: Sequence[Fact]) -> Table:
    """Return a table of scores with facts as further metas, under names that are not taken."""
    domain, metas = table.domain, list(table.domain.metas)
    for fact in facts:
        taken = [variable.name for variable in (*domain.variables, *metas)]
        of_numbers = isinstance(fact.values, np.ndarray)
        kind = ContinuousVariable if of_numbers else StringVariable
        metas.append(kind(get_unique_names(taken, fact.title)))
        metas[-1].attributes |= {FACT: "yes"} if of_numbers else {}
    texts = np.array([*table.metas.T, *(fact.values for fact in facts)], dtype=object).T
    described = Table.from_numpy(Domain(domain.attributes, metas=metas), table.X, metas=texts)
    described.name = table.name
    return described
