"""The report: one page in Markdown for the site, one file of HTML that needs nothing else, and the pictures of both."""

import base64
import html
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from common import table

from .record import AGREES, DIFFERS, Lines, Results, Section, texts

TITLE = "The proof"
BEGIN = "<!-- written by python -m benchmarks reproduce; what is changed here is lost -->"
GOOD = (AGREES, "equal", "same sign")
BAD = (DIFFERS, "other sign")
PICTURES = {
    "without-target": "printed.png",
    "reliefe-density": "density.png",
    "reliefe-k": "neighbours.png",
    "peers": "peers.png",
    "growth": "growth.png",
}
CAPTIONS = {
    "printed.png": "Printed errors and ours, both axes logarithmic: points on the line are equal.",
    "density.png": "Density by multiples of the epsilon of Algorithm 1, on a logarithmic axis.",
    "neighbours.png": "Adaptive number of neighbours, logarithmic: median, quartiles (thick), 5 % to 95 % (thin).",
    "peers.png": "How many times longer other packages take, on a logarithmic axis.",
    "growth.png": "Seconds by rows, and by features, both axes logarithmic.",
}
STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:0 auto;padding:1rem}
body{color:#1a1a1a;background:#fff}
div{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
td,th{padding:.2rem .6rem;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}
.good{color:#00664a}.bad{color:#b03000;font-weight:600}img{max-width:100%;background:#fff}pre{overflow-x:auto}
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#181818}td,th{border-color:#444}
.good{color:#5fd3ac}.bad{color:#ff9d76}a{color:#8ab4f8}}"""


def counted(lines: Lines) -> tuple[int, int]:
    """Lines whose last cell is a good verdict, and a bad one."""
    last = [line[-1] for line in lines if line]
    return sum(cell in GOOD for cell in last), sum(cell in BAD for cell in last)


def summary(sections: Sequence[Section], results: Results) -> Lines:
    """A line for each section with a verdict: numbers, those that agree, those that do not."""
    rows = []
    for section in sections:
        lines = results.lines(section)
        good, bad = counted(lines)
        if good + bad:
            rows.append([section.title, str(good + bad), str(good), str(bad) if bad else "-"])
    return rows


def machines(sections: Iterable[Section], results: Results) -> list[str]:
    """Sentences on the machines, versions and days of the results that are shown."""
    known = [results.done.get((s.name, e.name)) for s in sections for e in s.experiments]
    found: dict[str, list[dict]] = {}
    for result in filter(None, known):
        found.setdefault(json.dumps(result["machine"]), []).append(result)
    sentences = []
    for key, group in found.items():
        days, seconds = sorted(result["day"] for result in group), sum(result["seconds"] for result in group)
        own = json.loads(key)
        parts = ", ".join(f"{name} {value}" for name, value in own.items() if not name.startswith("processor"))
        time = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
        place = f"{own['processor']}, {own['processors']} processors"
        sentences.append(f"{len(group)} experiments in {seconds / 60:.0f} minutes, {time}: {place}; {parts}.")
    return sentences


def markdown(sections: Sequence[Section], results: Results, folder: str = "proof") -> str:
    """The page of the site."""
    parts = [f"# {TITLE}", BEGIN, texts()["introduction"], *machines(sections, results)]
    parts.append(table(("part", "numbers", "agree", "differ"), summary(sections, results), markdown=True))
    for section in sections:
        lines = results.lines(section)
        if not lines:
            continue
        parts += [f"## {section.title}", section.text]
        parts += [f"Printed by `{section.command}`."] if section.command else []
        parts.append(table(section.header, [[_cell(cell) for cell in line] for line in lines], markdown=True))
        closing = section.closing(lines)
        parts += [closing] if closing else []
        picture = PICTURES.get(section.name)
        parts += [f"![{CAPTIONS[picture]}]({folder}/{picture})"] if picture else []
        left = results.left(section)
        parts += [f"Not run: {', '.join(left)}."] if left else []
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page(sections: Sequence[Section], results: Results, pictures: Path) -> str:
    """The report as one file of HTML, pictures in it."""
    parts = [
        f"<h1>{TITLE}</h1>",
        *(_paragraphs(texts()["introduction"])),
        *(_paragraphs("\n\n".join(machines(sections, results)))),
    ]
    parts.append(_table(("part", "numbers", "agree", "differ"), summary(sections, results)))
    for section in sections:
        lines = results.lines(section)
        if not lines:
            continue
        parts += [f'<h2 id="{section.name}">{html.escape(section.title)}</h2>', *_paragraphs(section.text)]
        parts += _paragraphs(f"Printed by `{section.command}`.") if section.command else []
        parts.append(_table(section.header, lines))
        parts += _paragraphs(section.closing(lines))
        file = pictures / PICTURES.get(section.name, "")
        if file.is_file():
            data = base64.b64encode(file.read_bytes()).decode()
            parts.append(f'<img alt="{html.escape(CAPTIONS[file.name])}" src="data:image/png;base64,{data}">')
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{TITLE}</title>'
    body = "\n".join(parts)
    return f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n"


def _paragraphs(text: str) -> list[str]:
    found = []
    for block in filter(None, text.split("\n\n")):
        if block.startswith("    "):
            found.append(f"<pre>{html.escape(block)}</pre>")
        else:
            found.append(f"<p>{_inline(block)}</p>")
    return found


def _inline(text: str) -> str:
    """The little Markdown of texts and cells: code, emphasis, links, escaped stars."""
    text = html.escape(text, quote=False).replace("\\*", "&#42;")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def _table(header: Sequence[str], lines: Lines) -> str:
    def cell(text: str) -> str:
        kind = ' class="good"' if text in GOOD else ' class="bad"' if text in BAD else ""
        return f"<td{kind}>{_inline(text)}</td>"

    rows = "".join(f"<tr>{''.join(map(cell, line))}</tr>\n" for line in lines)
    return f"<div><table><tr>{''.join(f'<th>{html.escape(name)}</th>' for name in header)}</tr>\n{rows}</table></div>"
