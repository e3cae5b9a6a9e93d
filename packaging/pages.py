"""Put the built documentation into the package, so that F1 and "?" of the widgets work for who installs its wheel.

    python packaging/pages.py [FOLDER]

Run it where the package and its extra "doc" are installed; then build the wheel.  FOLDER: the checkout's
orangecontrib/reliefe/_help.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "orangecontrib" / "reliefe" / "_help"
NOT_SHIPPED = (".buildinfo", ".buildinfo.bak", "objects.inv", ".nojekyll")


def main() -> None:
    """Build all pages anew; a warning of Sphinx is an error."""
    parser = argparse.ArgumentParser(description="Put the built documentation into the package.")
    parser.add_argument("folder", nargs="?", type=Path, default=TARGET)
    folder = parser.parse_args().folder
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "-t", "help", "-b", "html", "-d", scratch]
        options = ["-D", "html_copy_source=0", "-D", "html_show_sourcelink=0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        subprocess.run([*command, *options, str(ROOT / "doc"), str(folder)], env=environment, check=True)
    for name in NOT_SHIPPED:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "_sources", ignore_errors=True)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    sys.stdout.write(f"{len(list(folder.rglob('*.html')))} pages, {size / 1e6:.1f} MB in {folder}\n")


if __name__ == "__main__":
    main()
