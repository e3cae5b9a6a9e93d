"""The button that sends, and the box that does so by itself."""

from Orange.widgets import gui


def auto_send(widget) -> None:
    """Add both to the widget's buttons, with a name for the box: it has no text of its own; setting: `auto_apply`."""
    gui.auto_send(widget.buttonsArea, widget, "auto_apply")
    widget.controls.auto_apply.setAccessibleName("Send automatically")
