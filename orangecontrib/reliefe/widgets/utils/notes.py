"""What methods noted about the data, as messages: each sentence once."""

from collections.abc import Mapping, Sequence

HARMLESS = ("are left out", "nothing is embedded", "the data allow")  # notes that call for no second thought


def sentences(notes: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Warnings, and mere information, from the notes of each method (by its title).

    What all methods note is said once and for all; other notes say whose they are.
    """
    whose: dict[str, list[str]] = {}
    for title, texts in notes.items():
        for text in texts:
            whose.setdefault(text.strip().rstrip("."), []).append(title)
    warnings, information = [], []
    for text, titles in whose.items():
        about = "" if len(set(titles)) == len(notes) else f"{', '.join(dict.fromkeys(titles))}: "
        sentence = about + (text if about else text[:1].upper() + text[1:])
        (information if any(phrase in text for phrase in HARMLESS) else warnings).append(sentence)
    return warnings, information


def show(widget, notes: Mapping[str, Sequence[str]]) -> None:
    """Show these among the messages of a widget, and no other notes."""
    for group, texts in zip((widget.Warning, widget.Information), sentences(notes), strict=True):
        number = 0
        while hasattr(group, f"note_{number}"):
            getattr(group, f"note_{number}").clear()
            number += 1
        for number, text in enumerate(texts):
            group.add_message(f"note_{number}")
            getattr(group, f"note_{number}")(text)
