"""The registry of methods: each by its name, and the classes that are made of them."""

import inspect
from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any

from ..checks import one_of
from ..info import COMMON, InfoEntry
from ..targets.accepts import Accepts
from ..words import choices, class_name, shown
from .base import FAMILIES, Method
from .parameters import METHOD, Parameter
from .traits import Traits

# Attributes that every method has beside its traits.
STATED = ("name", "title", "about", "idea", "citation", "tasks", "family")
METHODS: dict[str, Method[Any]] = {}


def register(*methods: Method[Any]) -> None:
    """Add methods, each with a name of its own, to scripts, scorers, widgets and the command line.

    Raises
    ------
    TypeError
        If a method does not state its traits, or anything else that it has to state.
    ValueError
        If its family is not known, or its name is taken.
    """
    for method in methods:
        _refuse_unstated(method)
        one_of("family", method.family, FAMILIES)
        if method.name in METHODS:
            raise ValueError(f"there is a method {method.name!r} already")
        METHODS[method.name] = method


def _refuse_unstated(method: Method[Any]) -> None:
    """Raise TypeError for a method that does not state its traits, or anything else that it has to state.

    Traits of a base class are not taken: they are claims on another method.
    """
    name = type(method).__name__
    lacking = [stated for stated in STATED if not hasattr(method, stated)]
    if lacking:
        raise TypeError(f"the method {name} has no {lacking[0]}; a method states {', '.join(STATED)} and traits")
    stated = {**vars(type(method)), **vars(method)}
    if "traits" not in stated or not isinstance(method.traits, Traits):
        fields_ = ", ".join(field.name for field in fields(Traits) if field.default is MISSING)
        raise TypeError(f"the method {name} states no traits of its own: give it traits = Traits(...) with {fields_}")


def find_method(name: str, *others: str) -> Method[Any] | None:
    """Find a method by its name.

    Parameters
    ----------
    name : str
        Name of a method, or one of the other words.
    *others : str
        Further words that are allowed, for example "auto".

    Returns
    -------
    Method or None
        None for one of the other words.

    Raises
    ------
    ValueError
        For any other name; the message lists all that are known.
    """
    return METHODS.get(one_of("method", name, (*others, *METHODS)))


def tasks_with(name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Kinds of target that a method ranks for with its parameters among these options; of "auto" all of them."""
    return accepts_with(name, options).tasks


def accepts_with(name: str | None, options: Mapping[str, Any]) -> Accepts:
    """Targets that a method takes with its parameters among these options; of "auto", or None, all of them."""
    method = find_method("auto" if name is None else name, "auto")
    if method is None:
        return Accepts()
    own_names = {parameter.name for parameter in method.parameters}
    return method.accepts({name: value for name, value in options.items() if name in own_names})


def details_of(method: Method[Any]) -> tuple[InfoEntry, ...]:
    """Entries that `Ranking.info` may have for a method."""
    return (*COMMON, *method.details)


def types_of_info() -> dict[str, Any]:
    """Types of the entries of `Ranking.info` for all methods, by their names: an entry has one type everywhere."""
    return {detail.name: detail.type for method in METHODS.values() for detail in details_of(method)}


def methods() -> tuple[Method[Any], ...]:
    """All methods: name, title, about, idea, citation, tasks and parameters of each.

    Returns
    -------
    tuple of Method
        In the order in which they were registered.
    """
    return tuple(METHODS.values())


def method_of_class(name: str, module: str) -> Method[Any]:
    """The method whose class in a module has this name; raises AttributeError if there is none."""
    for method in METHODS.values():
        if class_name(method.title) == name:
            return method
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def make_class(
    method: Method[Any],
    base: type,
    module: str,
    settings: Mapping[str, Any],
    check: bool = False,
    arguments: Mapping[str, str] = MappingProxyType({}),
    described_in: type | None = None,
) -> Any:
    """Class of a method whose instances take its parameters, and settings, by keyword.

    Other arguments are a TypeError, as in classes of scikit-learn.

    Parameters
    ----------
    method : Method
        The class has its name, and its idea, parameters and source in the docstring.
    base : type
        Base of the class.
    module : str
        Name of the module in which pickles find the class.
    settings : mapping
        Arguments that all classes of this base have, with their defaults.
    check : bool
        Check the values of parameters when an instance is made.
    arguments : mapping
        Names of arguments, by the names of parameters, where the two differ.
    described_in : type, optional
        Class whose docstring explains the settings; None: the base.

    Raises
    ------
    ValueError
        If a parameter would hide a setting, or an attribute of the base.
    """
    parameters = {arguments.get(parameter.name, parameter.name): parameter for parameter in method.parameters}
    hidden = [name for name in parameters if name in settings or hasattr(base, name)]
    if hidden:
        raise ValueError(f"the parameter {hidden[0]} of {method.name} would hide what {base.__name__} calls so")
    defaults = {name: parameter.default for name, parameter in parameters.items()} | dict(settings)

    title = class_name(method.title)

    def __init__(self: Any, *positional: Any, **values: Any) -> None:
        if positional:
            example = f"{title}({next(iter(defaults))}={shown(positional[0])})"
            raise TypeError(f"{title} takes arguments by name, for example {example}, not {shown(positional[0])} alone")
        unknown = [name for name in values if name not in defaults]
        if unknown:
            advice = choices(arguments.get(unknown[0], unknown[0]), defaults)
            raise TypeError(f"{method.name} has no parameter {shown(unknown[0])}; {advice}")
        for name, value in (defaults | values).items():
            setattr(self, name, parameters[name].check(value) if check and name in parameters else value)

    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()]
    )
    return type(title, (base,), {
        "__init__": __init__, "__doc__": _class_docstring(method, parameters, settings, described_in or base),
        "__module__": module, "__qualname__": title, "method": method,
    })  # fmt: skip


def _class_docstring(
    method: Method[Any], parameters: Mapping[str, Parameter], settings: Mapping[str, Any], described_in: type
) -> str:
    """Docstring of the class of a method; described_in: class whose docstring explains the settings."""
    lines = [f"{method.title}: {method.idea}.", "", "Parameters", "----------"]
    for name, parameter in parameters.items():
        lines += [f"{name} : {parameter.annotation}, default {parameter.default!r}", f"    {parameter.tooltip}."]
    lines += [", ".join(settings), f"    As of `{described_in.__name__}`."]
    lines += ["", "References", "----------", method.citation]
    return "\n".join(lines)


def given_parameters(
    method: Method[Any], values: Any, arguments: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """Parameters of a method from the attributes of an object made by `make_class`.

    An inner method that was not chosen is left out: the data choose.
    """
    values_of_parameters = {p.name: (getattr(values, arguments.get(p.name, p.name)), p) for p in method.parameters}
    return {name: value for name, (value, p) in values_of_parameters.items() if p.kind != METHOD or value != p.default}
