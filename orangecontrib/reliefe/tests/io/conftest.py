"""Fixtures of the tests of readers."""

from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path):
    """Function that writes files, from texts or bytes by name, and gives the path of the first."""

    def files(**contents: str | bytes) -> Path:
        for name, content in contents.items():
            content = content if isinstance(content, bytes) else content.encode()
            (tmp_path / name.replace("_", ".")).write_bytes(content)
        return tmp_path / next(iter(contents)).replace("_", ".")

    return files
