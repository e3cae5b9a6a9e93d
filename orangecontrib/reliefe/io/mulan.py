"""Mulan's XML beside an ARFF file: which attributes are labels, and by its nesting their hierarchy."""

from pathlib import Path
from xml.parsers import expat

from ..hierarchies import Parents
from .tokens import Place


class _Labels:
    """Collects the labels of one document."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.names: list[str] = []
        self.parents: list[tuple[int, ...]] = []
        self.foreign = False
        self._above: list[int | None] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    def read(self) -> None:
        try:
            self._parser.Parse(self.path.read_bytes(), True)
        except expat.ExpatError as error:
            if not self.foreign:
                place = Place(self.path.name, error.lineno)
                raise place.error(error.offset + 1, expat.ErrorString(error.code)) from None

    def _error(self, text: str) -> ValueError:
        place = Place(self.path.name, self._parser.CurrentLineNumber)
        return place.error(self._parser.CurrentColumnNumber + 1, text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        if not self._above:
            self.foreign = tag != "labels"
            self._above.append(None)
        elif not self.foreign:
            if tag != "label" or "name" not in attributes:
                raise self._error(f'<label name="..."> is expected, not <{tag}>')
            if attributes["name"] in self.names:
                raise self._error(f"the label {attributes['name']!r} is there twice")
            above = self._above[-1]
            self._above.append(len(self.names))
            self.names.append(attributes["name"])
            self.parents.append(() if above is None else (above,))

    def _end(self, _: str) -> None:
        if not self.foreign:
            self._above.pop()

    def _entity(self, name: str, *_: object) -> None:
        # A few nested entities may expand to gigabytes; no list of labels needs one.
        raise self._error(f"the entity {name!r} is declared; entities are not read")


def read_labels(path: Path) -> tuple[tuple[str, ...], Parents | None] | None:
    """Names of the labels and, if any is nested, their parents; None where the XML is no list of labels.

    Raises ValueError with the place of what is no XML or no label, of a label that is there twice, and of entities.
    """
    labels = _Labels(path)
    labels.read()
    if labels.foreign:
        return None
    return tuple(labels.names), tuple(labels.parents) if any(labels.parents) else None
