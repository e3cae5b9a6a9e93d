"""Which values parameters of methods may have in a widget, and which parameters matter there."""

PRESET = "preset"
LABELS_ONLY = ("target_distance", "pooled", "per_label")
OF_EMBEDDING = ("dimension", "distance", "sparsify", "n_repeats", "n_representatives")
EMBEDS_LABELS = ("cosine", "hyperbolic")  # distances of labels that need coordinates
MULTI_LABEL = "multi-label"


def valid_parameters(method, stored: object) -> dict:
    """All parameters of a method: what was stored, as far as it is known and possible, and else the defaults.

    A stored preset becomes the values that it stands for.  All values can be keys of dictionaries.
    """
    stored = stored if isinstance(stored, dict) else {}
    named = stored.get(PRESET)
    values = presets(method).get(named if isinstance(named, str) else "")
    values = values or {p.name: p.default for p in method.parameters}
    for parameter in method.parameters:
        name = parameter.name
        if name in stored and name != PRESET and stored[name] != parameter.default:
            try:
                values[name] = _frozen(method.values({name: stored[name]})[name])
            except (TypeError, ValueError):
                continue  # from another version: the default will do
        elif name in stored and name != PRESET:
            values[name] = parameter.default
    return values


def changed_parameters(method, values: dict) -> dict:
    """Only what differs from the defaults: settings stay short, and follow defaults that get better."""
    return {p.name: values[p.name] for p in method.parameters if values[p.name] != p.default}


def presets(method) -> dict[str, dict]:
    """The values that each preset of a method stands for, by its name."""
    names = next((p.choices for p in method.parameters if p.name == PRESET), ())
    return {name: {**method.values({PRESET: name}), PRESET: None} for name in names}


def out_of_place(parameter, task: str | None) -> bool:
    """Whether a parameter means nothing for targets of this kind; None: not known yet."""
    return parameter.name in LABELS_ONLY and task not in (None, MULTI_LABEL)


def idle(name: str, values: dict) -> bool:
    """Whether a parameter has no effect beside these other values."""
    if name == "n_repeats" and values.get("embedding") == "pca":
        return True
    if name == "n_representatives" and values.get("target_distance") in EMBEDS_LABELS:
        return False
    return name in OF_EMBEDDING and values.get("embedding", "") is None


def _frozen(value):
    """Coordinates, whatever they come in, as tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
