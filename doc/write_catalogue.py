"""The writer of widgets.json, from which Orange's web site makes its catalogue; doc/write.py calls it."""

import json
import os
import runpy
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
WIDGETS = HERE.parent / "orangecontrib" / "reliefe" / "widgets"


def catalogue() -> str:
    """Return the category and its widgets in the order of the toolbox, as JSON.

    Paths are relative to this folder.  Each widget has its name ("text"), page, icon, background and keywords.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from Orange.widgets.widget import OWWidget

    from orangecontrib.reliefe import widgets

    page_of = runpy.run_path(str(HERE / "write_controls.py"))["page_of"]
    classes = []
    for path in sorted(WIDGETS.glob("ow*.py")):
        module = import_module(f"{widgets.__name__}.{path.stem}")
        classes += [
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, OWWidget) and value.__module__ == module.__name__
        ]
    entries = [
        {
            "text": widget.name,
            "doc": page_of(widget.name).relative_to(HERE).as_posix(),
            "icon": f"../orangecontrib/reliefe/widgets/{widget.icon}",
            "background": widgets.BACKGROUND,
            "keywords": [*widget.keywords],
        }
        for widget in sorted(classes, key=lambda widget: widget.priority)
    ]
    return json.dumps([[widgets.NAME, entries]], indent=1, ensure_ascii=False) + "\n"


def texts() -> dict[Path, str]:
    """Return the file that this writer writes, with its text."""
    return {HERE / "widgets.json": catalogue()}
