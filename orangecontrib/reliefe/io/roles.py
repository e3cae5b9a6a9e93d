"""Roles of the columns of an ARFF file: which of them are targets, features, or neither.

`table.read_arff` calls `roles` with the contents of a file and its path. Roles follow from files beside it (Mulan's
XML, CLUS's settings), from its header, or from the names of its attributes.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast
from xml.parsers import expat

from ..core.data.limits import MAX_TEXT, limit, limit_sentence
from ..core.words import shown
from ..orange.targets import Parents
from .arff import Arff
from .clus import Settings, read_settings
from .header import HIERARCHICAL, NOMINAL, TEXT
from .tokens import Location, whole

CLASS = "class"
TARGETS = (CLASS, "target")
_ENDS = re.compile(r"(\.(gz|bz2|xz))?$", re.IGNORECASE)
_PART = re.compile(r"[-_](train|test)$", re.IGNORECASE)
_MEKA = re.compile(r"(?<![^\s:])-[cC]\s+(-?\d+)\b")


@dataclass(frozen=True)
class ColumnRoles:
    """Roles of columns, which are indices from 0.

    Attributes
    ----------
    targets : tuple of int
        Columns to predict, in the order of the file.
    excluded : tuple of int
        Columns that are neither features nor targets.
    labels : bool
        Whether 0 and 1 of the targets mean absence and presence of a label.
    parents : tuple of tuple of int, optional
        Indices of the parents of each target, if the targets are a hierarchy.
    settings : Settings
        Settings of CLUS, for hierarchical columns.
    """

    targets: tuple[int, ...] = ()
    excluded: tuple[int, ...] = ()
    labels: bool = False
    parents: Parents | None = None
    settings: Settings = field(default_factory=Settings)


def roles(arff: Arff, path: str | Path) -> ColumnRoles:
    """Determine the roles of columns by the first of these that applies:

    1. Mulan's XML of the same name, or of the name without -train or -test;
    2. CLUS's settings .s of the same name, or a hierarchical attribute;
    3. MEKA's -C n in the name of the relation: the first n attributes are targets, the last ones if n < 0, none if n =
    0; 4. KEEL's @outputs;
    5. an attribute with the name "class";
    6. the last attribute if it is nominal or has the name "target".

    A target of texts is nominal, and its values are its different texts.

    Parameters
    ----------
    arff : Arff
        Contents of a file.
    path : str or Path
        Path of the file.

    Raises
    ------
    ValueError
        If a file beside it cannot be read, or names attributes that do not exist.
    """
    stem = stem_of(path)
    result = _mulan(arff, stem) or _clus(arff, stem) or _meka(arff) or _keel(arff) or ColumnRoles(_weka(arff))
    hierarchical = [j for j in result.targets if arff.attributes[j].kind == HIERARCHICAL]
    if len(hierarchical) > 1:
        first, second = (arff.attributes[j] for j in hierarchical[:2])
        error = f"only one target can be hierarchical, not {shown(first.name)} and {shown(second.name)}"
        raise arff.location(second.line).error(1, error)
    are_nominal = all(arff.attributes[j].kind == NOMINAL for j in result.targets)
    return replace(result, labels=result.labels or (are_nominal and len(result.targets) > 1))


def stem_of(path: str | Path) -> Path:
    """Return the path without .arff, and without the ending of a compressed file."""
    path = Path(path)
    return path.with_name(_ENDS.sub("", path.name)).with_suffix("")


def _mulan(arff: Arff, stem: Path) -> ColumnRoles | None:
    """Roles by Mulan's XML, which lists the labels."""
    files = [stem.with_name(name + ".xml") for name in dict.fromkeys((stem.name, _PART.sub("", stem.name)))]
    file = next((file for file in files if file.is_file()), None)
    document = _Document(file) if file else None
    if document is None or document.foreign:
        return None
    columns = {_plain(attribute.name): j for j, attribute in enumerate(arff.attributes)}
    columns |= {attribute.name: j for j, attribute in enumerate(arff.attributes)}
    targets = [columns.get(name, columns.get(_plain(name))) for name in document.lines]
    if None in targets:
        name, line = [*document.lines.items()][targets.index(None)]
        raise Location(document.path.name, line).error(1, f"the label {shown(name)} is no attribute of {arff.name}")
    parents = tuple(document.parents) if any(document.parents) else None
    return ColumnRoles(tuple(cast("list[int]", targets)), labels=True, parents=parents)


def _plain(name: str) -> str:
    """Name without backslashes: the ARFF and the XML files of Mulan do not escape in the same way."""
    return name.replace("\\", "")


