"""Column whose equal values belong together, as visits of a person, which a table carries to the rankers.

*Open Data* marks the column. The study of the rankers takes a marked one as the group of rows, until the user chooses
otherwise.
"""

from Orange.data import Domain, Table

from ..core.words import choices, shown

MARK = "group_of_rows"  # attribute of the variable
VALUE = "yes"


def with_group(table: Table, name: str) -> Table:
    """Return the table with a column as a meta, marked as the group of rows; the variable of the caller stays unmarked.

    Raises ValueError if there is no such column, or it is the target.
    """
    domain = table.domain
    names = [variable.name for variable in (*domain.attributes, *domain.metas)]
    if name not in names:
        raise ValueError(f"there is no column {shown(name)} for the group of rows; {choices(name, names, shown)}")
    variable = domain[name]
    marked = variable.copy()
    marked.attributes = {**variable.attributes, MARK: VALUE}
    attributes = [v for v in domain.attributes if v is not variable]
    metas = [v for v in domain.metas if v is not variable]
    grouped = table.transform(Domain(attributes, domain.class_vars, [*metas, marked]))
    grouped.name = table.name
    return grouped


def marked_group(domain: Domain) -> str:
    """Return the name of the column that is marked as the group of rows; empty without one."""
    variables = (*domain.metas, *domain.attributes)
    return next((variable.name for variable in variables if variable.attributes.get(MARK) == VALUE), "")
