"""p-values as a workflow keeps them: z, p, q as text, and the data and scores that they are of.

Knows nothing of widgets.
"""

import json
from collections.abc import Mapping

import numpy as np

from .jobs import Job
from .remembered import MAX_BYTES, MAX_SCORES, decoded, encoded, fits

COLUMNS = ("z", "p", "q", "family_wise", "own_p")
TOLD = ("n_shuffles", "smallest", "closed_form", "notes")


def packed_tests(data: str, tests: Mapping[Job, tuple[object, int]]) -> dict:
    """Significance of the scores of jobs, with the number of shuffles that was asked for, as literals.

    data: fingerprint.  Not more than there is room for.
    """
    kept, size = {}, 0
    for job, (found, wanted) in tests.items():
        size += len(COLUMNS) * found.z.size
        if job.key and size <= MAX_SCORES:
            values = np.vstack([getattr(found, name) for name in COLUMNS])
            told = {name: getattr(found, name) for name in TOLD} | {"wanted": wanted}
            text = json.dumps(told, default=lambda value: value.tolist())  # of NumPy
            kept[job.key] = {"told": encoded(text.encode()), "scores": encoded(values.astype("<f8").tobytes())}
    return {"data": data, "rankings": kept} if kept else {}


def restored_test(stored: dict, data: str, job: Job, p: int) -> tuple[object, int] | None:
    """Significance of the scores of a job, and the number of shuffles that was asked for.

    None if nothing is kept for these data, or it cannot be read.
    """
    kept = stored["rankings"].get(job.key) if fits(stored) and stored.get("data") == data else None
    if kept is None:
        return None
    try:
        return _significance(kept, p)
    except (ValueError, KeyError, TypeError):  # from another hand
        return None


def _significance(kept: dict, p: int) -> tuple[object, int]:
    from ...core.result import Significance

    told = json.loads(decoded(kept["told"], MAX_BYTES))
    values = np.frombuffer(decoded(kept["scores"], 8 * MAX_SCORES), "<f8").astype(float)
    values = values.reshape(len(COLUMNS), p)
    shuffles, wanted = told["n_shuffles"], told["wanted"]
    z, *shares = values
    if np.isnan(z).any() or not all(((share > 0) & (share <= 1)).all() for share in shares):
        raise ValueError("p-values beyond 0 and 1")
    if not (type(shuffles) is int and type(wanted) is int and shuffles > 0 and 0 < told["smallest"] <= 1):
        raise ValueError("numbers of shuffles that are none")
    notes = tuple(map(str, told["notes"]))
    rest = {"n_shuffles": shuffles, "smallest": float(told["smallest"]), "closed_form": bool(told["closed_form"])}
    return Significance(**dict(zip(COLUMNS, values, strict=True)), **rest, notes=notes), wanted
