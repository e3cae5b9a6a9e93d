"""Mulan's XML beside an ARFF file: which attributes are labels, and by its nesting their hierarchy."""

from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from ..orange.targets import Parents
from .limits import MAX_TEXT, beyond, limit, shown
from .tokens import Place


@dataclass(frozen=True)
class Labels:
    """names: of the labels; lines: where they are; parents: of each, or None where no label is nested."""

    names: tuple[str, ...]
    lines: tuple[int, ...]
    parents: Parents | None


class _Document:
    """Collects the labels of one document."""

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

    def read(self) -> None:
        if self.path.stat().st_size > limit(MAX_TEXT):
            raise Place(self.path.name, 1).error(1, f"the bytes of this file are {beyond(MAX_TEXT)}")
        try:
            self._parser.Parse(self.path.read_bytes(), True)
        except expat.ExpatError as error:
            if not self.foreign:
                place = Place(self.path.name, error.lineno)
                raise place.error(error.offset + 1, expat.ErrorString(error.code)) from None
        except (LookupError, ValueError) as error:
            if error is self._refusal:
                raise
            # The parser asks Python for encodings that it does not know itself, and some are unknown there, too.
            text = f"the text is not in an encoding that can be read: {shown(str(error))[1:-1]}"
            raise Place(self.path.name, self._parser.CurrentLineNumber).error(1, text) from None

    def _refuse(self, text: str) -> None:
        place = Place(self.path.name, self._parser.CurrentLineNumber)
        self._refusal = place.error(self._parser.CurrentColumnNumber + 1, text)
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
                self._refuse(f"the label {shown(name)} is there twice")
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


def read_labels(path: Path) -> Labels | None:
    """Labels that an XML lists; None where it is no list of labels.

    Raises ValueError with the place of what is no XML or no label, of a label that is there twice, of entities, and of
    an encoding that is not known.
    """
    document = _Document(path)
    document.read()
    if document.foreign:
        return None
    nested = any(document.parents)
    names, lines = tuple(document.lines), tuple(document.lines.values())
    return Labels(names, lines, tuple(document.parents) if nested else None)
