"""First sentence on the leading ranking of a ranker, the same as in scripts, reports and the command.

The window shows it above its table, and reports begin with it.
"""

from typing import TYPE_CHECKING

from ..jobs.job import Job
from .scores import SHUFFLES, MethodScores

if TYPE_CHECKING:  # it loads the core
    from ..ranking import TableRanking

BY_TICK = "for p-values tick p-values"
FOLLOW = "p-values follow"


def conclude_lead(lead: MethodScores, ranking: "TableRanking", job: Job, how: str = BY_TICK) -> str:
    """Say what was ranked for what, how many features stand out, and how sure that is.

    Parameters
    ----------
    lead : MethodScores
        The leading scores, with p-values or a null level if there are any.
    ranking : TableRanking
        The ranking that they are of.
    job : Job
        Its job, which has the covariates.
    how : str
        Clause on p-values where there are none yet.

    Returns
    -------
    str
        The sentence. Empty for scores that still change, and for those of another widget, whose target is not known.
    """
    from ...core.conclusion import AboveNull, conclude

    if lead.partial or "task" not in ranking.info:
        return ""
    aim = ranking.aim
    if lead.significance is not None:
        aim = aim._replace(covariates=tuple(job.covariates))
    above = lead.above_null
    null = None if lead.null is None or above is None else AboveNull(lead.null, above, SHUFFLES)
    items = (aim, len(ranking.scores), ranking.noun)
    return conclude(*items, significance=lead.significance, null=null, level=lead.level, how=how)
