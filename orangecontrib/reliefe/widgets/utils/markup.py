"""Names from data where Qt, or a report, would read markup."""

from html import escape


def plain(text: str) -> str:
    """A text for a tooltip: escaped if Qt might take it for markup."""
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>' if "<" in text else text


class PlainReports:
    """For a widget: what it reports are texts, whatever is in them."""

    def report_name(self, name):
        """Title of a part."""
        super().report_name(escape(name))

    def report_items(self, name, items=None):
        """Pairs of texts, or a dictionary."""
        name, items = ("", name) if items is None else (name, items)
        pairs = dict(items).items()
        super().report_items(name, [(k, escape(v) if isinstance(v, str) else v) for k, v in pairs])

    def report_table(self, name, table, **options):
        """Rows of texts."""
        super().report_table(name, [[escape(str(cell)) for cell in row] for row in table], **options)

    def report_caption(self, text):
        """Text below a picture."""
        super().report_caption(escape(text))
