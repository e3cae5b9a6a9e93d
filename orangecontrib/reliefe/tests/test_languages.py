"""Languages: no text is missing, placeholders are the same, and widgets of the translated package open."""

import ast
import os
import re
import runpy
import string
import subprocess
import sys
from pathlib import Path

import pytest

from orangecontrib.reliefe.core.words import counted

LANGUAGES = {"si": "Slovenian"}
FORMS = {"si": 4}  # of a noun that is counted
OPENED = """
import sys
from AnyQt.QtCore import QSettings
QSettings.setPath(QSettings.IniFormat, QSettings.UserScope, sys.argv[1])
settings = QSettings(QSettings.IniFormat, QSettings.UserScope, "biolab.si", "Orange")
settings.setValue("application/language", sys.argv[2])
settings.sync()
from AnyQt.QtWidgets import QApplication, QCheckBox, QPushButton
app = QApplication([])
from orangecontrib.reliefe.widgets.owsparsify import OWSparsify
from orangecontrib.reliefe.widgets.owrankingcomparison import OWRankingComparison
for kind in (OWSparsify, OWRankingComparison):
    widget = kind()
    print(kind.name, *(box.text() for box in widget.findChildren(QCheckBox)), sep="|")
sys.stdout.flush()
import os
os._exit(0)
"""


@pytest.fixture(scope="module")
def home(checkout) -> Path:
    pytest.importorskip("trubar")
    return checkout


@pytest.fixture(scope="module")
def translate(home) -> dict:
    return runpy.run_path(str(home / "packaging" / "translate.py"))


def catalogue(home, code):
    """(place, text, translation or False or None) of one language."""
    from trubar.messages import load

    def walk(node, place):
        for key, value in node.items():
            if isinstance(value.value, dict):
                yield from walk(value.value, (*place, key))
            else:
                yield place, key, value.value

    return list(walk(load(str(home / "i18n" / code / "msgs.jaml")), ()))


def names(text):
    """Names that expressions in braces use; None for a text that is no f-string."""
    try:
        tree = ast.parse('f"""' + text.replace('"""', "'''") + '"""', mode="eval")
    except SyntaxError:
        return None
    return sorted({getattr(node, "id", None) or getattr(node, "attr", None) or "" for node in ast.walk(tree)})


def fields(text):
    """Placeholders of str.format, and formats of numbers in f-strings, as they are written."""
    try:
        return sorted(
            (name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name == "" and spec is not None
        )
    except ValueError:
        return None


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_decided_on(home, code):
    found = [(place, text) for place, text, value in catalogue(home, code) if value is None]
    assert not found
    assert sum(isinstance(value, str) for *_, value in catalogue(home, code)) > 1200


@pytest.mark.parametrize("code", LANGUAGES)
def test_placeholders_are_the_same(home, code):
    for place, text, value in catalogue(home, code):
        if isinstance(value, str):
            assert names(text) == names(value), (place, text, value)
            assert fields(text) == fields(value), (place, text, value)
            assert text.count("<") == value.count("<"), (place, text, value)


def test_placeholders_that_differ_are_found():
    assert names("{a:,} of {b}") == names("{b} od {a:,}")
    assert names("{a} of {b}") != names("{a} of {c}")
    assert fields("{:,} of {}") != fields("{} of {}")


@pytest.mark.parametrize("code", LANGUAGES)
def test_spaces_at_the_ends_stay(home, code):
    for place, text, value in catalogue(home, code):
        if isinstance(value, str) and text.strip():
            assert (text[0] == " ", text[-1] == " ") == (value[0] == " ", value[-1] == " "), (place, text, value)


@pytest.mark.parametrize("code", LANGUAGES)
def test_counted_nouns_have_all_forms(home, code):
    for _, _, value in catalogue(home, code):
        for noun in re.findall(r"'([^'{}]*\|[^'{}]*)'", value) if isinstance(value, str) else ():
            assert noun.count("|") == FORMS[code] - 1, noun


@pytest.mark.parametrize(
    "n, noun, text",
    [
        (1, "row", "1 row"),
        (2000, "row", "2,000 rows"),
        (1, "Zeile|Zeilen", "1 Zeile"),
        (0, "Zeile|Zeilen", "0 Zeilen"),
        (101, "vrstica|vrstici|vrstice|vrstic", "101 vrstica"),
        (2, "vrstica|vrstici|vrstice|vrstic", "2 vrstici"),
        (104, "vrstica|vrstici|vrstice|vrstic", "104 vrstice"),
        (11, "vrstica|vrstici|vrstice|vrstic", "11 vrstic"),
    ],
)
def test_counted_in_languages(n, noun, text):
    assert counted(n, noun) == text


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
def test_catalogue_is_that_of_the_sources(home, translate, code):
    """Texts collected anew are those of the catalogue."""
    from trubar.messages import load

    messages, removed = translate["collected"](load(str(home / "i18n" / code / "msgs.jaml")))
    assert not removed
    assert not translate["undecided"](messages)


@pytest.mark.slow
def test_translated_package_opens(translate, tmp_path):
    package = translate["copy"](tmp_path / "copy")
    assert {file.stem for file in (package / "i18n").iterdir()} == {"English", *LANGUAGES.values()}
    for file in package.rglob("widgets/**/*.py"):
        compile(file.read_text(encoding="utf-8"), str(file), "exec")
    seen = {}
    for language in LANGUAGES.values():
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / "copy"), "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-W", "ignore", "-c", OPENED, str(tmp_path / language), language]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        seen[language] = done.stdout
    assert "Redčenje|Stolpci v enotah svojega &razpona" in seen["Slovenian"]
