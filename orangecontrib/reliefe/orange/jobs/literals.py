"""Facts and arrays about jobs as literals that a workflow stores."""

import base64
import json
import zlib
from collections.abc import Iterable

import numpy as np

MAX_SCORES = 100_000  # scores that are kept: 20,000 features by 5 methods
MAX_BYTES = 1 << 25  # of the description of a ranking
ENCODED = ("told", "scores")


def fits(stored: object) -> bool:
    """True if a setting may be what `packed` returns."""
    return isinstance(stored, dict) and (
        not stored
        or (
            isinstance(stored.get("data"), str)
            and isinstance(stored.get("rankings"), dict)
            and all(isinstance(kept, dict) and all(isinstance(kept.get(name), str) for name in ENCODED)
                    for kept in stored["rankings"].values())
        )
    )  # fmt: skip


def as_literals(data: str, found: Iterable[tuple]) -> dict:
    """Facts and arrays (., p) about jobs, as far as there is room; data: fingerprint."""
    kept, size = {}, 0
    for job, about, values in found:
        size += values.size if job.key else 0
        if job.key and size <= MAX_SCORES:
            text = json.dumps(about, default=lambda value: value.tolist())  # of NumPy
            kept[job.key] = {"told": encoded(text.encode()), "scores": encoded(values.astype("<f8").tobytes())}
    return {"data": data, "rankings": kept} if kept else {}


def from_literals(kept: dict, p: int) -> tuple[dict, np.ndarray]:
    """Facts, and an array (., p)."""
    values = np.frombuffer(decoded(kept["scores"], 8 * MAX_SCORES), "<f8").astype(float)
    return json.loads(decoded(kept["told"], MAX_BYTES)), values.reshape(-1, p)


def encoded(content: bytes) -> str:
    """Bytes as short text."""
    return base64.b64encode(zlib.compress(content)).decode("ascii")


def decoded(text: str, longest: int) -> bytes:
    """The bytes; ValueError for what is none, or longer than it may be."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b64decode(text, validate=True), longest)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not unpacker.eof:
        raise ValueError("text is cut off, or too long")
    return content
