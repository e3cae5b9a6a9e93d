"""The writer of gallery.md and of a page for each example workflow, from their files; doc/write.py calls it."""

import ast
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = Path("..") / ".." / "orangecontrib" / "reliefe"  # from the folder of the pages of workflows
PAGES = HERE / "gallery"
DATA = "https://github.com/biolab/orange3/blob/master/Orange/datasets"
ANSWERS = json.loads((HERE / "gallery" / "answers.json").read_text(encoding="utf-8"))
HEAD = """# Gallery

<!-- written by write_gallery.py -->

To open these workflows in Orange, choose *Help*, *Example Workflows*. Each includes its data and notes on every step.
Tests run all of them.
"""
COLUMNS = 3  # of the table of workflows


def workflows() -> list["Workflow"]:
    """All example workflows, in the order of their names."""
    return [Workflow(path) for path in sorted((PAGES / PACKAGE / "tutorials").glob("*.ows"))]


def page_text() -> str:
    """Return the page with a small picture of each workflow, which leads to its own page."""
    cells = [f"{each.thumbnail()} [{each.title}](gallery/{each.name}.md)" for each in workflows()]
    n_empty = -len(cells) % COLUMNS  # at the end of the last row
    cells += [""] * n_empty
    rows = [cells[first : first + COLUMNS] for first in range(0, len(cells), COLUMNS)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], ["---"] * COLUMNS, *rows[1:]))
    contents = "\n".join(f"gallery/{each.name}" for each in workflows())
    return "\n\n".join([HEAD.rstrip(), table, f"```{{toctree}}\n:hidden:\n\n{contents}\n```"]) + "\n"


class Workflow:
    """A workflow as its file tells it: title, description, widgets, data, and notes in the order of their numbers."""

    def __init__(self, path: Path) -> None:
        root = ET.parse(path).getroot()
        self.name = path.stem
        self.title = root.get("title")
        self.about = root.get("description")
        self.widgets = [node.get("name") for node in root.iter("node")]
        self.notes = [note.text.strip() for note in root.iter("text") if note.text and note.text.strip()]
        settings = [
            ast.literal_eval(found.text) for found in root.iter("properties") if found.get("format") == "literal"
        ]
        self.data = list(dict.fromkeys(found["example"] for found in settings if "example" in found))

    @property
    def files(self) -> list[str]:
        """Files of this package that notes name."""
        found = re.findall(r"\*([\w-]+\.\w+)\*", "".join(self.notes))
        return [name for name in found if (PAGES / PACKAGE / "tutorials" / name).is_file()]

    def thumbnail(self) -> str:
        """Return the picture of the canvas as a link to the page of the workflow."""
        return f"[![{self.title}](gallery/{self.name}.png)](gallery/{self.name}.md)"

    @property
    def question(self) -> str:
        """The heading of the notes, where it asks something that the title does not; and the description."""
        (head,) = (note.splitlines()[0].lstrip("# ") for note in self.notes if note.startswith("#"))
        asks_more = head.endswith("?") and head.strip("?") != self.title.strip("?")
        return f"**{head}** {self.about}" if asks_more else self.about

    def page(self) -> str:
        """Return the page of the workflow: question, picture, answer, and what to try."""
        intro = [re.sub(r"^#.*\n+", "", note) for note in self.notes if note.startswith("#")]
        rest = [note for note in self.notes if not re.match(r"#|\*\*\d", note)]  # steps stay in the workflow
        files = ", ".join(map(data_link, self.data)) or ", ".join(map(file_link, self.files))
        link = f"[{self.name}.ows]({PACKAGE.as_posix()}/tutorials/{self.name}.ows)"
        return "\n\n".join(
            [
                f"# {self.title}",
                self.question,
                f"![The workflow on the canvas: {self.title}]({self.name}.png)",
                f"**Answer.** {ANSWERS[self.name]}",
                *filter(None, intro),
                *rest,
                f"Workflow: {link}. Data: {files}. Widgets: {', '.join(dict.fromkeys(self.widgets))}.",
            ]
        )


def data_link(name: str) -> str:
    """A file of this package, or one that comes with Orange."""
    from orangecontrib.reliefe.orange.examples import EXAMPLES

    example = EXAMPLES[name]
    place = DATA if example.orange else f"{PACKAGE.as_posix()}/tutorials"
    return f"[{example.title}]({place}/{example.file}) ({example.about})"


def file_link(name: str) -> str:
    """A file of this package."""
    return f"[{name}]({PACKAGE.as_posix()}/tutorials/{name})"


def texts() -> dict[Path, str]:
    """Return the pages that this writer writes, with their texts."""
    return {HERE / "gallery.md": page_text(), **{PAGES / f"{each.name}.md": each.page() for each in workflows()}}
