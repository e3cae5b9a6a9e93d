"""Counts long sentences and words to avoid in texts for people: ``python doc/check_words.py``.

Fails above `BUDGET`. Lower its numbers after each improvement, and never raise them.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).parents[1]
PACKAGE = HOME / "orangecontrib" / "reliefe"
LIMITS = 25, 30, 45
# The highest numbers of sentences above the limits, and of words to avoid.
BUDGET = {
    "pages": (40, 4, 0, 9),
    "docstrings": (10, 7, 0, 1),
    "widgets": (7, 3, 0, 11),
    "parameters": (6, 2, 0, 0),
}
AVOIDED = re.compile(
    r"\b(tells?|telling|told|such|others|of which|there is none|is there|by itself|anew|sought|next to nothing"
    r"|as a rule|what(?=[^?]*$))\b",
    re.IGNORECASE,
)
NAME = re.compile("adds to the others", re.IGNORECASE)  # of a column and a control, in which no word counts
WRITTEN = re.compile(r"<!-- (controls|methods|table): written by.*?<!-- end of \1 -->", re.DOTALL)  # from other texts


def counted(block: str) -> Counter[int | str]:
    """Sentences (0) of a paragraph, item or cell, those above each limit, and words; up to five words are a label."""
    found: Counter[int | str] = Counter()
    for sentence in re.split(r"(?<=[.!?])[\"*_')\]]*\s+(?=[\"*_'(\[]*[A-Z`\d>*])", flat(block)):
        length = sum(bool(re.search(r"\w", word)) for word in sentence.split())
        found.update(limit for limit in (0, *LIMITS) if length > (limit or 5))
        found.update(match.group().lower() for match in AVOIDED.finditer(sentence))
    return found


def shown(found: Counter[int | str]) -> str:
    """A line on what was counted."""
    above = ", ".join(f"{found[limit]} above {limit}" for limit in LIMITS)
    words = ", ".join(f"{word} {number}" for word, number in found.most_common() if isinstance(word, str))
    return f"{found[0]} sentences, {above}; words to avoid: {words or 'none'}"


def flat(text: str) -> str:
    """Text as it is read: links without addresses, code and formulas as one word each."""
    text = re.sub(r"!\[.*?\]\(.*?\)|<[^>]*>", "", text, flags=re.DOTALL)
    text = re.sub(r"(?<!\\)\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = NAME.sub("`x`", re.sub(r"``.+?``|`[^`]+`|\$[^$]+\$", "`x`", text, flags=re.DOTALL))
    return " ".join(text.split())


def page_blocks(text: str) -> Iterator[str]:
    """Paragraphs, items and cells of a page of Markdown, without code, headings and directives."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^([ ]*)(```|~~~).*?^\1\2 *$", "\n", WRITTEN.sub("", text), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->|\$\$.*?\$\$", "", text, flags=re.DOTALL)
    text = re.sub(r"^ *(#|:::|:\w+:|\(\S+\)=).*", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *([-*+]|\d+\.|:) ", "\n\n", text, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n|(?<=\|)\n", text):
        if not re.match(r" {4}\S", block):
            yield from re.split(r"(?<!\\)\|", block) if block.lstrip().startswith("|") else [block]


def docstrings() -> Iterator[tuple[str, str]]:
    """(file, docstring) of all names that a module of the package exports, and of their public methods."""
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py") if "tests" not in str(path)
    }
    exported = set()
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                exported |= {each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)}
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in exported:
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"]
                for each in (node, *(methods if isinstance(node, ast.ClassDef) else [])):
                    yield str(path.relative_to(PACKAGE)), ast.get_docstring(each) or ""


def docstring_blocks(text: str) -> list[str]:
    """Paragraphs of a docstring; heads of sections, examples and lines of names and types are none."""
    lines = [
        ""
        if re.match(r"\s*(-+$|>>>|\.\.\. |[\w*, ]+ : )", line) or re.fullmatch(r"[A-Z][a-z]+( [A-Z]\w+)?", line)
        else line
        for line in text.splitlines()
    ]
    return re.split(r"\n\s*\n|\n(?=[\w, ]+(?:\([^)\n]*\))?: )", "\n".join(lines))


def string_literals(tree: ast.AST) -> Iterator[str]:
    """Strings of a source, without docstrings; a placeholder of an f-string is {}."""
    parts: set[ast.AST] = set()  # of f-strings and of formats of numbers, and docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            parts.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts.update(node.values)
        elif isinstance(node, ast.FormattedValue) and node.format_spec:
            parts.add(node.format_spec)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and node not in parts:
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            yield node.value


def widget_texts() -> Iterator[tuple[str, str]]:
    """(file, text) of all strings in the sources of widgets; names of settings are too short to be sentences."""
    for path in sorted((PACKAGE / "widgets").rglob("*.py")):
        if "tests" not in path.parts:
            for text in string_literals(ast.parse(path.read_text(encoding="utf-8"))):
                yield str(path.relative_to(PACKAGE)), text


def parameter_texts() -> Iterator[tuple[str, str]]:
    """(method, text) of parameters; a text that several methods share counts once."""
    from orangecontrib.reliefe.core import METHODS

    seen = set()
    for method in METHODS.values():
        yield method.name, f"{method.idea}."
        for parameter in method.parameters:
            if parameter.tooltip not in seen:
                seen.add(parameter.tooltip)
                yield method.name, f"{parameter.tooltip}."


def texts(kind: str) -> Iterator[tuple[str, str]]:
    """(file, block) of one kind of text."""
    if kind == "pages":
        for path in (HOME / "README.md", HOME / "CHANGELOG.md", *sorted((HOME / "doc").rglob("*.md"))):
            yield from ((str(path.relative_to(HOME)), block) for block in page_blocks(path.read_text(encoding="utf-8")))
    elif kind == "docstrings":
        yield from ((place, block) for place, text in docstrings() for block in docstring_blocks(text))
    else:
        yield from widget_texts() if kind == "widgets" else parameter_texts()


def main() -> None:
    """Prints the counts by file and kind, and ends with 1 if any is above its budget."""
    above = []
    for kind, budget in BUDGET.items():
        found: dict[str, Counter[int | str]] = {}
        for place, block in texts(kind):
            found.setdefault(place, Counter()).update(counted(block))
        for place, each in found.items():
            if set(each) - {0}:
                sys.stdout.write(f"{place}: {shown(each)}\n")
        total = sum(found.values(), Counter())
        figures = (*(total[limit] for limit in LIMITS), sum(total[word] for word in total if isinstance(word, str)))
        sys.stdout.write(f"all {kind}: {shown(total)}; {figures}, at most {budget}\n\n")
        above += [kind] * any(figure > most for figure, most in zip(figures, budget, strict=True))
    sys.exit(f"Above the budget: {', '.join(above)}. Shorten sentences and replace words." if above else 0)


if __name__ == "__main__":
    main()
