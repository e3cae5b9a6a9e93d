"""Paths of files that a workflow names."""

import os


def located(path: str, folder: str = "") -> str:
    """A path that is there: itself, or beside a workflow in `folder`, or among the example workflows; so these need no
    place of this machine.  Itself where there is none."""
    from ... import tutorials

    places = [path, *(os.path.join(place, path) for place in (folder, os.path.dirname(tutorials.__file__)) if place)]
    return next((place for place in places if path and os.path.exists(place)), path)
