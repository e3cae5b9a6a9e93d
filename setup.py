"""Packaging of Orange3-ReliefE."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

from setuptools import find_namespace_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
INIT = (HERE / "orangecontrib" / "reliefe" / "__init__.py").read_text(encoding="utf-8")
VERSION = re.search(r'^__version__ = "([^"]+)"', INIT, re.MULTILINE).group(1)


class WithExtras(build_py):
    """Pages of the widgets, the list of methods, and languages if they are asked for."""

    def run(self) -> None:
        """Build, then add to what was built; who has all pages in the checkout has them in the package."""
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "orangecontrib" / "reliefe"
        if not (package / "_help").is_dir():
            # It may fail: then F1 finds no page.
            command = [
                sys.executable,
                str(HERE / "packaging" / "pages.py"),
                "--plain",
                str(package.resolve() / "_help"),
            ]
            subprocess.run(command, check=False)
        places = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-m", "orangecontrib.reliefe", "methods", "--json"]
        made = subprocess.run(command, env={**os.environ, "PYTHONPATH": places}, capture_output=True, check=False)
        if not made.returncode:
            (package / "_methods.json").write_bytes(made.stdout)
        if os.environ.get("ORANGE_RELIEFE_LANGUAGES") == "1":
            names = runpy.run_path(str(HERE / "packaging" / "translate.py"))
            names["into"](package)


QT = ["PyQt6>=6.5"]
PEERS = ["skrebate>=0.8.4"]
SCALE = ["h5py>=3.10", "pyarrow>=14", "zarr>=2.16"]  # readers of tables that are larger than memory
CLUSTER = ["distributed>=2024.8", "bokeh>=3.1"]  # the latter for the page that shows what workers do
ORACLES = ["matplotlib", "scikit-posthocs>=0.17"]  # of the statistics, in tests only

setup(
    cmdclass={"build_py": WithExtras},
    name="Orange3-ReliefE",
    version=VERSION,
    description="Feature ranking by the Relief family, for Orange, Python and the command line",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author="The orangecontrib.reliefe developers",
    license="GPL-3.0-or-later",
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
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Visualization",
    ],
    python_requires=">=3.10,<3.14",
    # A native namespace package: there is no orangecontrib/__init__.py, so that add-ons can share the name.
    packages=find_namespace_packages(include=["orangecontrib.*"], exclude=["*._help", "*._help.*"]),
    package_data={
        "orangecontrib.reliefe": ["py.typed", "_help/**/*"],
        "orangecontrib.reliefe.core.estimators": ["*.pyi"],
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
    install_requires=[
        "Orange3>=3.39",
        "orange-widget-base>=4.25",
        "orange-canvas-core>=0.2.5",
        "chardet>=7.5",  # encodings of text files
        "joblib>=1.3",
        "narwhals>=2.0",
        "networkx>=3.2",
        "numba>=0.60",
        "numpy>=1.26",
        "pyqtgraph>=0.13.4",
        "scikit-learn>=1.6",
        "scipy>=1.12",
        "threadpoolctl>=3.1",
        "umap-learn>=0.5.7",
    ],
    extras_require={
        # Orange leaves the choice of a Qt binding to the user; this is the one the tests run with.
        "gui": [*QT, "PyQt6-WebEngine>=6.5"],
        "i18n": ["trubar>=0.3.4"],
        "test": [
            *QT,
            "PyQt6-WebEngine>=6.5",  # runs the picture of doc/teaching
            "trubar>=0.3.4",
            *PEERS,
            *ORACLES,
            *SCALE,
            *CLUSTER,
            "dask[array]>=2024.1",
            "hypothesis",
            "markdown-it-py>=3",
            "mypy>=2",
            "pandas",
            "polars>=1.20",
            "pytest>=8.2",
            "pytest-cov",
            "pytest-qt",
            "pytest-rerunfailures>=14",
            "pytest-xdist",
            "ruff",
        ],
        "scale": SCALE,
        "cluster": CLUSTER,
        "doc": [*PEERS, "codespell", "furo", "ipykernel", "myst-nb", "sphinx", "sphinx-copybutton", "sphinx-design"],
        "release": ["build", "check-wheel-contents", "pyroma", "setuptools>=64", "twine", "wheel"],
        "benchmark": [*PEERS, "fast-select", "matplotlib"],
    },
    entry_points={
        "orange3.addon": ["reliefe = orangecontrib.reliefe"],
        "orange.widgets": ["ReliefE = orangecontrib.reliefe.widgets"],
        "orange.widgets.tutorials": ["reliefe = orangecontrib.reliefe.tutorials"],
        "orange.canvas.help": ["html-index = orangecontrib.reliefe.widgets:WIDGET_HELP_PATH"],
        "console_scripts": ["orange-reliefe = orangecontrib.reliefe.command.cli:main"],
    },
    zip_safe=False,
)
