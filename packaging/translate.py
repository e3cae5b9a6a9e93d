"""Put the languages of i18n/ into a copy of the package, as Orange does: texts become look-ups in tables of languages.

    python packaging/translate.py [FOLDER]        a translated copy of the package in FOLDER (build/translated)
    python packaging/translate.py --update        collect the texts of widgets anew into i18n/*/msgs.jaml
    python packaging/translate.py --missing       print texts without a decision; 1 if there are any

A wheel is built with all languages where ORANGE_RELIEFE_LANGUAGES=1 is set (setup.py calls `into`).  Orange's own
setting says which language is shown (Options, Settings, Language); see i18n/README.md.
"""

import argparse
import contextlib
import io
import shutil
import sys
from pathlib import Path

from trubar import translate
from trubar.actions import collect
from trubar.config import config
from trubar.messages import MsgDict, dump, load

ROOT = Path(__file__).resolve().parents[1]
SOURCE, FOLDER = ROOT / "orangecontrib" / "reliefe", ROOT / "i18n"
CONFIG, MESSAGES = FOLDER / "trubar-config.yaml", "msgs.jaml"
LANGUAGES = {"si": "Slovenian"}
TRANSLATED = "widgets/"  # the core knows no language


def into(package: Path) -> None:
    """Translate the sources of a copy of the package in place, and put the tables of languages beside them."""
    (package / "i18n").mkdir(exist_ok=True)
    with contextlib.redirect_stdout(io.StringIO()):
        translate(MESSAGES, source_dir=str(package), config_file=str(CONFIG))


def copy(target: Path) -> Path:
    """A translated copy of the package in the folder `target`."""
    package = target / "orangecontrib" / "reliefe"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    into(package)
    return package


def collected(existing: MsgDict) -> tuple[MsgDict, MsgDict]:
    """Texts of the widgets' sources with what is known of them, and those that are no longer there."""
    config.update_from_file(str(CONFIG))
    return collect(str(SOURCE), existing, TRANSLATED, quiet=True)


def undecided(messages: MsgDict, path: str = "") -> list[str]:
    """Places and texts that are neither translated nor marked as none (false)."""
    found = []
    for key, node in messages.items():
        if isinstance(node.value, dict):
            found += undecided(node.value, f"{path}{key} ")
        elif node.value is None:
            found.append(f"{path}{key!r}")
    return found


def main() -> int:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "translated")
    parser.add_argument("--update", action="store_true", help="collect texts anew; new ones are null")
    parser.add_argument("--missing", action="store_true", help="print texts without a decision")
    options = parser.parse_args()
    if not (options.update or options.missing):
        sys.stdout.write(f"translated: {copy(options.folder)}\n")
        return 0
    left = 0
    for code in LANGUAGES:
        file = FOLDER / code / MESSAGES
        messages, removed = collected(load(str(file)))
        if options.update:
            dump(messages, str(file))
        lines = [*undecided(messages), *(f"{name}: no longer there" for name in removed)]
        left += len(lines)
        sys.stdout.write("".join(f"{code}: {line}\n" for line in lines))
    return int(left > 0 and options.missing)


if __name__ == "__main__":
    sys.exit(main())
