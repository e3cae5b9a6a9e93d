"""Entries of `Ranking.info`: the record that every step of a ranking adds to, and the entries that all methods have.

Most steps of the check of a call get the `Info` of the call, and add to it in place. `notes_on_data` and methods return
an `Info` of their own, which `merge_info` joins with it. A method declares its own entries as `InfoEntry`.
"""

from typing import Any, NamedTuple

# Choices and figures of a ranking, as plain literals: the entries of `COMMON`, and those that its method declares.
Info = dict[str, Any]


class InfoEntry(NamedTuple):
    """Entry of `Ranking.info`.

    Attributes
    ----------
    name : str
        Key of the entry.
    type : type
        Type of the value, a plain literal that JSON can store, for example ``list[int]`` or ``float | None``.
    meaning : str
        Meaning in a few words. The page on scripts explains it.
    """

    name: str
    type: Any
    meaning: str


COMMON = (
    InfoEntry("task", str, "kind of target"),
    InfoEntry("rows", int, "number of rows that are ranked"),
    InfoEntry("missing", float, "share of missing values of features"),
    InfoEntry("target", list[str], "names of the targets, if they have names"),
    InfoEntry("class_names", list[str], "names of the classes, of a single target of classes"),
    InfoEntry("classes", int, "number of classes"),
    InfoEntry("labels", int, "number of labels of label sets and hierarchies"),
    InfoEntry("targets", int, "number of targets, if there are several"),
    InfoEntry("events", int, "number of events of times with censoring"),
    InfoEntry("censored", float, "share of rows whose time is censored"),
    InfoEntry("event", str, "value that says that there was an event"),
    InfoEntry("adjusted_for", list[str], "covariates that scores are adjusted for"),
    InfoEntry("row_groups", int, "number of groups of rows, for example of persons"),
    InfoEntry("auto", str, 'chosen method and the reason, for the method "auto"'),
    InfoEntry("suspects", list[int], "features that identify rows, or are functions of the target"),
    InfoEntry(
        "proposals", list[list[str]], "columns that may be the group or a covariate: role, name and reason of each"
    ),
    InfoEntry("kept", list[int], "features that are always selected"),
    InfoEntry("members", list[list[int]], "features of each group of features"),
    InfoEntry("instances", int, "number of target rows"),
    InfoEntry("final", bool, "whether no better result follows"),
    InfoEntry("seconds", float, "wall time without compilation and loading of code"),
    InfoEntry("compile_seconds", float, "time of compilation, once after installation; only from 1 s on"),
    InfoEntry("summary", str, "choices and time in one line"),
    InfoEntry("warnings", list[str], "possible problems, in sentences"),
    InfoEntry("information", list[str], "facts, in sentences"),
)


def merge_info(*records: Info) -> Info:
    """Merge records of one ranking. Messages and proposals are joined; of every other entry the last one counts."""
    merged: Info = {}
    for record in records:
        merged |= record
    for name in ("warnings", "information", "proposals"):
        entries = [entry for record in records for entry in record.get(name, ())]
        if entries or name != "proposals":
            merged[name] = entries
    return merged
