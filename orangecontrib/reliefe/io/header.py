"""What an ARFF file declares before its data."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Lines
from .tokens import QUOTED, Place, split, unquoted

NUMERIC, NOMINAL, TEXT, HIERARCHICAL = "numeric", "nominal", "text", "hierarchical"
TYPES = {
    **dict.fromkeys(("numeric", "real", "integer"), NUMERIC),
    **dict.fromkeys(("string", "date", "key", "timeseries"), TEXT),
    **dict.fromkeys(("hierarchical", "classes"), HIERARCHICAL),
}

_KEYWORD = re.compile(r"\s*(@\w+)[ \t]*")
_NAME = re.compile(rf"\s*(?:(?P<quoted>{QUOTED})|(?P<bare>(?:\\.|[^\s{{])+))\s*", re.DOTALL)
_SHOWN = 40


@dataclass(frozen=True)
class Attribute:
    """A column as it is declared.

    kind: "numeric", "nominal", "text" or "hierarchical".  values: of a nominal one, in the order of their codes; of a
    hierarchical one the paths (or parent/child pairs) that span the hierarchy.  line: where it is declared.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class Header:
    """relation: its name; attributes: those of the columns; outputs: names of the targets, if declared (KEEL)."""

    relation: str
    attributes: tuple[Attribute, ...]
    outputs: tuple[str, ...] = ()


def read_header(lines: Lines) -> Header:
    """Read up to and with the line @data.

    Raises ValueError with the place of what is no declaration, of a type that is unknown or relational, of a value that
    is declared twice; and if there is no attribute or no @data.
    """
    relation, attributes, outputs = "", [], ()
    for text, place in _declarations(lines):
        keyword = _KEYWORD.match(text)
        word = keyword[1].lower() if keyword else ""
        rest, offset = (text[keyword.end() :], keyword.end()) if keyword else (text, 0)
        if word == "@relation":
            relation = unquoted(rest) if re.fullmatch(QUOTED, rest, re.DOTALL) else rest
        elif word == "@attribute":
            attributes.append(_attribute(rest, offset, place, lines))
        elif word in ("@output", "@outputs"):
            outputs = tuple(cell.text for cell in split(rest, place))
        elif word == "@data":
            if not attributes:
                raise place.error(1, "there is no @attribute before @data")
            return Header(relation, tuple(attributes), outputs)
        elif word not in ("@input", "@inputs"):
            raise place.error(1, f"@relation, @attribute or @data is expected, not {_shown(text)}")
    raise ValueError(f"{lines.name} ends at line {lines.number}, before @data: it is no ARFF or is cut off")


def _declarations(lines: Lines) -> Iterator[tuple[str, Place]]:
    """Lines that are neither empty nor comments."""
    while line := lines.next():
        text = line.rstrip()
        if text and not text.lstrip().startswith("%"):
            yield text, lines.place


def _attribute(text: str, offset: int, place: Place, lines: Lines) -> Attribute:
    match = _NAME.match(text)
    if not match or (match["quoted"] is None and match["bare"][0] in "'\""):
        raise place.error(offset + 1, "the name of the attribute is missing or its quote is not closed")
    bare = match["bare"]
    name = unquoted(match["quoted"]) if bare is None else re.sub(r"\\(.)", r"\1", bare)
    rest, column = text[match.end() :], offset + match.end() + 1
    if rest.startswith("{"):
        return Attribute(name, NOMINAL, _values(rest, place, column, lines), place.line)
    word = re.match(r"[a-z]*", rest.lower())[0]
    if word == "binary":
        return Attribute(name, NOMINAL, ("1", "0"), place.line)
    if word not in TYPES:
        known = ", ".join([*TYPES, "binary", "{values}"])
        raise place.error(column, f"the type of {name!r} is one of {known}, not {_shown(rest)}")
    paths = rest[len(word) :].split(",") if word == "hierarchical" else []
    return Attribute(name, TYPES[word], tuple(filter(None, map(str.strip, paths))), place.line)


def _values(text: str, place: Place, column: int, lines: Lines) -> tuple[str, ...]:
    """The nominal values in braces, which may go on over several lines."""
    while "}" not in text:
        line = lines.next()
        if not line or line.lstrip().startswith("@"):
            raise place.error(column, "this brace is not closed")
        text += line.rstrip()
    cells = split(text[1 : text.rindex("}")], place, column)
    cells = [cell for cell in cells if not cell.missing and (cell.text or cell.quoted)]
    seen: set[str] = set()
    for cell in cells:
        if cell.text in seen:
            raise place.error(cell.column, f"the value {cell.text!r} is declared twice")
        seen.add(cell.text)
    return tuple(cell.text for cell in cells)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
