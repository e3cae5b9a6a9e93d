"""A ranking as lines of Python that give the same list; nothing of Orange is imported for them."""

from ..core import METHODS, Ranking

TABLE = "from Orange.data import Table\nfrom orangecontrib.reliefe import rank"


def script(
    ranking: Ranking,
    data: str,
    best: str = "ranking.best(10)",
    *,
    imports: str = TABLE,
    call: str = "rank(table",
    more: str = "",
    **options: object,
) -> str:
    """Write the lines of Python that give a ranking again and print its selection.

    Of the method's parameters those that are not the defaults are written.
    data: lines that read the data, such as ``table = Table('iris')``; imports: lines of imports.
    best: expression for the selection, features or their names.
    call: function that ranks and its first arguments, without a closing parenthesis; more: its last, behind a comma.
    options: other arguments of this function; those that are None, False or empty are left out.
    """
    defaults = {parameter.name: parameter.default for parameter in METHODS[ranking.method].parameters}
    changed = {name: value for name, value in ranking.parameters.items() if defaults.get(name, value) != value}
    given = {name: value for name, value in options.items() if value not in (None, [], ()) and value is not False}
    settings = "".join(f", {name}={value!r}" for name, value in (given | changed).items())
    return f"{imports}\n\n{data}\nranking = {call}, {ranking.method!r}{settings}{more})\nprint(*{best}, sep='\\n')\n"
