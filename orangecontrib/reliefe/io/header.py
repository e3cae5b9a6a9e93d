"""Header of an ARFF file: what it declares before its data."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from ..core.words import shown
from ..tabular.limits import MAX_COLUMNS, MAX_TEXT, limit, limit_sentence
from .source import Lines
from .tokens import MISSING, QUOTED, Cell, Location, content, split, unquoted, values

NUMERIC, NOMINAL, TEXT, HIERARCHICAL = "numeric", "nominal", "text", "hierarchical"
TYPES = {
    **dict.fromkeys(("numeric", "real", "integer"), NUMERIC),
    **dict.fromkeys(("string", "date", "key", "timeseries"), TEXT),
    **dict.fromkeys(("hierarchical", "classes"), HIERARCHICAL),
}

_KEYWORD = re.compile(r"\s*(@\w+)[ \t]*")
_NAME = re.compile(rf"\s*(?:(?P<quoted>{QUOTED})|(?P<bare>[^\s{{\\]*(?:\\.?[^\s{{\\]*)*))\s*")
_TYPE = re.compile("[a-zA-Z]*")


@dataclass(frozen=True, slots=True)
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
    """relation: its name; attributes: those of the columns; outputs: names of the targets, if declared (KEEL).

    lines: of the keywords "@relation" and "@outputs".
    """

    relation: str
    attributes: tuple[Attribute, ...]
    outputs: tuple[str, ...]
    lines: dict[str, int]


def read_header(lines: Lines) -> Header:
    """Read up to and with the line @data."""
    attributes: list[Attribute] = []
    outputs: tuple[str, ...] = ()
    found: dict[str, int] = {}
    relation, most = "", limit(MAX_COLUMNS)
    while (text := lines.next()) is not None:
        location = lines.location
        keyword = _KEYWORD.match(text)
        word = keyword[1].lower() if keyword else ""
        rest, offset = (text[keyword.end() :], keyword.end()) if keyword else (text, 0)
        if word == "@attribute":
            if len(attributes) == most:
                raise location.error(1, f"the attributes are {limit_sentence(MAX_COLUMNS)}")
            attributes.append(_attribute(rest, offset, location, lines))
        elif word == "@relation":
            relation, found[word] = unquoted(rest) if re.fullmatch(QUOTED, rest) else rest, location.line
        elif word in ("@output", "@outputs"):
            outputs, found["@outputs"] = tuple(map(content, values(rest, location, offset))), location.line
        elif word == "@data":
            if not attributes:
                raise location.error(1, "there is no @attribute before @data")
            return Header(relation, tuple(attributes), outputs, found)
        elif word not in ("@input", "@inputs"):
            raise location.error(1, f"@relation, @attribute or @data is expected, not {shown(text)}")
    raise ValueError(f"{lines.name} ends at line {lines.number}, before @data: it is no ARFF or is cut off")


def _attribute(text: str, offset: int, location: Location, lines: Lines) -> Attribute:
    match = cast("re.Match[str]", _NAME.match(text))
    bare = match["bare"]
    if bare is not None and (not bare or bare[0] in "'\""):
        raise location.error(offset + 1, "the name of the attribute is missing or its quote is not closed")
    name = unquoted(match["quoted"]) if bare is None else re.sub(r"\\(.)", r"\1", bare) if "\\" in bare else bare
    rest, column = text[match.end() :], offset + match.end() + 1
    if rest.startswith("{"):
        return Attribute(name, NOMINAL, _nominal(rest, location, column, lines), location.line)
    word = cast("re.Match[str]", _TYPE.match(rest))[0].lower()
    if word == "binary":
        return Attribute(name, NOMINAL, ("1", "0"), location.line)
    if word not in TYPES:
        known = ", ".join([*TYPES, "binary", "{values}"])
        raise location.error(column, f"the type of {shown(name)} is one of {known}, not {shown(rest)}")
    paths = rest[len(word) :].split(",") if word == "hierarchical" else ()
    return Attribute(name, TYPES[word], tuple(filter(None, map(str.strip, paths))), location.line)


def _nominal(text: str, location: Location, column: int, lines: Lines) -> tuple[str, ...]:
    """The values in braces, which may go on over several lines."""
    parts, length, most = [text], len(text), limit(MAX_TEXT)
    while "}" not in text:
        text = lines.next()  # type: ignore[assignment]  # None is asked for below
        if text is None or text.lstrip().startswith("@"):
            raise location.error(column, "this brace is not closed")
        parts.append(text)
        length += len(text)
        if length > most:
            raise location.error(column, f"the characters of these values are {limit_sentence(MAX_TEXT)}")
    text = "".join(parts)
    text = text[1 : text.rindex("}")]
    tokens = values(text, location, column)
    found = tuple(content(token) for token in tokens if token not in ("", MISSING))
    if len(set(found)) < len(found):
        raise _twice(text, location, column)
    return found


def _twice(text: str, location: Location, column: int) -> ValueError:
    seen: set[str] = set()
    cells: Iterable[Cell] = (cell for cell in split(text, location, column) if cell.token not in ("", MISSING))
    cell = next(cell for cell in cells if cell.text in seen or seen.add(cell.text))  # type: ignore[func-returns-value]  # None: goes on
    return location.error(cell.column, f"the value {shown(cell.text)} is declared twice")
