"""Migration of settings of rankers that earlier versions stored in workflows; `OWRanker` calls `migrate`."""

from collections.abc import Sequence

from ..stored_settings import move_to_parts

NAMING = ("methods", "current", "leading", "parameters")  # settings that name methods


PARTS = {  # by the version since which parts store them: settings of the widget before, and their names in the parts
    5: {
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
    },
    6: {
        "panel": {
            "methods": "chosen",
            "preset": "preset",
            "all_methods": "all_methods",
            "scorers_open": "scorers_open",
            "unticked": "unticked",
            "current": "current",
            "parameters": "parameters",
            "more_open": "more_open",
        },
        "selection": {
            "mode": "mode",
            "n_best": "n_best",
            "threshold": "threshold",
            "share": "share",
            "fdr": "level",
            "fold_alike": "fold_alike",
            "manual": "manual",
        },
        "study": {"covariates": "covariates", "group": "group", "study_open": "opened"},
        "tests": {"p_values": "ticked", "show_z": "show_z", "tested": "stored"},
        "adds": {"adds_to_others": "ticked"},
        "nulls": {"null_level": "ticked"},
        "stabilities": {"stability": "ticked"},
        "why": {"why_open": "ticked"},
        "every_k": {"all_k": "ticked"},
    },
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
    Since versions 5 and 6 parts of the widget store their settings themselves.
    """
    if version is not None and version < 2 and settings.get("methods") is None:
        settings["methods"] = list(usual_before)
    if version is not None and version < 3:
        settings.update(renamed({name: settings[name] for name in NAMING if name in settings}))
    if "methods" in settings:
        settings.setdefault("preset", "")
    for since, parts in PARTS.items():
        if version is None or version < since:
            move_to_parts(settings, parts)
