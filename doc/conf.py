"""Sphinx: ``sphinx-build -b html doc doc/_build/html``; needs the extra "doc"."""

from orangecontrib.reliefe import __version__

project = "Orange3-ReliefE"
author = "The orangecontrib.reliefe developers"
copyright = author
release = version = __version__
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"ReliefE {release}"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 2
html_static_path = ["_static"]
