"""Packages that read .pgen and .bgen, which the extra [genetics] installs."""

from importlib import import_module
from types import ModuleType

from ..extras import install


def reader_package(name: str, ending: str) -> ModuleType:
    """Import the package that reads files with an ending.

    Raises
    ------
    ImportError
        If it is not installed; the message names the extra.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"reading {ending} needs the package {name} ({error}): {install('genetics')}") from error
