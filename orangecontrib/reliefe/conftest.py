"""Tests need no screen; fixtures that several files share."""

import os
import warnings

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
