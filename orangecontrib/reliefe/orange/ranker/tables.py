"""Tables that a ranker sends: selected and remaining features, marked data, scores."""

from collections.abc import Collection, Sequence

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.util import get_unique_names

from ...widgets.ranker.measures import kind_of
from ...widgets.table.model import Column
from .scores import Scores

SELECTED = "selected"  # attribute of a variable


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


def marked_table(data: Table, names: Sequence[str], selected: Collection[str], columns: Sequence[Scores]) -> Table:
    """`data` with what was found written into the attributes of its features: "selected", and each finite score.

    names: of the features that were ranked.  Rows and values are the same, and the variables of `data` stay as they
    are; marks of an earlier selection are replaced.
    """
    places, selected, domain, marked = {name: f for f, name in enumerate(names)}, set(selected), data.domain, []
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
    names: Sequence[str], columns: Sequence[Scores], attributes: Sequence[Column] = (), lead: Scores | None = None
) -> Table | None:
    """A row for each feature, a column for each method (and for each of its labels); None without scores.

    attributes: of the features, as metas, behind z, p, q and the kind of the leading score if these are known.
    """
    from ..ranking import scores_table as table_of

    values = {}
    for scores in columns:
        values[scores.title] = scores.values
        values |= {f"{scores.title} ({label})": own for label, own in scores.each}
    tested = lead is not None and lead.significance is not None
    tests, kinds = (lead.significance.columns, kind_of(lead.significance, lead.level)) if tested else ({}, ())
    return with_texts(table_of(names, values, tests), [*kinds, *attributes]) if columns else None


def with_texts(table: Table, attributes: Sequence[Column]) -> Table:
    """A table of scores with attributes of the features as further metas, under names that are not taken."""
    from ..ranking import FACT

    domain, metas = table.domain, list(table.domain.metas)
    for attribute in attributes:
        taken = [variable.name for variable in (*domain.variables, *metas)]
        of_numbers = isinstance(attribute.values, np.ndarray)
        kind = ContinuousVariable if of_numbers else StringVariable
        metas.append(kind(get_unique_names(taken, attribute.title)))
        metas[-1].attributes |= {FACT: "yes"} if of_numbers else {}
    texts = np.array([*table.metas.T, *(attribute.values for attribute in attributes)], dtype=object).T
    described = Table.from_numpy(Domain(domain.attributes, metas=metas), table.X, metas=texts)
    described.name = table.name
    return described
