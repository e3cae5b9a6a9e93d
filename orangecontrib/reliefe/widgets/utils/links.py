"""A label whose links can be read on every palette."""

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtWidgets import QLabel

from .colors import link


class LinkLabel(QLabel):
    """Text with links: ``set_links("Suggested: {}", ("n:3", "3"))``; they keep up with the palette."""

    def __init__(self, template: str = "", *links: tuple[str, str], **properties):
        super().__init__(
            textFormat=Qt.RichText,
            textInteractionFlags=Qt.LinksAccessibleByMouse | Qt.LinksAccessibleByKeyboard,
            **properties,
        )
        self._template, self._links = "", ()
        self.set_links(template, *links)

    def set_links(self, template: str, *links: tuple[str, str]) -> None:
        """Fill the places of `template` with links, each (target, text)."""
        self._template, self._links = template, links
        color = link(self.palette()).name()
        self.setText(template.format(*(f'<a href="{to}" style="color:{color}">{text}</a>' for to, text in links)))

    def changeEvent(self, event):
        super().changeEvent(event)
        # Links keep the colour of the moment when the text was set.
        if event.type() == QEvent.PaletteChange and hasattr(self, "_template"):
            self.set_links(self._template, *self._links)
