"""Choice of the form of data by the name of their file.

`rank` and `describe` ask `data_of`; `best-of` and `power`, which take tables only, ask `table_of`.
"""

# Nothing heavy is imported up here: --help should answer at once.
import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .. import has_orange
from ..formats import refuse_other_name
from .arrays import ArrayData, is_array
from .data import CommandData
from .endings import OF_GENOTYPES, is_genotypes
from .frames import FrameData
from .genotypes import LIMITS, GenotypeData
from .reading_options import take_columns_beside
from .study_options import check_times, read_event

if TYPE_CHECKING:
    from .tables import OrangeData

OPTIONS_OF_GENOTYPES = (
    "phenotype",
    "phenotype_column",
    "additive",
    "dosages",
    "components",
    *LIMITS,
    "resume",
    "best",
)


def data_of(
    arguments: argparse.Namespace, method: str = "auto", parameters: Mapping[str, Any] | None = None
) -> CommandData:
    """Return the data of a command, before they are read.

    Parameters
    ----------
    arguments : Namespace
        Arguments of the command. They are changed in place: --event is split into a column and its word, times set the
        task and are the target, and columns of other tables move their files to `beside`.
    method : str
        Name of the method, on which it may depend whether a target is needed.
    parameters : mapping, optional
        Parameters of the method.

    Raises
    ------
    ValueError
        For a file that another one is given for, and for options that the form does not have.
    """
    refuse_other_name(arguments.data)
    read_event(arguments)
    has_arrays = is_array(arguments)
    if is_genotypes(str(arguments.data)) and not has_arrays:
        check_times(arguments, has_arrays=False)
        return GenotypeData(arguments, method, parameters)
    for name in OPTIONS_OF_GENOTYPES:
        value = getattr(arguments, name, None)
        if value is not None and value is not False:  # 0 is a limit, too
            raise ValueError(f"--{name.replace('_', '-')} is for {OF_GENOTYPES}: leave it out")
    check_times(arguments, has_arrays)
    if has_arrays:
        return ArrayData(arguments, method, parameters)
    return table_of(arguments, method, parameters)


def table_of(
    arguments: argparse.Namespace, method: str, parameters: Mapping[str, Any] | None = None
) -> "FrameData | OrangeData":
    """Return the table of a command, by Orange's readers or without it.

    Arguments are those of `data_of`, and are changed in place, too.
    """
    take_columns_beside(arguments)
    if getattr(arguments, "time", None):
        arguments.target = [arguments.time, arguments.event]
    if not has_orange():
        return FrameData(arguments, method, parameters)
    from .tables import OrangeData

    return OrangeData(arguments, method, parameters)
