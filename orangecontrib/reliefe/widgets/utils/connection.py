"""Connection of the canvas to a cluster: one for all widgets, whose tasks run in its context."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec

from AnyQt.QtCore import QCoreApplication, QObject
from AnyQt.QtCore import pyqtSignal as Signal

from ...core.cluster import using

NONE, CONNECTING, CONNECTED, LOST = "none", "connecting", "connected", "lost"
PATIENCE = 10  # seconds for a scheduler to answer
GET_DASK = 'Dask is not installed. Get it by: pip install "Orange3-ReliefE[cluster]"'


class Connection(QObject):
    """A client of Dask, or none."""

    changed = Signal()
    _made = Signal(object, object, str)  # client, cluster of our own, message
    _counted = Signal(object, int)  # client, threads

    def __init__(self):
        super().__init__()
        self.state, self.message, self.threads, self._client, self._own = NONE, "", 0, None, None
        self._pool = ThreadPoolExecutor(1)
        self._made.connect(self._keep)
        self._counted.connect(self._keep_count)
        if QCoreApplication.instance() is not None:
            QCoreApplication.instance().aboutToQuit.connect(self.disconnect_from_cluster)

    @property
    def possible(self) -> bool:
        """True if Dask is installed."""
        return find_spec("distributed") is not None

    @property
    def dashboard(self) -> str:
        """Address of the page that shows what the workers do, or ""."""
        return (self._client and self._client.dashboard_link) or ""

    def connect_to(self, address: str) -> None:
        """Look for a scheduler, in a thread; `changed` tells when it is found, or not."""
        self._begin(lambda: (_client(address), None))

    def start_processes(self, n: int) -> None:
        """Start n processes of one thread on this machine, likewise."""
        self._begin(lambda: _local(n))

    def disconnect_from_cluster(self) -> None:
        """Compute by the threads of this process again; processes that were started here end."""
        client, own = self._client, self._own
        self._client = self._own = None
        self._set(NONE)
        if client is not None:
            self._pool.submit(_close, client, own)

    def count(self) -> None:
        """Count the workers' threads again; `changed` tells when it is done."""
        client = self._client
        if client is not None:
            self._pool.submit(lambda: self._counted.emit(client, sum(client.nthreads().values())))

    def lose(self) -> None:
        """Note, in any thread, that a task found nobody there."""
        self._made.emit(None, self._own, "The cluster is lost: tasks run on this machine again")

    @contextmanager
    def context(self) -> Iterator[None]:
        """Context in which tasks go to the cluster, if there is one."""
        with using(self._client if self.state == CONNECTED else None):
            yield

    def _begin(self, make: Callable) -> None:
        self.disconnect_from_cluster()
        self._set(CONNECTING)

        def connect() -> None:
            try:
                self._made.emit(*make(), "")
            except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
                self._made.emit(None, None, f"There is no cluster: {error}")

        self._pool.submit(connect)

    def _keep(self, client: object, own: object, message: str) -> None:
        if client is None:
            self._client = None
            self._set(LOST if message and self.state == CONNECTED else NONE, message)
        else:
            self._client, self._own = client, own
            self._set(CONNECTED)
            self.count()

    def _keep_count(self, client: object, threads: int) -> None:
        if client is self._client:
            self.threads = threads
            self.changed.emit()

    def _set(self, state: str, message: str = "") -> None:
        self.state, self.message, self.threads = state, message, 0
        self.changed.emit()


@cache
def connection() -> Connection:
    """The connection of this process."""
    return Connection()


def _client(address: object) -> object:
    from distributed import Client

    return Client(address, timeout=PATIENCE, set_as_default=False, name="orange-reliefe")


def _local(n: int) -> tuple:
    from distributed import LocalCluster

    cluster = LocalCluster(n, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    return _client(cluster), cluster


def _close(client, own) -> None:
    for thing in (client, own):
        if thing is not None:
            thing.close(timeout=2)
