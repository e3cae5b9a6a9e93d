"""Proposals of rankings to give a column a role in the study, as the group of rows or a covariate.

`rank` finds them and writes them to `info`; *p-values* of the rankers ask before they are computed.
"""

from collections.abc import Collection, Sequence
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


def open_proposal(result: Result, roles: Collection[str], refused: Collection[Sequence[str]]) -> Proposal | None:
    """Return the first proposal of rankings that is still to be answered; None without one.

    A column that has a role already is never proposed: methods whose scores are not adjusted rank without covariates,
    and propose these again.

    roles: roles that columns can have in the window.
    refused: pairs of a role and the name of a column that the user does not give it.
    """
    declined = {tuple(pair) for pair in refused}
    for job, ranking in result.rankings.items():
        if not job.is_of_core:
            continue
        for role, name, advice in ranking.info.get("proposals", ()):
            has_role = name in job.covariates or name == job.group
            if role in roles and not has_role and (role, name) not in declined:
                return Proposal(role, name, advice)
    return None
