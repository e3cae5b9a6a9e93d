"""Present names of methods in settings that were stored with earlier ones."""

NAMING = ("methods", "current", "leading", "parameters")  # settings that name methods


def renamed(stored: object) -> object:
    """Stored settings with the present names of methods in the place of earlier ones."""
    from ...core.methods.registry import ALIASES

    if isinstance(stored, dict):
        return {renamed(key): renamed(value) if isinstance(key, str) and key in NAMING else value
                for key, value in stored.items()}  # fmt: skip
    if isinstance(stored, list):
        return [renamed(value) for value in stored]
    return ALIASES.get(stored, stored) if isinstance(stored, str) else stored
