"""Names from data where Qt, or a report, would read markup."""

from html import escape

from Orange.widgets.widget import OWWidget


def plain(text: str) -> str:
    """A text for a tooltip: escaped if Qt might take it for markup."""
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>' if "<" in text else text


def plain_reports(widget: type[OWWidget]) -> type[OWWidget]:
    """Decorate a class of widgets: what it reports are texts, whatever is in them."""
    name, items, table, caption = (getattr(widget, f"report_{part}") for part in ("name", "items", "table", "caption"))

    def report_items(self, name, pairs=None):
        name, pairs = ("", name) if pairs is None else (name, pairs)
        items(self, name, [(k, escape(v) if isinstance(v, str) else v) for k, v in dict(pairs).items()])

    def report_table(self, name, rows, **options):
        table(self, name, [[escape(str(cell)) for cell in row] for row in rows], **options)

    widget.report_name = lambda self, text: name(self, escape(text))
    widget.report_caption = lambda self, text: caption(self, escape(text))
    widget.report_items, widget.report_table = report_items, report_table
    return widget
