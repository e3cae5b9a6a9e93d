"""Columns with a role in a study that a table carries to the rankers: the group of rows, and covariates.

*Open Data* marks the columns. The study of the rankers takes marked ones in their roles, until the user chooses
otherwise.
"""

from Orange.data import Domain, Table

from ..core.words import choices, shown

GROUP = "group"  # equal values belong together, as visits of a person
COVARIATE = "covariate"  # scores are adjusted for it
# Attributes of the variables by the roles
MARKS = {GROUP: "group_of_rows", COVARIATE: "covariate_of_rows"}
VALUE = "yes"


def with_role(table: Table, name: str, role: str) -> Table:
    """Return the table with a column as a meta that is marked for a role; the variable of the caller stays unmarked.

    Raises ValueError if there is no such column, or it is the target.
    """
    domain = table.domain
    names = [variable.name for variable in (*domain.attributes, *domain.metas)]
    if name not in names:
        title = "the group of rows" if role == GROUP else "a covariate"
        raise ValueError(f"there is no column {shown(name)} for {title}; {choices(name, names, shown)}")
    variable = domain[name]
    marked = variable.copy()
    marked.attributes = {**variable.attributes, MARKS[role]: VALUE}
    attributes = [v for v in domain.attributes if v is not variable]
    metas = [v for v in domain.metas if v is not variable]
    changed = table.transform(Domain(attributes, domain.class_vars, [*metas, marked]))
    changed.name = table.name
    return changed


def names_with_role(domain: Domain, role: str) -> list[str]:
    """Return the names of the columns that are marked for a role."""
    variables = (*domain.metas, *domain.attributes)
    return [variable.name for variable in variables if variable.attributes.get(MARKS[role]) == VALUE]
