"""Tests need no screen; fixtures that several files share."""

import os
import warnings
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("ORANGE_RELIEFE_NO_WARMING", "1")  # widgets start no process
os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")


@pytest.fixture
def no_warnings():
    """Warnings are errors, but for those of numba."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module="numba")
        yield


@pytest.fixture(scope="session")
def checkout(pytestconfig) -> Path:
    """The folder of setup.py, also when the tests are those of an installed package."""
    for folder in (Path(__file__).parents[2], pytestconfig.rootpath):
        if (folder / "setup.py").exists():
            return folder
    pytest.skip("needs a checkout")
