"""Migration of settings of rankers that earlier versions stored in workflows; `OWRanker` calls `migrate`."""

from collections.abc import Sequence

NAMING = ("methods", "current", "leading", "parameters")  # settings that name methods


PARTS = {  # settings of the widget before version 5, and their names in the parts that store them now
    "area": {
        "splitter": "sizes",
        "log_ranks": "log_ranks",
        "view": "view",
        "hidden_columns": "hidden_columns",
        "attribute_columns": "attribute_columns",
        "hide_constant": "hide_constant",
        "values_open": "values_open",
    },
    "columns": {"target": "target", "left_out": "left_out"},
    "features_box": {"features_use": "use", "features_taken": "taken"},
    "keep_box": {"keep": "names", "keep_open": "opened"},
}


def renamed(stored: object) -> object:
    """Stored settings with the present names of methods in the place of earlier ones."""
    from ...core.methods.registry import ALIASES

    if isinstance(stored, dict):
        return {renamed(key): renamed(value) if isinstance(key, str) and key in NAMING else value
                for key, value in stored.items()}  # fmt: skip
    if isinstance(stored, list):
        return [renamed(value) for value in stored]
    return ALIASES.get(stored, stored) if isinstance(stored, str) else stored


def migrate(settings: dict, version: int | None, usual_before: Sequence[str]) -> None:
    """Bring stored settings to the present version, in place.

    Version 2 begins with ReliefE: what was left at the usual methods before keeps those of then, `usual_before`.
    Version 3 calls three methods by other names.  What was stored before there were presets is the user's own, "".
    Since version 5 parts of the widget store their settings themselves.
    """
    if version is not None and version < 2 and settings.get("methods") is None:
        settings["methods"] = list(usual_before)
    if version is not None and version < 3:
        settings.update(renamed({name: settings[name] for name in NAMING if name in settings}))
    if "methods" in settings:
        settings.setdefault("preset", "")
    if version is None or version < 5:
        for part, names in PARTS.items():
            moved = {new: settings.pop(old) for old, new in names.items() if old in settings}
            settings[part] = {**settings.get(part, {}), **moved}
