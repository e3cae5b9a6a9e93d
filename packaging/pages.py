"""Put the built documentation into the package, so that F1 and "?" of the widgets work for who installs its wheel.

    python packaging/pages.py [--plain] [FOLDER]

Run it where the package and its extra "doc" are installed; then build the wheel.  FOLDER: the checkout's
orangecontrib/reliefe/_help.  --plain: only the pages of the widgets, without pictures; setup.py writes them.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "orangecontrib" / "reliefe" / "_help"
STYLE = "body {font: 15px sans-serif; max-width: 50em; margin: 2em auto; color-scheme: light dark} td {padding: .3em}"
NOT_SHIPPED = (".buildinfo", ".buildinfo.bak", "objects.inv", ".nojekyll")


def main() -> None:
    """Build all pages anew; a warning of Sphinx is an error."""
    parser = argparse.ArgumentParser(description="Put the built documentation into the package.")
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET)
    parser.add_argument("--plain", action="store_true", help="only pages of the widgets, without pictures")
    options = parser.parse_args()
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    if options.plain:
        write_plain(folder / "widgets")
        return
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-t", "help", "-b", "html", "-d", scratch]
        settings = ["-D", "html_copy_source=0", "-D", "html_show_sourcelink=0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run([*command, *settings, str(ROOT / "doc"), str(folder)], env=environment, check=True)
    for name in NOT_SHIPPED:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "_sources", ignore_errors=True)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    sys.stdout.write(f"{len(list(folder.rglob('*.html')))} pages, {size / 1e6:.1f} MB in {folder}\n")


def write_plain(folder: Path) -> None:
    """Write the pages of the widgets; links to other pages become text, and the index lists all in an element that
    Orange looks for.
    """
    from markdown_it import MarkdownIt

    folder.mkdir(parents=True)
    render = MarkdownIt("commonmark").enable("table").render
    for page in (ROOT / "doc" / "widgets").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for pattern, written in (
            (r"!\[[^]]*\]\([^)]*\)\n*", ""),
            (r"\[([^]]*)\]\(\.\./[^)]*\)", r"\1"),
            (r"\]\(([\w-]+)\.md", r"](\1.html"),
            (r"(?m)^(.+) <([\w-]+)>$", r"- [\1](\2.html)"),
            (r"```.*\n|:maxdepth: 1\n", ""),
        ):
            text = re.sub(pattern, written, text)
        title = re.search("# (.*)", text)[1]
        head = f'<html><head><meta charset="utf-8"/><title>{title}</title><style>{STYLE}</style></head>'
        html = f'<!DOCTYPE html>\n{head}<body><section id="widgets">{render(text)}</section></body></html>\n'
        (folder / f"{page.stem}.html").write_text(html, encoding="utf-8")


if __name__ == "__main__":
    main()
