"""BCF, the binary form of VCF, as lines of a VCF.

`text_lines.lines` calls `lines_of_bcf`, so that one reader of VCF reads both. Of the fields that a variant has for each
person only the genotype (GT), and the dosage (DS) on demand, are written into its line, whose FORMAT names both. The
format is that of "The Variant Call Format Specification", section 6 (BCF2): a header in text, and then records of
little-endian numbers::

    length of the shared data, length of the data of people (4 bytes each)
    shared: contig, position from 0, length, quality, counts of alleles and of fields; name; alleles; filters; info
    people: for each field its key, and a vector of values for each person
"""

import re
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

BCF = b"BCF\2"  # first bytes of a BCF
HEADER = "<5sI"  # magic and version, length of the text
RECORD_LENGTHS = "<2I"  # of the shared data, and of those of people
RECORD = "<3if2I"  # contig, position, length, quality, alleles << 16 | info fields, fields of people << 24 | people
VALUE_TYPES = {0: "S1", 1: "<i1", 2: "<i2", 3: "<i4", 5: "<f4", 7: "S1"}  # by the lower four bits before a vector
LONG_VECTOR = 15  # in the upper four bits: the length follows as a number of its own
MAX_BYTES = 2**30  # of the header, and of a record
LOW_24_BITS = 0xFFFFFF
HEADER_LINE = re.compile(rb"##(contig|FILTER|INFO|FORMAT)=<ID=([^,>]+)(?:.*,IDX=(\d+)>)?")


class Dictionaries(NamedTuple):
    """Names that records refer to by number.

    Attributes
    ----------
    contigs : dict of int to bytes
        Names of chromosomes.
    fields : dict of int to bytes
        Names of filters and fields.
    """

    contigs: dict[int, bytes]
    fields: dict[int, bytes]


class Vectors(NamedTuple):
    """Values of a typed block.

    Attributes
    ----------
    values : (n, length) array
        A vector for each person, or one.
    end : int
        Offset behind the block.
    """

    values: np.ndarray
    end: int


def lines_of_bcf(file: Any, dosages: bool = False) -> Iterator[bytes]:
    """Yield the lines of a VCF from an open BCF; raises `EOFError` or `struct.error` if it is cut off.

    Parameters
    ----------
    file : binary file
        An open BCF, uncompressed.
    dosages : bool
        Whether dosages (DS) are written beside genotypes.
    """
    _, size = struct.unpack(HEADER, file.read(struct.calcsize(HEADER)))
    header = file.read(min(size, MAX_BYTES)).rstrip(b"\0\n").split(b"\n")
    yield from header
    dictionaries = _dictionaries(header)
    while lengths := file.read(struct.calcsize(RECORD_LENGTHS)):
        n_shared, n_of_people = struct.unpack(RECORD_LENGTHS, lengths)
        record = file.read(min(n_shared + n_of_people, MAX_BYTES))
        if len(record) < n_shared + n_of_people:
            raise EOFError("it is cut off")
        yield _line(record, n_shared, dictionaries, dosages)


def _dictionaries(header: list[bytes]) -> Dictionaries:
    """Numbers of names: IDX where the header gives it, else their order."""
    contigs: dict[int, bytes] = {}
    numbers = {b"PASS": 0}
    for line in header:
        match = HEADER_LINE.match(line)
        if match is None:
            continue
        kind, name, number = match.groups()
        if kind == b"contig":
            contigs[int(number or len(contigs))] = name
        else:
            numbers.setdefault(name, int(number or len(numbers)))
    return Dictionaries(contigs, {number: name for name, number in numbers.items()})


def _line(record: bytes, n_shared: int, dictionaries: Dictionaries, dosages: bool) -> bytes:
    """Line of a VCF for a record, whose first n_shared bytes are those of the variant."""
    contig, position, _, _, alleles_and_info, fields_and_people = struct.unpack_from(RECORD, record)
    n_alleles = alleles_and_info >> 16
    n_fields = fields_and_people >> 24
    n_people = fields_and_people & LOW_24_BITS

    # Name of the variant, and its alleles, the reference first.
    texts = []
    offset = struct.calcsize(RECORD)
    for _ in range(1 + n_alleles):
        letters, offset = _vectors(record, offset, 1)
        texts.append(letters.tobytes())
    name, reference, *alternatives = texts

    # Fields of people: their genotypes and dosages, or the names of fields if there are none.
    names_of_fields = []
    written: dict[bytes, list[bytes]] = {}
    offset = n_shared
    for _ in range(n_fields):
        key, offset = _vectors(record, offset, 1)
        vectors, offset = _vectors(record, offset, n_people)
        field = dictionaries.fields.get(int(key[0, 0]), b".")
        names_of_fields.append(field)
        if field == b"GT":
            written[field] = _calls(vectors)
        elif field == b"DS" and dosages:
            written[field] = _dosages(vectors)
    fields_read = [field for field in (b"GT", b"DS") if field in names_of_fields]
    field_names = b":".join(fields_read or names_of_fields)
    calls = [b"."] * n_people
    if written:  # a line may leave out the last fields, as dosages that nobody asked for
        calls = [
            b":".join(parts)
            for parts in zip(*(written[field] for field in fields_read if field in written), strict=True)
        ]
    columns = [dictionaries.contigs[contig], b"%d" % (position + 1), name or b".", reference]
    columns += [b",".join(alternatives) or b".", b".", b".", b".", field_names or b"."]
    return b"\t".join([*columns, *calls])


def _calls(vectors: np.ndarray) -> list[bytes]:
    """Genotypes as a VCF writes them: b"0/1", or b"./." where unknown.

    vectors : (n, ploidy) int array, (allele + 1) << 1 | phased; 0 or 1 if unknown. A call of fewer alleles ends with
    the second smallest number of its type.
    """
    end_of_vector = np.iinfo(vectors.dtype).min + 1
    different, which = np.unique(vectors, axis=0, return_inverse=True)
    written = []
    for vector in different:
        alleles = [b"%d" % (value // 2 - 1) if value > 1 else b"." for value in vector if value > end_of_vector]
        written.append(b"/".join(alleles))
    return [written[k] for k in which.ravel().tolist()]


def _dosages(vectors: np.ndarray) -> list[bytes]:
    """Dosages (n, alleles) as a VCF writes them: b"0.5,1", or b"." where unknown."""
    is_known = np.isfinite(vectors) if vectors.dtype.kind == "f" else vectors > np.iinfo(vectors.dtype).min + 7
    written = []
    for vector, known_of_vector in zip(vectors.tolist(), is_known.tolist(), strict=True):
        texts = [b"%.9g" % value if known else b"." for value, known in zip(vector, known_of_vector, strict=True)]
        written.append(b",".join(texts) if any(known_of_vector) else b".")
    return written


def _vectors(record: bytes, offset: int, n: int) -> Vectors:
    """Read n vectors of one type and length, which stand before them."""
    value_type = VALUE_TYPES[record[offset] & 15]
    length = record[offset] >> 4
    offset += 1
    if length == LONG_VECTOR:
        longer, offset = _vectors(record, offset, 1)
        length = int(longer[0, 0])
    values = np.frombuffer(record, value_type, max(n * length, 0), offset)
    return Vectors(values.reshape(n, length), offset + values.nbytes)
