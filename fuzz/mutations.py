"""Random changes of texts: single bytes, words, and single constructs that are repeated very often."""

import re
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Pieces = list[list[object]]  # [text, times]; or [text with MARK, times, True]: the number of the copy for MARK
MARK = "\x00#"
WORDS = (
    "{", "}", "'", '"', "%", "\\", "?", ",", "\t", " ", "\n", "\r", "\r\n", "\x00", "\x0b", "\x85", "\xff", "\ufeff",
    "@data", "@attribute a {", "@attribute b numeric", "@attribute c relational", "@relation 'r: -C 3'", "-C -1",
    ":-C", "@outputs x", "hierarchical", "root/", "a/b", "a.b", "@", "/", ".", "-", "--------", "[", "]", "[1, 2]",
    "{0 1}", "{0 1", "1 2 3", "0", "-1", "1e400", "nan", "inf", "-Infinity", "1_000", "0x1p3", "9" * 30, "9" * 400,
    "\u0663", "x", "<label name='z'>", "</label>", "<labels>", "<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", "<![CDATA[",
    "<?xml encoding='utf-16'?>", "encoding='none'", "encoding='utf-7'", "encoding='rot13'", "Target = 1-9999999",
    "Target = 1-3,1-3", "Type = DAG", "Type = x", "HSeparator = ", "HSeparator = '//'", "[Hierarchical]",
    "[Attributes]", "date 'yyyy'", "string", "'a''b'", "''", "#class", "D#a", "n_neighbors=", "=", "(", "-(", "1+",
)  # fmt: skip
NUMBERS = ("0", "-0", "-1", "1e-320", "1e308", "1e400", "2147483648", "9223372036854775808", "1" * 31, "nan", "")
LEAST, MOST = 3.0, 6.3  # powers of ten of the length of what is repeated
ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "utf-7", "cp1252", "cp037")


def pick(choices: Sequence[T], rng: np.random.Generator) -> T:
    """One of the choices; NumPy would make an array of them, and strip texts."""
    return choices[int(rng.integers(len(choices)))]


def mutated(text: str, others: Sequence[str], rng: np.random.Generator) -> Pieces:
    """Between one and a few changes of a text, whose characters are bytes; others: texts to take parts from."""
    for _ in range(int(rng.geometric(0.4))):
        text = pick(CHANGES, rng)(text, others, rng)
    if rng.random() < 0.35:
        return blown(text, rng)
    return [[text, 1]]


def blown(text: str, rng: np.random.Generator) -> Pieces:
    """One construct of the text, or one that is foreign to it, repeated until it is long."""
    kind = rng.random()
    if kind < 0.4:
        begin, end = _span(text, rng)
        unit = text[begin:end] or " "
    elif kind < 0.7:
        begin = end = int(rng.integers(len(text) + 1))
        unit = (pick(WORDS, rng) + pick(("", "", " ", ",", "\n"), rng)).encode().decode("latin-1")
    else:
        begin, end = _line(text, rng)
        unit = text[begin:end]
        place = int(rng.integers(len(unit))) if unit else 0
        unit = re.sub(r"\w(?=\W|$)", lambda match: match[0] + MARK, unit[place:], count=1).join((unit[:place], ""))
    times = int(10 ** rng.uniform(LEAST, MOST)) // max(len(unit), 1) + 1
    return [[text[:begin], 1], [unit, times, MARK in unit], [text[end:], 1]]


def _span(text: str, rng: np.random.Generator) -> tuple[int, int]:
    begin = int(rng.integers(len(text) + 1))
    return begin, min(begin + int(rng.geometric(0.2)), len(text))


def _line(text: str, rng: np.random.Generator) -> tuple[int, int]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    begin = pick(starts, rng)
    end = text.find("\n", begin)
    return begin, len(text) if end < 0 else end + 1


def _flip(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    if not text:
        return text
    place = int(rng.integers(len(text)))
    byte = ord(text[place]) & 255
    byte = byte ^ (1 << int(rng.integers(8))) if rng.random() < 0.5 else int(rng.integers(256))
    return text[:place] + chr(byte) + text[place + 1 :]


def _delete(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    begin, end = _span(text, rng) if rng.random() < 0.5 else _line(text, rng)
    return text[:begin] + text[end:]


def _truncate(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    return text[: int(rng.integers(len(text) + 1))]


def _insert(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    place = int(rng.integers(len(text) + 1))
    return text[:place] + pick(WORDS, rng).encode().decode("latin-1") + text[place:]


def _double(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    begin, end = _span(text, rng) if rng.random() < 0.5 else _line(text, rng)
    return text[:end] + text[begin:end] + text[end:]


def _swap(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    """Two words change places."""
    words = re.split(r"(\s+|[,{}])", text)
    first, second = rng.integers(len(words), size=2)
    words[first], words[second] = words[second], words[first]
    return "".join(words)


def _number(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    """One number gives way to an extreme one."""
    found = list(re.finditer(r"-?\d+(\.\d+)?", text))
    if not found:
        return text
    match = pick(found, rng)
    return text[: match.start()] + pick(NUMBERS, rng) + text[match.end() :]


def _splice(text: str, others: Sequence[str], rng: np.random.Generator) -> str:
    other = pick(others, rng)
    begin, end = _line(other, rng)
    place = _line(text, rng)[int(rng.integers(2))]
    return text[:place] + other[begin:end] + text[place:]


def _encode(text: str, _: Sequence[str], rng: np.random.Generator) -> str:
    return text.encode(pick(ENCODINGS, rng), "replace").decode("latin-1")


CHANGES = _flip, _delete, _truncate, _insert, _insert, _double, _swap, _number, _number, _splice, _encode