def _clus(arff: Arff, stem: Path) -> ColumnRoles | None:
    """Roles by CLUS's settings, or by a hierarchical attribute."""
    file = stem.with_name(stem.name + ".s")
    p = len(arff.attributes)
    if not file.is_file():
        hierarchical = tuple(j for j, attribute in enumerate(arff.attributes) if attribute.kind == HIERARCHICAL)
        return ColumnRoles(hierarchical[-1:]) if hierarchical else None
    settings = read_settings(file, p)
    targets = (p - 1,) if settings.target is None else settings.target
    excluded = set(settings.excluded)
    if settings.descriptive is not None:
        excluded |= set(range(p)) - set(settings.descriptive)
    return ColumnRoles(targets, tuple(sorted(excluded - set(targets))), settings=settings)


def labels_in(relation: str) -> str | None:
    """Return the number after -C, behind a colon in the name of a relation (MEKA); None without one."""
    match = _MEKA.search(relation, relation.find(":") + 1) if ":" in relation else None
    return match[1] if match else None


def _meka(arff: Arff) -> ColumnRoles | None:
    """Roles by MEKA's -C n in the name of the relation."""
    text = labels_in(arff.relation)
    p = len(arff.attributes)
    if text is None:
        return None
    count = whole(text)
    if count is None or abs(count) > p:
        error = f"the relation has {shown(text)[1:-1]} labels by its -C, but there are {p} attributes"
        raise arff.location(arff.declared.get("@relation", 1)).error(1, error)
    columns = range(count) if count > 0 else range(p + count, p)
    return ColumnRoles(tuple(columns))


def _keel(arff: Arff) -> ColumnRoles | None:
    """Roles by KEEL's @outputs."""
    index = {attribute.name: j for j, attribute in enumerate(arff.attributes)}
    missing = next((name for name in arff.outputs if name not in index), None)
    if missing is not None:
        error = f"@outputs names {shown(missing)}, which is no attribute"
        raise arff.location(arff.declared["@outputs"]).error(1, error)
    return ColumnRoles(tuple(dict.fromkeys(index[name] for name in arff.outputs))) if arff.outputs else None


def _weka(arff: Arff) -> tuple[int, ...]:
    """Target by the names of attributes, or the last attribute if it is nominal; none if that is a number."""
    classes = [j for j, a in enumerate(arff.attributes) if a.name.lower() == CLASS and a.kind != TEXT]
    if classes:
        return (classes[-1],)
    last = len(arff.attributes) - 1
    attribute = arff.attributes[last]
    is_target = attribute.kind == NOMINAL or attribute.name.lower() in TARGETS
    return (last,) if last and is_target else ()


class _Document:
    """Labels of an XML of Mulan, whose nesting is their hierarchy::

        <labels xmlns="http://mulan.sourceforge.net/labels">
          <label name="a"><label name="b"/></label>
        </labels>

    Attributes
    ----------
    path : Path
        Path of the file.
    lines : dict of str to int
        Lines of the labels by their names, in the order of the file.
    parents : list of tuple of int
        Index of the parent of each label, if it has one.
    foreign : bool
        Whether the file is no list of labels.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[str, int] = {}
        self.parents: list[tuple[int, ...]] = []
        self.foreign = False
        self._above: list[int | None] = []
        self._refusal: ValueError | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity
        if self.path.stat().st_size > limit(MAX_TEXT):
            raise Location(self.path.name, 1).error(1, f"the bytes of this file are {limit_sentence(MAX_TEXT)}")
        try:
            self._parser.Parse(self.path.read_bytes(), True)
        except expat.ExpatError as error:
            if not self.foreign:
                location = Location(self.path.name, error.lineno)
                raise location.error(error.offset + 1, expat.ErrorString(error.code)) from None
        except (LookupError, ValueError) as error:
            if error is self._refusal:
                raise
            # The parser asks Python for encodings that it does not know itself, and some are unknown there, too.
            text = f"the text is not in an encoding that can be read: {shown(str(error))[1:-1]}"
            raise Location(self.path.name, self._parser.CurrentLineNumber).error(1, text) from None

    def _refuse(self, text: str) -> None:
        location = Location(self.path.name, self._parser.CurrentLineNumber)
        self._refusal = location.error(self._parser.CurrentColumnNumber + 1, text)
        raise self._refusal

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if not self._above:
            self.foreign = tag != "labels"
            self._above.append(None)
        elif not self.foreign:
            if tag != "label" or "name" not in attributes:
                self._refuse(f'<label name="..."> is expected, not <{shown(tag)[1:-1]}>')
            name = attributes["name"]
            if name in self.lines:
                self._refuse(f"the label {shown(name)} occurs twice")
            above = self._above[-1]
            self._above.append(len(self.lines))
            self.lines[name] = self._parser.CurrentLineNumber
            self.parents.append(() if above is None else (above,))

    def _end(self, _: str) -> None:
        if not self.foreign:
            self._above.pop()

    def _entity(self, name: str, *_: object) -> None:
        # A few nested entities may expand to gigabytes; no list of labels needs one.
        self._refuse(f"the entity {shown(name)} is declared; entities are not read")
