"""Cases that ever failed, one JSON file each; every run begins with them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from .kinds import Case
from .outcome import Outcome

FOLDER = Path(__file__).parent / "corpus"
SHOWN = 200


def entries(folder: Path = FOLDER) -> Iterator[tuple[str, str, Case]]:
    """Name, kind and case of each file, by name."""
    for path in sorted(folder.glob("*.json")):
        yield (path.stem, *read(path))


def read(path: Path) -> tuple[str, Case]:
    """Kind and case of one file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content["kind"], content["case"]


def save(kind: str, seed: int, number: int, case: Case, outcome: Outcome, folder: Path = FOLDER) -> Path:
    """Write a case that failed; returns the path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{seed}-{number}.json"
    about = re.sub(r"\s+", " ", f"{outcome.status} {outcome.where}: {outcome.text.partition(chr(10))[0]}")[:SHOWN]
    content = {"kind": kind, "about": about, "case": case}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path
