"""Values that parameters of methods may have in a widget, and parameters that matter there."""

from ...core.methods.parameters import OBJECT
from ..stored_settings import MAX_INTEGER

PRESET = "preset"
LABELS_ONLY = ("Label distance", "Pool rows")  # by their labels: trees have another "pooled"
SEVERAL_ONLY = ("per_target",)
NOT_FOR_LABELS = ("global_part",)
ELSEWHERE = (PRESET, "labelled_only", "w0", "w1", "score", "n_trees", "supervision")  # have no field in a form
UNSHOWN = (PRESET, "labelled_only")  # of methods that another one ranks by
HIERARCHY_ONLY = ("label_decay", "label_weights", "gamma")
OF_EMBEDDING = ("dimension", "distance", "sparsify", "n_repeats", "n_representatives")
EMBEDS_LABELS = ("cosine", "hyperbolic")  # distances of labels that need coordinates
HIERARCHICAL = "hierarchical"
LABELLED = ("multi-label", HIERARCHICAL)
ALONE = ("classification", "regression", "unsupervised")  # tasks of one target at most


def defaults(method, task: str | None = None) -> dict:
    """Values of a method's parameters where nobody sets them, for targets of this kind; None: not known yet."""
    return {p.name: p.default for p in method.parameters} | (method.defaults(task) if task else {})


def valid_parameters(method, stored: object, task: str | None = None) -> dict:
    """All parameters of a method, hashable: what was stored, as far as it is known and possible, else the defaults."""
    return defaults(method, task) | kept_parameters(method, stored)


def kept_parameters(method, stored: object) -> dict:
    """Stored parameters that are known, possible and not the default of all tasks; presets become their values."""
    stored = stored if isinstance(stored, dict) else {}
    named, firm = stored.get(PRESET), _varying(method)
    kept = dict(presets(method).get(named if isinstance(named, str) else "", {}))
    for parameter in method.parameters:
        name = parameter.name
        if name not in stored or name == PRESET:
            continue
        try:
            usual = stored[name] == parameter.default
            kept[name] = parameter.default if usual else _checked(method, parameter, stored[name])
        except (TypeError, ValueError):
            continue  # from another version: the default will do
    return {p.name: kept[p.name] for p in method.parameters
            if p.name in kept and (kept[p.name] != p.default or p.name in firm)}  # fmt: skip


def changed_parameters(method, values: dict, task: str | None = None) -> dict:
    """Only what differs from the defaults for the task."""
    usual = defaults(method, task)
    return {name: values[name] for name in usual if values[name] != usual[name]}


def edited_parameters(method, kept: dict, values: dict, task: str | None = None) -> dict:
    """Parameters to be kept of `values`, which the user made of those that were `kept` and the defaults for the task.

    What the user set is kept for all tasks, also where it is the default of another one; what was never touched
    follows the defaults.  Settings stay short.
    """
    before = valid_parameters(method, kept, task)
    same = {name for name in kept if values[name] == before[name]}
    chosen = _varying(method) if values in presets(method).values() else set()
    wanted = changed_parameters(method, values, task).keys() | same | chosen
    return {name: value for name, value in values.items() if name in wanted}


def _varying(method) -> set[str]:
    return {name for task in method.tasks for name in method.defaults(task)}


def presets(method) -> dict[str, dict]:
    """The values that each preset of a method stands for, by its name."""
    names = next((p.choices for p in method.parameters if p.name == PRESET), ())
    return {name: {**method.check({PRESET: name}), PRESET: None} for name in names}


def out_of_place(parameter, task: str | None) -> bool:
    """True if a parameter means nothing for targets of this kind; None: not known yet."""
    if task is None:
        return False
    return (
        (parameter.name in SEVERAL_ONLY and task in ALONE)
        or (parameter.label in LABELS_ONLY and task not in LABELLED)
        or (parameter.name in NOT_FOR_LABELS and task in LABELLED)
        or (parameter.name in HIERARCHY_ONLY and task != HIERARCHICAL)
    )


def idle(name: str, values: dict) -> bool:
    """True if a parameter has no effect beside these other values."""
    if name == "max_features":
        return values.get("ensemble") == "bagging"
    if name == "n_repeats" and values.get("embedding") == "pca":
        return True
    if name == "n_representatives" and values.get("target_distance") in EMBEDS_LABELS:
        return False
    return name in OF_EMBEDDING and values.get("embedding", "") is None


def _checked(method, parameter, value):
    """A value on its own: whether values go together is said when they are used.  Only methods know their objects."""
    if isinstance(value, int | float) and not abs(value) <= MAX_INTEGER:
        raise ValueError(f"{parameter.name} is beyond what an editor shows")
    return (
        _frozen(method.check({parameter.name: value})[parameter.name])
        if parameter.kind == OBJECT
        else (parameter.check(value))
    )


def _frozen(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
