"""Experiments, sections of the report, and the file of results that goes on where it ended."""

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

AGREES, DIFFERS, NO_VERDICT = "agrees", "differs", ""
LIBRARIES = ("numpy", "scipy", "numba", "scikit-learn", "Orange3", "umap-learn", "skrebate", "fast-select")
Lines = list[list[str]]


@dataclass(frozen=True)
class Experiment:
    """One call that gives lines of a table.

    run : loader of the data, or None where `data` is False -> lines of cells, the texts that are printed.
    quick : part of the quick report.
    """

    name: str
    run: Callable[[ModuleType | None], Lines]
    data: bool = False
    quick: bool = True


@dataclass(frozen=True)
class Section:
    """A part of the report: a text (in texts.md, by the name), and a table with the lines of its experiments.

    command : prints the same numbers, or more of them.
    closing : lines of all experiments -> sentences below the table.
    """

    name: str
    title: str
    header: tuple[str, ...]
    experiments: Sequence[Experiment]
    command: str = ""
    closing: Callable[[Lines], str] = field(default=lambda lines: "")

    @property
    def text(self) -> str:
        """Paragraphs in Markdown."""
        return texts()[self.name]


@cache
def texts() -> dict[str, str]:
    """Texts of the sections, by their names."""
    parts = Path(__file__).with_name("texts.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {name: text.strip() for name, _, text in (part.partition("\n") for part in parts)}


def number(value: float, digits: int = 4) -> str:
    """A number as it is printed: so many digits, no exponent for what is read by people; 0 for less than 1e-12."""
    value = float(value)
    if abs(value) < 1e-12:
        return "0"
    if 1e-4 <= abs(value) < 1e6:
        text = f"{value:.{digits}g}"
        return f"{value:.0f}" if "e" in text else text
    return f"{value:.1e}"


def verdict(ours: float, printed: float, allowed: float) -> str:
    """Agreement of two numbers within `allowed`."""
    return AGREES if abs(ours - printed) <= allowed else DIFFERS


def machine() -> dict[str, str]:
    """The processor, the system, and the versions that an experiment ran with."""
    found = {"processor": _processor(), "processors": str(os.cpu_count()), "system": f"{platform.system()}"}
    found["Python"] = platform.python_version()
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


class Results:
    """Lines of JSON, one for each experiment that is done; those that are there are not run again."""

    def __init__(self, path: Path):
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.done = {(line["section"], line["experiment"]): line for line in map(json.loads, lines)}

    def missing(self, sections: Iterable[Section], data: bool, quick: bool) -> list[tuple[Section, Experiment]]:
        """Experiments that are not done yet and can be: those on data only where there are data."""
        return [
            (section, experiment)
            for section in sections
            for experiment in section.experiments
            if (section.name, experiment.name) not in self.done
            and (data or not experiment.data)
            and (experiment.quick or not quick)
        ]

    def run(self, section: Section, experiment: Experiment, data: ModuleType | None) -> dict:
        """Run one, and write its lines at once."""
        begin = time.perf_counter()
        lines = experiment.run(data)
        result = {
            "section": section.name,
            "experiment": experiment.name,
            "lines": [[str(cell) for cell in line] for line in lines],
            "seconds": round(time.perf_counter() - begin, 1),
            "day": time.strftime("%Y-%m-%d"),
            "machine": machine(),
        }
        self.done[section.name, experiment.name] = result
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
        return result

    def forget(self, sections: Iterable[str]) -> None:
        """Leave out the results of some sections, so that they are run anew."""
        names = set(sections)
        self.done = {key: line for key, line in self.done.items() if key[0] not in names}
        if self.path.exists():
            text = "".join(json.dumps(line) + "\n" for line in self.done.values())
            self.path.write_text(text, encoding="utf-8")

    def lines(self, section: Section) -> Lines:
        """Lines of the experiments of a section that are done, in the order of the section."""
        found = (self.done.get((section.name, experiment.name)) for experiment in section.experiments)
        return [line for result in found if result for line in result["lines"]]

    def left(self, section: Section) -> list[str]:
        """Names of the experiments of a section that are not done."""
        return [e.name for e in section.experiments if (section.name, e.name) not in self.done]
