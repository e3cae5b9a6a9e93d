"""The writer of the methods in the table of developers/options.md; doc/write.py calls it.

Reasons are written by hand: the page tells why each option of a method is there. An option that has no row yet gets one
without a reason, which a test refuses.
"""

from pathlib import Path

from orangecontrib.reliefe.core import methods

PAGE = Path(__file__).parent / "developers" / "options.md"
HEAD = "| option | in windows | methods | reason |\n|---|---|---|---|\n"
MAX_NAMED = 6  # methods that are named; of more there is the number


def options() -> dict[tuple[str, str], list[str]]:
    """Return the names of the methods of each option, by its name for programs and that in windows."""
    names: dict[tuple[str, str], list[str]] = {}
    for method in methods():
        for parameter in method.parameters:
            names.setdefault((parameter.name, parameter.label), []).append(method.name)
    return dict(sorted(names.items()))


def reasons(page: str) -> dict[tuple[str, str], str]:
    """Return the reason of each option in the table of the page."""
    rows = [line.strip("| ").split(" | ") for line in page.partition(HEAD)[2].splitlines() if line.startswith("| `")]
    return {(name.strip("`"), label): reason for name, label, _, reason in rows}


def row(option: tuple[str, str], names: list[str], reason: str) -> str:
    """Return the row of an option."""
    listed = ", ".join(f"`{name}`" for name in names) if len(names) <= MAX_NAMED else f"{len(names)} methods"
    name, label = option
    return f"| `{name}` | {label} | {listed} | {reason} |\n"


def texts() -> dict[Path, str]:
    """Return the page with a row for each option, with its text."""
    page = PAGE.read_text(encoding="utf-8")
    known = reasons(page)
    before, head, rest = page.partition(HEAD)
    after = rest[len(rest.split("\n\n")[0]) + 1 :]
    rows = "".join(row(option, names, known.get(option, "?")) for option, names in options().items())
    return {PAGE: before + head + rows + after}
