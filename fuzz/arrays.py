"""Odd data and parameters for every function that takes arrays: core, estimators, scorers, embedding and evaluation."""

import numpy as np

from .faces import FACES as RANKING
from .faces import call
from .kinds import Action, Case
from .measuring import MEASURING
from .mutations import pick
from .oddities import in_pieces, odd_hierarchy, odd_X, odd_y
from .outcome import Wrong
from .refusals import refusing
from .requests import request
from .values import ODD, decoded

FACES = RANKING | MEASURING
RANKS = 0.8  # share of the cases that rank
LARGEST = 1000  # of numbers that functions may take as a count of what they are to do
SMALL = [value for value in ODD if not ((isinstance(value, int) and value > LARGEST) or "huge" in str(value))]
ODDITIES = 0.6  # probability that one more thing is odd


def make(rng: np.random.Generator) -> Case:
    """A case: {"face", "arguments": a list, "options": a dict}, of values as `values.decoded` reads them."""
    face = pick(list(RANKING if rng.random() < RANKS else MEASURING), rng)
    if FACES[face].ranks:
        return _ranking(face, rng)
    arguments = FACES[face].valid(rng)
    options = FACES[face].options
    given = {name: pick(choices, rng) for name, choices in options.items() if rng.random() < 0.5}
    for _ in range(int(rng.geometric(ODDITIES))):
        place = int(rng.integers(len(arguments) + len(options)))
        if place >= len(arguments):
            given[list(options)[place - len(arguments)]] = pick(SMALL, rng)
        else:
            arguments[place] = pick((odd_X, odd_y, _odd), rng)(arguments[place], rng)
    return {"face": face, "arguments": arguments, "options": given}


def _odd(_: object, rng: np.random.Generator) -> object:
    return pick(ODD, rng)


def _ranking(face: str, rng: np.random.Generator) -> Case:
    """A request for a ranking in which some things are odd."""
    from orangecontrib.reliefe.core import METHODS

    X, y, options = request(rng, "pct" if face == "ensemble" else None)
    if not FACES[face].sparse:
        X = {"!": "array", "values": X["values"]}
    if face == "significance" and rng.random() < 0.8:
        blocks = {"!": "array", "values": [pick("aab", rng) for _ in range(len(X["values"]))]}
        options["blocks"] = odd_y(blocks, rng) if rng.random() < 0.7 else blocks
    for _ in range(int(rng.geometric(ODDITIES))):
        kind = rng.random()
        if kind < 0.05 and FACES[face].module.endswith("core"):
            X = in_pieces(X, rng)
        elif kind < 0.35:
            X = odd_X(X, rng)
        elif kind < 0.55:
            y = odd_y(y, rng)
        elif kind < 0.6:
            options["hierarchy"] = odd_hierarchy(rng)
        elif kind < 0.9 and options.get("method") in tuple(METHODS):
            options["parameters"][pick(METHODS[options["method"]].parameters, rng).name] = pick(ODD, rng)
        else:
            name = pick(("nominal", "task", "random_state", "n_jobs", "progress", "method", "hierarchy"), rng)
            options[name] = pick(ODD, rng)
    return {"face": face, "arguments": [X, y], "options": options}


def prepare(case: Case) -> Action:
    """Make the values; the action calls the product and looks at what it gives."""
    arguments, options = decoded(case["arguments"]), decoded(case["options"])
    again = decoded(case["arguments"])
    face, work = FACES[case["face"]], Progress()
    face.imported()

    def action() -> None:
        with refusing(begun=lambda: work.begun, worded=face.worded):
            call(face, arguments, options, work, again)
        if face.ranks and any(map(_complex, arguments)):
            raise Wrong("complex numbers were not refused", "complex")

    return action


def _complex(value: object) -> bool:
    """True where numbers have imaginary parts, which no method can use."""
    types = getattr(value, "dtypes", [getattr(value, "dtype", None)])
    return (
        any(getattr(dtype, "kind", "") == "c" for dtype in types) if hasattr(types, "__iter__") else types.kind == "c"
    )


class Progress:
    """Notes that work has begun."""

    begun = False

    def __call__(self, share: float) -> None:
        self.begun = True
