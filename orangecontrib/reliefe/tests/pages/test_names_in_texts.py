"""Names of controls in texts: *Name* on pages about windows, and in notes of workflows, is a name that there is."""

import ast
import lzma
import re
import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import Orange
import pytest

import orangecontrib.reliefe

PACKAGE = Path(orangecontrib.reliefe.__file__).parent
ABOUT_WINDOWS = (
    "README.md",
    "doc/index.md",
    "doc/gallery/*.md",
    "doc/start/*.md",
    "doc/widgets/*.md",
    "doc/teaching/lesson.md",
)
MIN_FIXED = 6  # letters of a string with placeholders, from which it stands for a name
MIN_PART = 5  # letters of a name that may be a part of a longer string, such as a unit or a step
# Names in windows of Orange and of its add-ons for texts and survival, names of files and data, and marks of numbers
ELSEWHERE = {
    "Annotations", "As Survival Data", "Bag of Words", "Corpus", "Example Workflows", "Help", "Preprocess Text",
    "Show View Options", "Show variable labels", "RMSE", "Spambase", "pair-of-loci.bed", "(2)", "r²", "lambda",
}  # fmt: skip
NUMBER = r"\b\d+\b"
CODE = re.compile(
    r"```.*?```|`[^`]*`|<!--.*?-->|\$[^$]*\$|\\\*|\*\*.*?\*\*|^## References?$.*", re.DOTALL | re.MULTILINE
)
NAME = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+(?:\n[^*\n]+)?)(?<=\S)\*(?![\w*])")


def plain(name: str) -> str:
    """A name without marks of keys, and without what ends it."""
    return re.sub(r"&(?=\w)", "", " ".join(name.split())).strip(" .:…?").lower()


def names_in(text: str) -> set[str]:
    """Names that are set as *Name* in a text."""
    return {" ".join(name.split()) for name in NAME.findall(CODE.sub("", text))}


def texts(checkout: Path) -> dict[str, str]:
    """Pages about windows, and notes of workflows, by the names of their files."""
    pages = [page for pattern in ABOUT_WINDOWS for page in sorted(checkout.glob(pattern))]
    found = {page.name: page.read_text(encoding="utf-8") for page in pages}
    for path in sorted((PACKAGE / "tutorials").glob("*.ows")):
        found[path.name] = "\n\n".join(note.text or "" for note in ET.parse(path).getroot().iter("text"))
    return found


@pytest.fixture(scope="module")
def strings(checkout) -> set[str]:
    """Strings in the sources of windows and of what they show; placeholders are {}."""
    literals = runpy.run_path(str(checkout / "doc" / "check_words.py"))["string_literals"]
    sources = [path for room in ("widgets", "orange", "core") for path in (PACKAGE / room).rglob("*.py")]
    return {
        plain(text)
        for path in sources
        if "tests" not in path.parts
        for text in literals(ast.parse(path.read_text(encoding="utf-8")))
    }


@pytest.fixture(scope="module")
def others(checkout) -> set[str]:
    """Titles of workflows, nodes, pages and sections; widgets of Orange; and names in the tables of controls."""
    from orangecontrib.reliefe.widgets.tests.run_workflow import registry

    names = {widget.name for widget in registry().widgets()}
    for path in (PACKAGE / "tutorials").glob("*.ows"):
        root = ET.parse(path).getroot()
        names |= {root.get("title", ""), *(node.get("title", "") for node in root.iter("node"))}
        names |= {line.lstrip("# ") for note in root.iter("text") for line in (note.text or "").splitlines()[:1]}
    for page in (checkout / "doc").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        names |= {*re.findall(r"^#+ (.*)", text, re.MULTILINE), *re.findall(r"^\| \*(.+?)\* \|", text, re.MULTILINE)}
    return {*map(plain, names | ELSEWHERE)}


@pytest.fixture(scope="module")
def data() -> str:
    """Names and values of the data of the examples, as one text."""
    texts = []
    for folder in (PACKAGE / "tutorials", Path(Orange.__file__).parent / "datasets"):
        for path in folder.glob("*.*"):
            if path.suffix in (".tab", ".bim"):
                texts.append(path.read_text(encoding="utf-8", errors="replace"))
            elif path.suffix == ".xz":
                texts.append(lzma.decompress(path.read_bytes()).decode())
    return "\n".join(texts).lower()


def test_names_in_texts_are_names_of_windows(checkout, strings, others, data):
    templates = [text for text in strings if "{}" in text and len(re.sub(r"\{\}|\W", "", text)) >= MIN_FIXED]
    patterns = re.compile("|".join(f"(?:{re.escape(text).replace(re.escape('{}'), '.+?')})" for text in templates))
    joined = "\n".join(strings)
    unknown: dict[str, list[str]] = {}
    for file, text in texts(checkout).items():
        for name in names_in(text):
            key = plain(name)
            is_part = len(key) >= MIN_PART and re.search(rf"\b{re.escape(re.sub(NUMBER, '{}', key))}(?!\w)", joined)
            if not (key in strings or key in others or key in data or patterns.fullmatch(key) or is_part):
                unknown.setdefault(name, []).append(file)
    assert not unknown, "no window has these names:\n" + "\n".join(f"*{name}*: {unknown[name]}" for name in unknown)
