"""Reasons for which a method refuses data, with the advice that a window can give."""

from ...core.words import shown


def reason(error: Exception) -> str:
    """Message of an error; where the core advises arguments of Python, what to do in a window."""
    from ...core.studies.covariates import TooManyClasses
    from ...core.targets.events import UnclearEvent

    if isinstance(error, TooManyClasses):
        return f"{error.problem}. Is {shown(error.name)} a group? Then choose it as the group under Study"
    if isinstance(error, UnclearEvent):
        advice = "choose its value beside Event, or rename the event to event by Edit Domain"
        return f"{error.problem}: {advice}, and all other values are censored"
    return str(error)
