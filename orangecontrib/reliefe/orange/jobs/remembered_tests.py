"""p-values that a workflow stores, with the data and parameters that they belong to."""

from collections.abc import Mapping

import numpy as np

from .job import Job
from .literals import as_literals, fits, from_literals

COLUMNS = ("z", "p", "q", "family_wise", "own_p", "alone")  # the last one not for all targets
FACTS = ("n_shuffles", "smallest", "closed_form", "notes")


def packed_tests(data: str, tests: Mapping[Job, tuple[object, int]]) -> dict:
    """Significance and wanted numbers of shuffles of jobs as literals, as far as there is room; data: fingerprint."""
    significances = (
        (
            job,
            {name: getattr(found, name) for name in FACTS} | {"wanted": wanted},
            np.vstack([values for name in COLUMNS if (values := getattr(found, name)) is not None]),
        )
        for job, (found, wanted) in tests.items()
    )
    return as_literals(data, significances)


def restored_test(stored: dict, data: str, job: Job, p: int) -> tuple[object, int] | None:
    """Significance and wanted number of shuffles of a job; None if nothing fits these data, or can be read."""
    kept = stored["rankings"].get(job.key) if fits(stored) and stored.get("data") == data else None
    if kept is None:
        return None
    try:
        return _significance(kept, p)
    except (ValueError, KeyError, TypeError):  # from another hand
        return None


def _significance(kept: dict, p: int) -> tuple[object, int]:
    from ...core.chance import Significance

    facts, values = from_literals(kept, p)
    if len(values) not in (len(COLUMNS) - 1, len(COLUMNS)):
        raise ValueError("other columns than p-values have")
    shuffles, wanted = facts["n_shuffles"], facts["wanted"]
    positive, shares = values[1 : len(COLUMNS) - 1], values[1:]  # p of a feature alone may be as small as 0
    if np.isnan(values[0]).any() or not (positive > 0).all() or not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError("p-values beyond 0 and 1")
    if not (type(shuffles) is int and type(wanted) is int and shuffles > 0 and 0 < facts["smallest"] <= 1):
        raise ValueError("numbers of shuffles that are none")
    notes = tuple(map(str, facts["notes"]))
    rest = {"n_shuffles": shuffles, "smallest": float(facts["smallest"]), "closed_form": bool(facts["closed_form"])}
    found = dict(zip(COLUMNS[: len(values)], values, strict=True))
    return Significance(**found, **rest, notes=notes), wanted
