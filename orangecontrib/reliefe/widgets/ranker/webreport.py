"""Saving the leading ranking as a web page: its reasons are computed in a thread, then the file is written."""

from collections.abc import Callable
from pathlib import Path

from ...orange.ranker.writings import Writings, page_of
from ..table.saving import choose_file, write_file
from ..utils.strip import Strip
from .followup import BoxState, FollowUp
from .tablemenu import TableMenu

SAVE = "Save Report as &Web Page…"
STOP = "Stop Saving the &Web Page"
PROGRESS = "Web page: reasons of the best ranks, {:.0f} %"
SAVED = "Saved as {}"
STOPPED = "The web page was not saved: it was stopped"
OTHER_DATA = "The web page was not saved, since other data have come. Choose Save Report as Web Page again"
FAILED = "The web page was not saved: {}"


class WebReport(FollowUp):
    """Writes one web page at a time, of the ranking that led when the user named the file.

    Its job is the `Writings` of this ranking. An entry of the menu begins and stops the work, the strip shows the
    progress, and `failed` of the table says why nothing was saved.
    """

    title = "Web page"
    find = staticmethod(page_of)
    ticked = False  # no setting: each page is asked for

    def __init__(self, widget, menu: TableMenu, strip: Strip, writings: Callable[[], Writings]):
        """menu: has the entry; strip: shows the progress; writings: returns the leading ranking with its script."""
        super().__init__(widget)
        self._menu = menu
        self._strip = strip
        self._writings = writings
        self._path = ""  # of the file that is to be written
        self._asked: Writings | None = None
        menu.page_wanted.connect(self.save_or_stop)
        menu.name_page(SAVE)

    @property
    def wanted(self) -> bool:
        return self._asked is not None

    def job(self) -> Writings | None:
        return self._asked

    def ready(self) -> bool:
        """Return True: the user waits for the page."""
        return True

    def work(self, job: Writings) -> tuple:
        return self.find, job

    def save_or_stop(self) -> None:
        """Ask for a file and begin with its page; or end the work for the last one."""
        if self.busy:
            self._finish(STOPPED, "")
            return
        path = choose_file(self._menu.view.window(), "Save Report", "ranking.html", "Web page (*.html *.htm)")
        writings = self._writings()  # the data may have changed behind the dialog
        if not path:
            return
        if writings.ranking is None:
            self._menu.view.failed.emit(OTHER_DATA)
            return
        self._path = path
        self._asked = writings
        self.ask(writings)
        self.refresh()

    def show(self, job: Writings | None, result: object, box: BoxState) -> None:
        self._menu.name_page(STOP if self.busy else SAVE)
        if self.busy and not self.ranking.running:  # else the strip shows the ranking
            self._strip.set_text(PROGRESS.format(self._progress))

    def on_done(self, result: str) -> None:
        """Write the page."""
        path = self._path
        failure = write_file(path, lambda new: Path(new).write_text(result, encoding="utf-8"))
        self._finish("" if failure else SAVED.format(path), failure)

    def on_exception(self, ex: Exception) -> None:
        self._finish("", FAILED.format(str(ex) or type(ex).__name__))

    def reset(self) -> None:
        """End the work for the page of other data."""
        was_busy = self.busy
        super().reset()
        self._asked = None
        self._menu.name_page(SAVE)
        if was_busy:
            self._menu.view.failed.emit(OTHER_DATA)

    def _finish(self, status: str, failure: str) -> None:
        """Forget the page, and say what became of it."""
        self.give_up()
        self._records.clear()  # each is kept under a whole ranking
        self._asked = None
        self._menu.view.failed.emit(failure)
        self._menu.name_page(SAVE)
        self._strip.set_text(status or failure)
        self.changed.emit()
