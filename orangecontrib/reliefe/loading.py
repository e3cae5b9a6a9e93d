"""Tables for the command line, which must not run what a file brings along."""

import csv
import os
import pickle
import sys
import warnings
import zipfile

from Orange.data import Table
from Orange.data.io import BasketReader, CSVReader, ExcelReader, FileFormat, TabReader, XlsReader
from Orange.data.table import dataset_dirs

from .io import ArffFormat

# Known to read values only.  Orange's reader of pickles runs code, and nobody knows what those of other add-ons do.
HARMLESS = (TabReader, CSVReader, ExcelReader, XlsReader, BasketReader, ArffFormat)


def read_table(name: str, trust: bool = False) -> Table:
    """The table in a file, or a data set of Orange.

    Parameters
    ----------
    name : str
        A path, or the name of a data set: heart_disease.
    trust : bool
        Whether the file, and one with its metadata beside it, may run code when it is read: pickles do.  Otherwise
        metadata are left aside, as they take no part in a ranking.

    Returns
    -------
    Orange.data.Table

    Raises
    ------
    ValueError
        If there is no such file, it cannot be read, or only files that are trusted may be.
    """
    if "://" in name:
        raise ValueError(f"cannot read {name!r}: download the file first, and give its path")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default" if sys.warnoptions else "ignore")
            return _read(name, trust)
    except OSError as error:
        if os.path.exists(name):
            raise ValueError(f"cannot read {name!r} ({error}); files that can be read: {_known(trust)}") from error
        raise ValueError(f"there is no file and no data set of Orange named {name!r}") from error
    except (
        ValueError, TypeError, LookupError, AttributeError, EOFError, ImportError, csv.Error, pickle.UnpicklingError,
        zipfile.BadZipFile,
    ) as error:  # fmt: skip
        raise ValueError(f"cannot read {name!r}: {error}") from error


def _read(name: str, trust: bool) -> Table:
    path = FileFormat.locate(name, dataset_dirs)
    reader = FileFormat.get_reader(path)
    if not trust:
        if type(reader) not in HARMLESS:
            raise ValueError(
                f"to read {os.path.basename(path)!r} may run code that is stored in it, which is only right for files "
                f"from somebody you trust: then add --trust; files that are read without: {_known(trust)}"
            )
        # Orange takes metadata for a pickle first, also where they are text.
        reader.set_table_metadata = lambda *_: None
    return reader.read()


def _known(trust: bool) -> str:
    harmless = {ending for reader in HARMLESS for ending in reader.EXTENSIONS}
    return ", ".join(sorted(ending for ending in FileFormat.readers if trust or ending in harmless))
