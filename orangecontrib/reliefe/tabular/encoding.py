"""Bytes of a text file as text, in whatever encoding they were saved.

Called by the readers of text tables and of ARFF files. A byte order mark decides, then UTF-16 without one is
recognised by its zeros, then UTF-8 is tried, and then chardet guesses among the encodings that programs still write
(PROBABLE). What was guessed is said in a note, since short texts cannot decide between related encodings.

Of 430 tables that fuzz/foreign.py writes in other encodings than those of Unicode, 397 have the right letters, and 219
by charset-normalizer 3.5.
"""

import codecs
import encodings.aliases
import re
from typing import NamedTuple

import chardet

from ..core.words import choices, counted, shown

BYTE_ORDER_MARKS = {  # those of UTF-32 first: the one of UTF-16 (little endian) is their beginning
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
BYTES_SAMPLED = 4096  # bytes at the beginning that show whether every second one is zero
MIN_ZEROS = 0.3  # share of zeros among the even or odd bytes of UTF-16; Latin letters and digits have nearly 1
SAMPLE_BYTES = 2**16  # of words with other letters than ASCII, for the detector
# Words with other letters than ASCII; a word is at most so long before the first of these, or long runs take minutes.
OTHER_WORDS = re.compile(rb"""[^ ,;\t\r\n"']{0,40}[\x80-\xff][^ ,;\t\r\n"']*""")
ADJACENT = re.compile(rb"[\x80-\xff]{2}")
VALID_PER_DAMAGED = 10  # so many valid letters for each damaged one make damaged UTF-8 likelier than another encoding
# What programs on Windows, Mac and Unix still save tables in. Detectors confuse short texts with encodings of DOS and
# of mainframes, which no program has written for decades.
PROBABLE = (
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "iso8859-2", "iso8859-5",
    "iso8859-7", "koi8-r", "koi8-u", "mac-roman", "mac-latin2", "mac-cyrillic", "cp932", "cp874",
)  # fmt: skip
# Short texts fit several encodings. The most frequent ones are taken if they fit so well, compared with the best: a
# ratio that separates some 30 short headers in 16 languages, Western European ones (.65 to 1) from others (up to .59).
FREQUENT = ("Windows-1252", "MacRoman")
NEARLY = 0.62
# Two bytes a letter, and these stand side by side above 0x7f: text without such a pair is in none of them.
PAIRED = ("big5hkscs", "cp949", "euc-jp", "gb18030")
MAX_NAME_CHARACTERS = 40  # characters of the name of an encoding


class AssumedEncoding(UserWarning):
    """Warning that the encoding of a file was guessed."""


class Encoding(NamedTuple):
    """Encoding of a file.

    Attributes
    ----------
    name : str
        As Python knows it.
    note : str
        Sentence on what was assumed; empty if the file itself decides.
    errors : str
        What becomes of bytes that are not in this encoding, as `bytes.decode` takes it.
    """

    name: str
    note: str = ""
    errors: str = "strict"


class Decoded(NamedTuple):
    """Text of a file, and how it was decoded.

    Attributes
    ----------
    text : str
        The text, without a byte order mark.
    note : str
        Sentence on what was assumed; empty if the file itself, or the caller, decided.
    """

    text: str
    note: str


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode the bytes of a text file.

    Parameters
    ----------
    data : bytes
        Contents of the file.
    encoding : str, optional
        Name of the encoding as Python knows it. The default is to find out.

    Raises
    ------
    ValueError
        If there is no such encoding, the bytes are not in it, or they are no text.
    """
    detected = _given_or_found(data, encoding)
    return Decoded(_decoded(data, detected, is_whole=True), detected.note)


def decode_beginning(data: bytes, encoding: str | None = None) -> str:
    """Decode the whole lines among the first bytes of a text file, of which the last ones may be half a letter.

    Parameters
    ----------
    data : bytes
        Beginning of a file.
    encoding : str, optional
        Name of the encoding as Python knows it. The default is to find out.

    Raises
    ------
    ValueError
        As `decode` does.
    """
    lines = data[: data.rfind(b"\n") + 1] or data
    return _decoded(lines, _given_or_found(lines, encoding), is_whole=False)


def _given_or_found(data: bytes, encoding: str | None) -> Encoding:
    if encoding is None:
        return find_encoding(data)
    check_encoding(encoding)
    return Encoding(encoding)


def _decoded(data: bytes, encoding: Encoding, is_whole: bool) -> str:
    """Return the text without a byte order mark; bytes of half a letter at the end are left out unless it is whole."""
    try:
        text = codecs.getincrementaldecoder(encoding.name)(encoding.errors).decode(data, is_whole)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line:,} is not in the encoding {encoding.name}: {error.reason}") from None
    return text.removeprefix("\ufeff")


def find_encoding(data: bytes) -> Encoding:
    """Find the encoding of the bytes of a text file.

    Raises
    ------
    ValueError
        If they are no text.
    """
    marked = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)
    if marked is not None:
        return Encoding(marked)
    wide = _utf16_without_mark(data)
    if wide is not None:
        return Encoding(wide, f"Read as {wide.upper()}, since every second byte is zero")
    if b"\0" in data[:BYTES_SAMPLED]:
        raise ValueError("it holds binary data, not text")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)
    return Encoding("utf-8")


def check_encoding(name: str) -> None:
    """Raise ValueError if Python knows no text encoding of this name."""
    try:
        is_text_encoding = (
            len(name) <= MAX_NAME_CHARACTERS and codecs.lookup(name)._is_text_encoding
        )  # the flag that str.encode checks
    except (LookupError, ValueError):
        is_text_encoding = False
    if not is_text_encoding:
        names = sorted({*encodings.aliases.aliases.values()})
        raise ValueError(f"there is no encoding {shown(name)}; {choices(name, names)}")


def _utf16_without_mark(data: bytes) -> str | None:
    """Return the name of the encoding if nearly every second byte is zero, as in UTF-16 with Latin letters."""
    sample = data[:BYTES_SAMPLED]
    even, odd = sample[::2], sample[1::2]
    for high_bytes, low_bytes, name in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if high_bytes.count(0) > MIN_ZEROS * len(high_bytes) and low_bytes.count(0) == 0:
            return name
    return None


def _guess(data: bytes) -> Encoding:
    """Guess the encoding of bytes that are not in UTF-8: it is damaged, or in another encoding."""
    repaired = data.decode("utf-8", errors="replace")
    damaged = repaired.count("\ufffd")
    letters = len(repaired) - sum(map(str.isascii, repaired))
    if letters - damaged >= VALID_PER_DAMAGED * damaged:
        note = f"{counted(damaged, 'letter')} in UTF-8 cannot be read, and became \ufffd: the file may be damaged"
        return Encoding("utf-8", note, "replace")
    # Numbers and ASCII say nothing, and may be all of a sample: the detector gets the other words alone.
    words = dict.fromkeys(OTHER_WORDS.findall(data))
    sample = b"\n".join(words)[:SAMPLE_BYTES]
    name = _likeliest(sample, (*PROBABLE, *PAIRED) if ADJACENT.search(sample) else PROBABLE)
    note = f"Read as {name}, since the file does not say its encoding; if letters are wrong, add --encoding NAME"
    return Encoding(name, note, "replace")


def _likeliest(sample: bytes, candidates: tuple[str, ...]) -> str:
    """Return the likeliest of the candidates, or a frequent one that fits nearly as well."""
    ranked = chardet.detect_all(sample, ignore_threshold=True, prefer_superset=True, include_encodings=candidates)
    confidences = {
        str(candidate["encoding"]): float(candidate["confidence"]) for candidate in ranked if candidate["encoding"]
    }
    if not confidences:
        return FREQUENT[0]
    best = max(confidences.values())
    frequent = [name for name in FREQUENT if confidences.get(name, 0) >= NEARLY * best]
    return frequent[0] if frequent else max(confidences, key=lambda name: confidences[name])
