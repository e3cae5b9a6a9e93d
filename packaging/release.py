"""Make what is published: an sdist, and a pure wheel with the pages of the help; check and try both.

    python packaging/release.py [--shared] [--keep] [--no-address] [FOLDER]

Run it where the package and its extras "doc" and "release" are installed.  FOLDER: dist.  Wheel and sdist are checked
by twine, check-wheel-contents and pyroma.  The wheel is installed into an empty environment, where the core must rank a
file; with Orange in addition it must find its version, rank a table, and have a page for each widget.
--shared: that environment takes what the package needs from this one, instead of from the index: seconds.
--keep: pages that are in the checkout stay as they are.
--no-address: for trials, while setup.py does not know the address of the repository.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "orangecontrib" / "reliefe"
LARGEST_WHEEL = 6.0  # MB
LARGEST_SDIST = 3.0  # MB
LEAST_RATING = 9  # of 10, by pyroma
NOT_RATED = "AuthorEmail"  # the project has no mail address: reports go through the repository
PEOPLE = "age,sex,class\n" + "".join(f"{age},{'fm'[age % 2]},{'ill' if age > 50 else 'well'}\n" for age in range(60))
TRIAL = """
import importlib.util, re, sys
from pathlib import Path
import orangecontrib.reliefe as package
home = Path(package.__file__).parent
assert str(home).startswith(sys.prefix), home
assert package.__version__ == sys.argv[1], package.__version__
pages = [path.read_text(encoding="utf-8") for path in (home / "_help" / "widgets").glob("*.html")]
titles = {title for page in pages for title in re.findall("<h1>([^<]+)<", page)}
windows = [path.read_text(encoding="utf-8") for path in (home / "widgets").glob("ow*.py")]
names = {name for window in windows for name in re.findall('^    name = "(.+)"', window, re.MULTILINE)}
assert names and names <= titles, names - titles
from Orange.data import Table
from orangecontrib.reliefe import rank
assert rank(Table("heart_disease")).best(1)[0].name == "thal"
"""


def main() -> None:
    """Make, look at, and try; the first thing that is wrong ends it."""
    parser = argparse.ArgumentParser(description="Make and try what is published.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    parser.add_argument("--shared", action="store_true", help="dependencies of this environment")
    parser.add_argument("--keep", action="store_true", help="pages that are there")
    parser.add_argument("--no-address", action="store_true", help="a trial that is not published")
    options = parser.parse_args()
    if not (options.no_address or repository()):
        sys.exit("fill in REPOSITORY in setup.py, or add --no-address for a trial: links of the description need it")
    if not (options.keep and (PACKAGE / "_help").is_dir()):
        run(sys.executable, str(ROOT / "packaging" / "pages.py"))
    options.folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as new:
        wheel, sdist = build(Path(new))
        run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
        run(sys.executable, "-m", "check_wheel_contents", str(wheel))
        run(sys.executable, "-m", "pyroma", "--min", str(LEAST_RATING), "--skip-tests", NOT_RATED, str(sdist))
        look_at(wheel, sdist)
        try_out(wheel, options.shared)
        for file in (wheel, sdist):
            file.replace(options.folder / file.name)


def repository() -> str:
    """Return the address of the repository; empty while setup.py does not know it."""
    found = re.search(r'^REPOSITORY = "(.*)"', (ROOT / "setup.py").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def run(*command: str, quiet: bool = False, environment: dict[str, str] | None = None, folder: Path = ROOT) -> str:
    """Run a command and take what it prints; its failure ends the script."""
    done = subprocess.run(
        command, cwd=folder, env=environment, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode or not quiet:
        sys.stdout.write(done.stdout)
        sys.stdout.flush()
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}")
    return done.stdout


def build(folder: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is made of it with pages; both in `folder`."""
    make = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)]
    run(*make, "--sdist", str(ROOT), quiet=True)
    (sdist,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(sdist) as file:
            file.extractall(scratch, filter="data")
        (source,) = Path(scratch).iterdir()
        shutil.copytree(PACKAGE / "_help", source / "orangecontrib" / "reliefe" / "_help")
        run(*make, "--wheel", str(source), quiet=True)
    (wheel,) = folder.glob("*-py3-none-any.whl")
    return wheel, sdist


def look_at(wheel: Path, sdist: Path) -> None:
    """Sizes, and what must and must not be inside."""
    with zipfile.ZipFile(wheel) as file:
        inside = file.namelist()
        (metadata,) = (file.read(name).decode() for name in inside if name.endswith(".dist-info/METADATA"))
    if repository() and (relative := re.search(r"\]\((?!https?:|#)[^)]+\)", metadata)):
        sys.exit(f"the description has a link that is not absolute: {relative[0]}")
    with tarfile.open(sdist) as file:
        source = [name.partition("/")[2] for name in file.getnames()]
    for path, names, largest in ((wheel, inside, LARGEST_WHEEL), (sdist, source, LARGEST_SDIST)):
        size = path.stat().st_size / 1e6
        sys.stdout.write(f"{path.name}: {size:.2f} MB, {len(names)} files\n")
        if size > largest:
            sys.exit(f"{path.name} is larger than {largest} MB")
    for part in ("_help/index.html", "widgets/icons/", "tutorials/10-first-ranking.ows", "py.typed"):
        if not any(f"orangecontrib/reliefe/{part}" in name for name in inside):
            sys.exit(f"{wheel.name} lacks {part}")
    for part in ("orangecontrib/reliefe/tests/golden/reliefe.json", "orangecontrib/reliefe/conftest.py"):
        if part not in source:
            sys.exit(f"{sdist.name} lacks {part}")
    bulk = [name for name in (*inside, *source) if name.startswith(("fuzz/", "doc/images"))]
    if bulk:
        sys.exit(f"not to be published: {', '.join(bulk[:5])}")


def try_out(wheel: Path, shared: bool) -> None:
    """Install the wheel into an empty environment, and use it from an empty folder with an empty cache."""
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "venv", *(["--without-pip"] if shared else []), str(folder / "empty"))
        scripts = folder / "empty" / ("Scripts" if os.name == "nt" else "bin")
        python = str(scripts / "python")
        paths = {"base": str(folder / "empty"), "platbase": str(folder / "empty")}
        if shared:
            site = Path(sysconfig.get_path("purelib", vars=paths))
            pip = [sys.executable, "-m", "pip", "--python", python]
            run(*pip, "install", "--quiet", "--no-deps", str(wheel))
            # It comes after the environment's own, so that the package is that of the wheel.
            (site / "shared.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        else:
            run(python, "-m", "pip", "install", "--quiet", str(wheel))
            run(python, "-m", "pip", "check")
        mine = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
        mine |= {"NUMBA_CACHE_DIR": str(folder / "cache")}
        inside = {"environment": mine, "folder": folder}
        (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
        run(str(scripts / "orange-reliefe"), "rank", "people.csv", **inside)
        if not shared:
            run(python, "-m", "pip", "install", "--quiet", f"{wheel}[orange]")
            run(python, "-m", "pip", "check")
        run(python, "-W", "ignore", "-c", TRIAL, version, **inside)
        run(str(scripts / "orange-reliefe"), "rank", "heart_disease", "--top", "3", **inside)


if __name__ == "__main__":
    main()
