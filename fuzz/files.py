"""Mutated files for every reader."""

import bz2
import gzip
import lzma
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from .kinds import Action, Case
from .mutations import MARK, Pieces, mutated, pick
from .outcome import Wrong
from .refusals import refusing
from .samples import SAMPLES

PACKED = 0.15  # share of the cases with a compressed file
PACKS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
CHUNK = 2**24  # characters that are written, or compressed, at once
LEAST, TIMES, MOST = 200, 60, 1000  # megabytes that a reader may need: for an empty file, by its size, and at most
SMALL = 20_000  # characters of files that are also written and read again
LIMIT, CELLS = "ORANGE_RELIEFE_MAX_CELLS", 2**23  # values that a file may leave out: 67 MB, where 1 GB is the default


def make(rng: np.random.Generator) -> Case:
    """A case: {"reader", "files": {name: {"pieces", "pack", "damage"}}, "megabytes"}."""
    return mutated_files(SAMPLES, rng)


def mutated_files(samples: Sequence[dict], rng: np.random.Generator) -> Case:
    """One of the samples with a file that is changed, or all of them."""
    sample = pick(samples, rng)
    others = [text for other in samples for text in other["files"].values()]
    chosen = int(rng.integers(len(sample["files"])))
    both = rng.random() < 0.1
    files = {}
    for k, (name, text) in enumerate(sample["files"].items()):
        files[name] = {"pieces": mutated(text, others, rng) if both or k == chosen else [[text, 1]]}
    first = next(iter(files))
    if first.endswith(".arff") and rng.random() < PACKED:
        files[first]["pack"] = pick(list(PACKS), rng)
        if rng.random() < 0.5:
            files[first]["damage"] = [float(rng.random()), int(rng.integers(-1, 256))]
    size = sum(len(text) * times for file in files.values() for text, times, *_ in file["pieces"])
    return {**sample, "files": files, "megabytes": min(LEAST + TIMES * size // 10**6, MOST)}


def prepare(case: Case) -> Action:
    """Write the files; the action reads the first one."""
    folder, path = written(case["files"])
    names = [stem for name in case["files"] for stem in (name, name.partition(".")[0] + ".")]
    import_module("orangecontrib.reliefe.io")  # not to be counted
    os.environ[LIMIT] = str(CELLS)

    def action() -> None:
        with folder:
            _READERS[case["reader"]](path, names)

    return action


def _parts(pieces: Pieces) -> Iterator[tuple[bytes, int]]:
    """Bytes, and how often they come."""
    for text, times, *numbered in pieces:
        if numbered and numbered[0]:
            yield "".join(text.replace(MARK, str(k)) for k in range(times)).encode("latin-1", "replace"), 1
            continue
        once = text.encode("latin-1", "replace")
        many = max(min(CHUNK // max(len(once), 1), times), 1)
        yield once * many, times // many
        yield once * (times % many), 1


def joined(pieces: Pieces) -> str:
    """The text that the pieces make."""
    return "".join((part * times).decode("latin-1") for part, times in _parts(pieces)).replace("\x00", "")


def written(files: dict[str, dict]) -> tuple[tempfile.TemporaryDirectory, Path]:
    """A folder with the files of a case, and the path of the first one."""
    folder = tempfile.TemporaryDirectory(prefix="fuzz-files-")
    for name, file in files.items():
        _write(Path(folder.name) / name, file)
    return folder, Path(folder.name) / next(iter(files))


def damage(path: Path, share: float, byte: int) -> None:
    """Change one byte at a share of the length of a file, or cut it there where the byte is negative."""
    content = bytearray(path.read_bytes())
    place = int(share * len(content))
    content[place:] = b"" if byte < 0 else bytes([byte]) + content[place + 1 :]
    path.write_bytes(content)


def _write(path: Path, file: dict[str, object]) -> None:
    """Write one file of a case: its pieces, compressed and damaged if that is asked for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pack = PACKS.get(file.get("pack"), bytes)
    with path.open("wb") as out:
        for part, times in _parts(file["pieces"]):
            packed = pack(part)  # concatenated streams are a stream: what is repeated is compressed once
            for _ in range(times):
                out.write(packed)
    if "damage" in file:
        damage(path, *file["damage"])


def _arff(path: Path, names: Sequence[str]) -> None:
    from orangecontrib.reliefe.io import read_arff

    with refusing(files=names):
        table = read_arff(path)
    _check_codes(table)
    if sum(file.stat().st_size for file in path.parent.iterdir()) <= SMALL:
        _check_again(table, path.parent)


def _check_codes(table: object) -> None:
    """Codes must be those of values that are declared."""
    import scipy.sparse as sp

    for block, variables in ((table.X, table.domain.attributes), (table.Y, table.domain.class_vars)):
        if sp.issparse(block) or not len(variables):
            continue
        block = block.reshape(len(table), len(variables))
        for column, variable in zip(block.T, variables, strict=True):
            known = column[~np.isnan(column)]
            if variable.is_discrete and len(known) and not np.isin(known, np.arange(len(variable.values))).all():
                raise Wrong(f"{variable.name!r} has codes without values: {np.unique(known)[:5]}", "codes")


def _check_again(table: object, folder: Path) -> None:
    """Raise `Wrong` unless a table that is written is read as it was: the targets and their values."""
    from orangecontrib.reliefe.io import read_arff, write_arff
    from orangecontrib.reliefe.orange.targets import parents_of

    path = folder / "again.arff"
    with refusing():
        write_arff(path, table)
    again = read_arff(path)
    for one, other, what in (
        ([v.name for v in table.domain.class_vars], [v.name for v in again.domain.class_vars], "names of targets"),
        (parents_of(table.domain.class_vars), parents_of(again.domain.class_vars), "parents"),
        (len(table), len(again), "number of rows"),
    ):
        if one != other:
            raise Wrong(f"after writing and reading the {what} are {other!r}, not {one!r}", f"again: {what}")
    if not np.array_equal(np.asarray(table.Y, float), np.asarray(again.Y, float), equal_nan=True):
        raise Wrong("after writing and reading the targets have other values", "again: targets")


def _fimp(path: Path, names: Sequence[str]) -> None:
    from orangecontrib.reliefe.io import read_fimp

    with refusing(files=names):
        found = read_fimp(path)
    if found.scores.shape != (len(found.titles), len(found.names)) or len(found.indices) != len(found.names):
        raise Wrong(f"shapes that do not fit: {found.scores.shape}, {len(found.names)} names", "shapes")
    if (found.indices < 0).any():
        raise Wrong(f"negative columns: {found.indices.tolist()[:5]}", "columns")


def _paths(path: Path, _: Sequence[str]) -> None:
    from orangecontrib.reliefe.orange.targets import nodes_of_paths

    texts = path.read_text(encoding="latin-1").split("\n")
    with refusing():
        names, parents, labels = nodes_of_paths([text or None for text in texts])
    if not len(names) == len(parents) == labels.shape[1]:
        raise Wrong(f"shapes that do not fit: {len(names)}, {len(parents)}, {labels.shape}", "shapes")


_READERS: dict[str, Callable[[Path, Sequence[str]], None]] = {
    "arff": _arff,
    "fimp": _fimp,
    "paths": _paths,
}
