"""Target of a ranking, of the rows in which it is known.

The third step of `Request.check`, after `rows`. `problem` reads the target again if the chosen method takes fewer rows.
"""

from dataclasses import replace

from ..methods.registry import METHODS
from ..targets.accepts import Accepts
from ..targets.reader import ReadTarget, read_target
from ..targets.tasks import SURVIVAL, TASKS, UNSUPERVISED
from ..targets.times_reader import read_times
from .arguments import Arguments
from .rows import Rows

ANY_TARGET = Accepts((*TASKS, SURVIVAL), "ranking", unlabelled=True)  # before the method "auto" is chosen
NOTHING_KNOWN = "the target is unknown in all rows"


def read_known_target(rows: Rows, accepts: Accepts, arguments: Arguments, *, is_automatic: bool = False) -> ReadTarget:
    """Read the target, or times with censoring.

    Parameters
    ----------
    rows : Rows
        Features and target values.
    accepts : Accepts
        Targets that the method takes.
    arguments : Arguments
        The kind of target and the hierarchy that are asked for.
    is_automatic : bool
        Whether no method was named, so that a target that no row has is a mistake.
    """
    times = read_times(rows.y, rows.table.shape[0], arguments.task)
    if times is not None:
        able = (name for name, method in METHODS.items() if SURVIVAL in method.tasks)
        accepts.check(SURVIVAL, f": rank times with censoring by one of {', '.join(able)}")
        return ReadTarget(*times)
    read = read_target(rows.y, rows.table.shape, accepts, arguments.task, arguments.hierarchy)
    is_asked_for = rows.y is not None and arguments.task != UNSUPERVISED and accepts.tasks != (UNSUPERVISED,)
    if not is_asked_for or read.target.task != UNSUPERVISED:
        return read
    if is_automatic:
        raise ValueError(f'{NOTHING_KNOWN}: correct it, or rank without one, task="unsupervised"')
    return replace(read, notes=(f"{NOTHING_KNOWN}: features are ranked without one",))
