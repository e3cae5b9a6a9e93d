"""Proposals of rankings to give a column a role in the study, as the group of rows or a covariate.

`rank` finds them and writes them to `info`; *p-values* of the rankers ask before they are computed.
"""

from collections.abc import Collection
from typing import NamedTuple

from ..jobs.result import Result


class Proposal(NamedTuple):
    """Column that may have a role in the study.

    Attributes
    ----------
    role : str
        GROUP or COVARIATE of `study_roles`.
    name : str
        Name of the column.
    advice : str
        A sentence on why, without its full stop.
    """

    role: str
    name: str
    advice: str


def open_proposal(result: Result, roles: Collection[str], refused: Collection[str]) -> Proposal | None:
    """Return the first proposal of rankings that is still to be answered; None without one.

    roles: roles that columns can have in the window.
    refused: names of columns that the user gives no role.
    """
    for job, ranking in result.rankings.items():
        if not job.own:
            continue
        for role, name, advice in ranking.info.get("proposals", ()):
            if role in roles and name not in refused:
                return Proposal(role, name, advice)
    return None
