"""Entries of `Ranking.info`: the record that every step of a ranking adds to, and the entries that all methods have.

Steps of the check of a call and methods return an `Info`, and `merge_info` joins them. A method declares its own
entries as `Detail`.
"""

from typing import Any, NamedTuple

# Choices and figures of a ranking, as plain literals: the entries of `COMMON`, and those that its method declares.
Info = dict[str, Any]


class Detail(NamedTuple):
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
    Detail("task", str, "kind of target"),
    Detail("rows", int, "number of rows that are ranked"),
    Detail("missing", float, "share of missing values of features"),
    Detail("target", list[str], "names of the targets, if they have names"),
    Detail("class_names", list[str], "names of the classes, of a single target of classes"),
    Detail("classes", int, "number of classes"),
    Detail("labels", int, "number of labels of label sets and hierarchies"),
    Detail("targets", int, "number of targets, if there are several"),
    Detail("events", int, "number of events of times with censoring"),
    Detail("censored", float, "share of rows whose time is censored"),
    Detail("event", str, "value that says that there was an event"),
    Detail("adjusted_for", list[str], "covariates that scores are adjusted for"),
    Detail("row_groups", int, "number of groups of rows, for example of persons"),
    Detail("auto", str, 'chosen method and the reason, for the method "auto"'),
    Detail("suspects", list[int], "features that identify rows, or are functions of the target"),
    Detail("proposals", list[list[str]], "columns that may be the group or a covariate: role, name and reason of each"),
    Detail("kept", list[int], "features that are always selected"),
    Detail("members", list[list[int]], "features of each group of features"),
    Detail("instances", int, "number of target rows"),
    Detail("final", bool, "whether no better result follows"),
    Detail("seconds", float, "wall time without compilation and loading of code"),
    Detail("compile_seconds", float, "time of compilation, once after installation; only from 1 s on"),
    Detail("summary", str, "choices and time in one line"),
    Detail("warnings", list[str], "possible problems, in sentences"),
    Detail("information", list[str], "facts, in sentences"),
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
