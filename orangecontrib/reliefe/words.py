"""Numbers in words."""


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number of things: "1 row", "2,000 rows"; plural: where it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def percent(share: float, digits: int = 0) -> str:
    """A share: "95 %"."""
    return f"{100 * share:.{digits}f} %"


def sentence(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]


def class_name(title: str) -> str:
    """The title of a method as the name of the class that scores by it: "SURF*" -> "SURFStar"."""
    return "".join(c for c in title.replace("*", "Star") if c.isalnum())
