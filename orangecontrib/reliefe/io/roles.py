"""Roles of columns: targets are those that the files beside, the relation and the names of the attributes say.

Mulan's XML beside an ARFF file lists which attributes are labels, and by its nesting their hierarchy.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast
from xml.parsers import expat

from ..core.words import shown
from ..orange.targets import Parents
from ..tabular.limits import MAX_TEXT, limit, limit_sentence
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
class Roles:
    """Columns, by index from 0.

    targets: what is to be predicted, in the order of the file; aside: neither features nor targets.  labels: whether
    0 and 1 of the targets are absence and presence.  parents: those of each target, where they are a hierarchy.
    settings: for hierarchical columns.
    """

    targets: tuple[int, ...] = ()
    aside: tuple[int, ...] = ()
    labels: bool = False
    parents: Parents | None = None
    settings: Settings = field(default_factory=Settings)


def roles(arff: Arff, path: str | Path) -> Roles:
    """The roles of the columns of `arff`, which was read from `path`; the first of these that says something:

    Mulan's XML of the same name (or of the name without -train or -test); CLUS's settings .s of the same name; a
    hierarchical attribute; MEKA's -C n in the name of the relation (the first n attributes, the last if it is negative,
    none if it is 0); KEEL's @outputs; an attribute that is named "class"; the last attribute if it is nominal or named
    "target" (another numeric one stays a feature).  A target of texts is nominal: its values are its different texts.
    """
    stem = stem_of(path)
    found = _mulan(arff, stem) or _clus(arff, stem) or _meka(arff) or _keel(arff) or Roles(_weka(arff))
    hierarchical = [j for j in found.targets if arff.attributes[j].kind == HIERARCHICAL]
    if len(hierarchical) > 1:
        first, second = (arff.attributes[j] for j in hierarchical[:2])
        error = f"only one target can be hierarchical, not {shown(first.name)} and {shown(second.name)}"
        raise arff.location(second.line).error(1, error)
    nominal = len(found.targets) > 1 and all(arff.attributes[j].kind == NOMINAL for j in found.targets)
    return replace(found, labels=found.labels or nominal)


def stem_of(path: str | Path) -> Path:
    """The path without .arff and without what tells of compression."""
    path = Path(path)
    return path.with_name(_ENDS.sub("", path.name)).with_suffix("")


def _mulan(arff: Arff, stem: Path) -> Roles | None:
    files = [stem.with_name(name + ".xml") for name in dict.fromkeys((stem.name, _PART.sub("", stem.name)))]
    file = next((file for file in files if file.is_file()), None)
    read = _Document(file) if file else None
    if read is None or read.foreign:
        return None
    columns = {_plain(attribute.name): j for j, attribute in enumerate(arff.attributes)}
    columns |= {attribute.name: j for j, attribute in enumerate(arff.attributes)}
    targets = [columns.get(name, columns.get(_plain(name))) for name in read.lines]
    if None in targets:
        name, line = [*read.lines.items()][targets.index(None)]
        raise Location(read.path.name, line).error(1, f"the label {shown(name)} is no attribute of {arff.name}")
    parents = tuple(read.parents) if any(read.parents) else None
    return Roles(tuple(cast("list[int]", targets)), labels=True, parents=parents)


def _plain(name: str) -> str:
    """The ARFF and the XML of Mulan's collection do not escape alike."""
    return name.replace("\\", "")


def _clus(arff: Arff, stem: Path) -> Roles | None:
    file, p = stem.with_name(stem.name + ".s"), len(arff.attributes)
    if not file.is_file():
        hierarchical = tuple(j for j, attribute in enumerate(arff.attributes) if attribute.kind == HIERARCHICAL)
        return Roles(hierarchical[-1:]) if hierarchical else None
    settings = read_settings(file, p)
    targets = (p - 1,) if settings.target is None else settings.target
    aside = set(settings.aside)
    if settings.descriptive is not None:
        aside |= set(range(p)) - set(settings.descriptive)
    return Roles(targets, tuple(sorted(aside - set(targets))), settings=settings)


def labels_in(relation: str) -> str | None:
    """The number after -C in the name of a relation, somewhere behind a colon (MEKA); None where there is none."""
    match = _MEKA.search(relation, relation.find(":") + 1) if ":" in relation else None
    return match[1] if match else None


def _meka(arff: Arff) -> Roles | None:
    text, p = labels_in(arff.relation), len(arff.attributes)
    if text is None:
        return None
    count = whole(text)
    if count is None or abs(count) > p:
        error = f"the relation has {shown(text)[1:-1]} labels by its -C, but there are {p} attributes"
        raise arff.location(arff.declared.get("@relation", 1)).error(1, error)
    return Roles(tuple(range(count)) if count > 0 else tuple(range(p + count, p)))


def _keel(arff: Arff) -> Roles | None:
    index = {attribute.name: j for j, attribute in enumerate(arff.attributes)}
    missing = next((name for name in arff.outputs if name not in index), None)
    if missing is not None:
        error = f"@outputs names {shown(missing)}, which is no attribute"
        raise arff.location(arff.declared["@outputs"]).error(1, error)
    return Roles(tuple(dict.fromkeys(index[name] for name in arff.outputs))) if arff.outputs else None


def _weka(arff: Arff) -> tuple[int, ...]:
    *_, last = range(len(arff.attributes))
    attribute = arff.attributes[last]
    named = [j for j, a in enumerate(arff.attributes) if a.name.lower() == CLASS and a.kind != TEXT]
    if named:
        return (named[-1],)
    return (last,) if last and (attribute.kind == NOMINAL or attribute.name.lower() in TARGETS) else ()


class _Document:
    """Labels that an XML lists: lines of their names, and parents of each; foreign if it is no list of labels."""

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
