"""Packaging of Orange3-ReliefE."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
INIT = (HERE / "orangecontrib" / "reliefe" / "__init__.py").read_text(encoding="utf-8")
VERSION = re.search(r'^__version__ = "([^"]+)"', INIT, re.MULTILINE).group(1)
# Address of the repository, for example https://github.com/NAME/orange3-reliefe: the one place where it is written.
# It is not known yet; packaging/release.py refuses to make a release until it is.
REPOSITORY = ""
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


class WithExtras(build_py):
    """Build, and add the pages of the widgets and the list of methods."""

    def run(self) -> None:
        """Build, then add to what was built; who has all pages in the checkout has them in the package."""
        super().run()
        if self.editable_mode:
            self.write_pages(HERE / "orangecontrib" / "reliefe" / "_help")
            return
        package = Path(self.build_lib) / "orangecontrib" / "reliefe"
        self.write_pages(package / "_help")
        places = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "orangecontrib.reliefe", "methods", "--json"]
        made = subprocess.run(command, env={**os.environ, "PYTHONPATH": places}, capture_output=True, check=False)
        if not made.returncode:
            (package / "_methods.json").write_bytes(made.stdout)

    def write_pages(self, folder: Path) -> None:
        """Write plain pages of the widgets for F1, unless there are pages; it may fail, and then F1 finds none."""
        if not folder.is_dir():
            command = [sys.executable, str(HERE / "packaging" / "pages.py"), "--plain", str(folder.resolve())]
            subprocess.run(command, check=False)


def description(text: str, repository: str, version: str) -> str:
    """Return README.md as the index shows it: links to files of the repository become absolute.

    Parameters
    ----------
    text : str
        Markdown with links such as ``[speed](doc/speed.md)``.
    repository : str
        Address of the repository. If it is empty, links stay as they are.
    version : str
        Version whose tag has the files.

    Returns
    -------
    str
    """
    if not repository:
        return text
    relative = r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)"

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"  # pictures are fetched, pages are shown
        return f"{link[1]}{link[2]}({repository}/{kind}/v{version}/{link[3]})"

    return re.sub(relative, absolute, text)


def addresses(repository: str) -> dict[str, str]:
    """Return the addresses that the index lists beside the description; none without a repository."""
    pages = {"Source": "", "Issues": "/issues", "Changes": "/blob/main/CHANGELOG.md", "Documentation": "/tree/main/doc"}
    return {name: repository + page for name, page in pages.items()} if repository else {}


# Orange's own requirements end before Python 3.14; the core runs with it.
ORANGE = [
    f'{name}; python_version < "3.14"'
    for name in (
        "Orange3>=3.39",
        "orange-widget-base>=4.25",
        "orange-canvas-core>=0.2.5",
        "AnyQt>=0.2",
        "networkx>=3.2",
        "pyqtgraph>=0.13.4",
        "xlsxwriter>=3.1",
    )
]
QT = ["PyQt6>=6.5", "PyQt6-WebEngine>=6.5"]  # the latter shows Orange's reports, and runs the picture of doc/teaching
PEERS = ["skrebate>=0.8.4"]
# Readers of .pgen and .bgen; pgenlib has no wheels for Windows.
GENETICS = ["bgen>=1.10", 'pgenlib>=0.95; sys_platform != "win32"']
SCALE = ["h5py>=3.10", "pyarrow>=14", "zarr>=2.16"]  # readers of tables that are larger than memory
CLUSTER = ["distributed>=2024.8", "bokeh>=3.1"]  # the latter for the page that shows what workers do
ORACLES = ["matplotlib", "scikit-posthocs>=0.17"]  # of the statistics, in tests only

setup(
    cmdclass={"build_py": WithExtras},
    name="Orange3-ReliefE",
    version=VERSION,
    description="Feature ranking by the Relief family, for Orange, Python and the command line",
    long_description=description((HERE / "README.md").read_text(encoding="utf-8"), REPOSITORY, VERSION),
    long_description_content_type="text/markdown",
    author="The orangecontrib.reliefe developers",
    url=REPOSITORY or None,
    project_urls=addresses(REPOSITORY),
    license_expression="GPL-3.0-or-later",
    license_files=["LICENSE"],
    keywords=[
        "orange3 add-on",
        "feature ranking",
        "feature selection",
        "relief",
        "reliefe",
        "unsupervised",
        "semi-supervised",
        "multi-label",
        "data mining",
    ],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Environment :: Console",
        "Environment :: X11 Applications :: Qt",
        "Environment :: Plugins",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        *(f"Programming Language :: Python :: {version}" for version in PYTHONS),
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Bio-Informatics",
        "Topic :: Scientific/Engineering :: Visualization",
        "Typing :: Typed",
    ],
    python_requires=">=3.10,<3.15",  # as numba
    # A native namespace package: there is no orangecontrib/__init__.py, so that add-ons can share the name.
    packages=find_namespace_packages(include=["orangecontrib.*"], exclude=["*._help", "*._help.*"]),
    package_data={
        "orangecontrib.reliefe": ["py.typed", "_help/**/*"],
        "orangecontrib.reliefe.core.estimators": ["*.pyi"],
        "orangecontrib.reliefe.core.pages": ["templates/*"],
        "orangecontrib.reliefe.widgets": ["icons/*.svg"],
        "orangecontrib.reliefe.tutorials": [
            "*.ows",
            "*.tab",
            "*.tab.xz",
            "*.csv",
            "*.metadata",
            "*.bed",
            "*.bim",
            "*.fam",
        ],
        "orangecontrib.reliefe.tests": ["golden/*.json"],
    },
    # What the core, genotypes, text tables and the command line import; widgets and Orange's tables take [orange].
    install_requires=[
        "chardet>=7.5",  # encodings of text files
        "jinja2>=3.1",  # reports as web pages
        "narwhals>=2.0",
        "numba>=0.60",
        "numpy>=1.26",
        "openpyxl>=3.1.3",  # workbooks
        "pandas>=2.1.1",
        "platformdirs>=4.0",
        "scikit-learn>=1.6",
        "scipy>=1.12",
        "threadpoolctl>=3.1",
        "tqdm>=4.66",
        "umap-learn>=0.5.7",
    ],
    extras_require={
        "orange": ORANGE,
        # Orange leaves the choice of a Qt binding to the user; this is the one the tests run with.
        "gui": [*ORANGE, *QT],
        "test": [
            *ORANGE,
            *QT,
            *PEERS,
            *ORACLES,
            *GENETICS,
            *SCALE,
            *CLUSTER,
            "argcomplete>=3",
            "dask[array]>=2024.1",
            "hypothesis",
            "joblib>=1.3",
            "markdown-it-py>=3",
            "mypy>=2",
            "polars>=1.20",
            "pytest>=8.2",
            "pytest-cov",
            "pytest-qt",
            "pytest-rerunfailures>=14",
            "pytest-xdist",
            "ruff",
            "selenium>=4.20",  # drives the browser that tests reports
        ],
        "completion": ["argcomplete>=3"],  # words of the command for a shell
        "genetics": GENETICS,
        "scale": SCALE,
        "cluster": CLUSTER,
        "doc": [
            *ORANGE,
            *PEERS,
            "codespell",
            "furo",
            "ipykernel",
            "myst-nb",
            "sphinx",
            "sphinx-copybutton",
            "sphinx-design",
        ],
        "release": ["build", "check-wheel-contents", "pyroma", "setuptools>=77", "twine", "wheel"],
        "benchmark": [*ORANGE, *PEERS, "fast-select", "matplotlib"],
    },
    entry_points={
        "orange3.addon": ["reliefe = orangecontrib.reliefe"],
        "orange.widgets": ["ReliefE = orangecontrib.reliefe.widgets"],
        "orange.widgets.tutorials": ["reliefe = orangecontrib.reliefe.tutorials"],
        "orange.canvas.drophandler": [
            "Open Data = orangecontrib.reliefe.widgets.owopendata:OpenDataDropHandler",
            "Rank Genotypes = orangecontrib.reliefe.widgets.owgenotypes:GenotypesDropHandler",
        ],
        "orange.canvas.help": ["html-index = orangecontrib.reliefe.widgets:WIDGET_HELP_PATH"],
        "console_scripts": ["orange-reliefe = orangecontrib.reliefe.command.cli:main"],
    },
    zip_safe=False,
)
