"""Header of an ARFF file: the declarations before its data. `arff` calls `read_header` with the lines of a file::

@relation weather
@attribute temperature numeric
@attribute 'will play' {no, yes}
@data
"""

import re
from dataclasses import dataclass
from typing import cast

from ..core.data.limits import MAX_COLUMNS, MAX_TEXT, limit, limit_sentence
from ..core.words import shown
from .source import Lines
from .tokens import MISSING, QUOTED, Location, content, split, unquoted, values

# Kinds of attributes
NUMERIC = "numeric"
NOMINAL = "nominal"
TEXT = "text"
HIERARCHICAL = "hierarchical"
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

    Attributes
    ----------
    name : str
        Name of the column.
    kind : str
        `NUMERIC`, `NOMINAL`, `TEXT` or `HIERARCHICAL`.
    values : tuple of str
        Values of a nominal column, in the order of their codes. Paths, or pairs of parent and child, of a hierarchical
        one. Empty for others.
    line : int
        Line of the declaration, from 1.
    """

    name: str
    kind: str
    values: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class Header:
    """Declarations of a file.

    Attributes
    ----------
    relation : str
        Name of the relation.
    attributes : tuple of Attribute
        The p columns.
    outputs : tuple of str
        Names of the targets that @outputs declares (KEEL).
    lines : dict of str to int
        Lines of the keywords "@relation" and "@outputs".
    """

    relation: str
    attributes: tuple[Attribute, ...]
    outputs: tuple[str, ...]
    lines: dict[str, int]


def read_header(lines: Lines) -> Header:
    """Read the lines up to @data, and this one.

    Raises
    ------
    ValueError
        If a line is no declaration, or there is no @data; the message has line and column.
    """
    attributes: list[Attribute] = []
    outputs: tuple[str, ...] = ()
    keyword_lines: dict[str, int] = {}
    relation = ""
    max_attributes = limit(MAX_COLUMNS)
    while (text := lines.next()) is not None:
        location = lines.location
        match = _KEYWORD.match(text)
        keyword = match[1].lower() if match else ""
        offset = match.end() if match else 0
        rest = text[offset:]
        if keyword == "@attribute":
            if len(attributes) == max_attributes:
                raise location.error(1, f"the attributes are {limit_sentence(MAX_COLUMNS)}")
            attributes.append(_attribute(rest, offset, location, lines))
        elif keyword == "@relation":
            relation = unquoted(rest) if re.fullmatch(QUOTED, rest) else rest
            keyword_lines["@relation"] = location.line
        elif keyword in ("@output", "@outputs"):
            outputs = tuple(map(content, values(rest, location, offset)))
            keyword_lines["@outputs"] = location.line
        elif keyword == "@data":
            if not attributes:
                raise location.error(1, "there is no @attribute before @data")
            return Header(relation, tuple(attributes), outputs, keyword_lines)
        elif keyword not in ("@input", "@inputs"):
            raise location.error(1, f"@relation, @attribute or @data is expected, not {shown(text)}")
    raise ValueError(f"{lines.name} ends at line {lines.number}, before @data: it is no ARFF or is cut off")


def _attribute(text: str, offset: int, location: Location, lines: Lines) -> Attribute:
    """Parse a declaration.

    Parameters
    ----------
    text : str
        Line without the keyword.
    offset : int
        Index in the line at which `text` begins.
    location : Location
        The line.
    lines : Lines
        Lines after it, over which values may go on.
    """
    match = cast("re.Match[str]", _NAME.match(text))
    bare = match["bare"]
    if bare is None:
        name = unquoted(match["quoted"])
    elif not bare or bare[0] in "'\"":
        raise location.error(offset + 1, "the name of the attribute is missing or its quote is not closed")
    else:
        name = re.sub(r"\\(.)", r"\1", bare) if "\\" in bare else bare
    type_text = text[match.end() :]
    column = offset + match.end() + 1
    if type_text.startswith("{"):
        return Attribute(name, NOMINAL, _nominal_values(type_text, location, column, lines), location.line)
    type_name = cast("re.Match[str]", _TYPE.match(type_text))[0].lower()
    if type_name == "binary":
        return Attribute(name, NOMINAL, ("1", "0"), location.line)
    if type_name not in TYPES:
        type_names = ", ".join([*TYPES, "binary", "{values}"])
        raise location.error(column, f"the type of {shown(name)} is one of {type_names}, not {shown(type_text)}")
    paths = type_text[len(type_name) :].split(",") if type_name == "hierarchical" else ()
    return Attribute(name, TYPES[type_name], tuple(filter(None, map(str.strip, paths))), location.line)


def _nominal_values(text: str, location: Location, column: int, lines: Lines) -> tuple[str, ...]:
    """Values in braces, which may go on over several lines; parameters are those of `_attribute`."""
    texts = [text]
    length = len(text)
    max_length = limit(MAX_TEXT)
    while "}" not in texts[-1]:
        next_line = lines.next()
        if next_line is None or next_line.lstrip().startswith("@"):
            raise location.error(column, "this brace is not closed")
        texts.append(next_line)
        length += len(next_line)
        if length > max_length:
            raise location.error(column, f"the characters of these values are {limit_sentence(MAX_TEXT)}")
    joined = "".join(texts)
    inside = joined[1 : joined.rindex("}")]
    tokens = values(inside, location, column)
    declared = tuple(content(token) for token in tokens if token not in ("", MISSING))
    if len(set(declared)) < len(declared):
        raise _declared_twice(inside, location, column)
    return declared


def _declared_twice(text: str, location: Location, column: int) -> ValueError:
    """Error with the location of the first value that occurs a second time."""
    earlier_values: set[str] = set()
    for cell in split(text, location, column):
        if cell.token not in ("", MISSING):
            if cell.text in earlier_values:
                column = cell.column
                break
            earlier_values.add(cell.text)
    return location.error(column, f"the value {shown(cell.text)} is declared twice")
