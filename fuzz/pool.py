"""The other end of a worker: starts it, asks it, and tells how it died."""

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from .kinds import KINDS
from .outcome import CRASH, HANG, MEMORY, SLOW, VOID, Outcome
from .refusals import PRODUCT
from .worker import COMPILING

PATIENCE = 4.0  # seconds of the clock for one of CPU, before a process counts as stuck
START = 60.0  # seconds of the clock that imports may take
TAIL = 4000
PROGRAM = f"from {__package__}.worker import main; main()"


class Worker:
    """A subprocess that is used again until it dies; a context manager.

    program: Python code that it runs.
    """

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._process: subprocess.Popen | None = None
        self._home = tempfile.TemporaryDirectory(prefix="fuzz-")
        self._errors = Path(self._home.name) / "errors"
        self._pending = b""

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._home.cleanup()

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def ask(self, request: Mapping[str, object]) -> Outcome:
        """The outcome of one request, also if the process dies of it.

        What is too slow is asked again, of a new process: others may be at work on this machine.
        """
        found = self._asked(request)
        if found.status not in (SLOW, HANG):
            return found
        self.stop()
        return self._asked(request)

    def _asked(self, request: Mapping[str, object]) -> Outcome:
        if self._process is None:
            self._start()
        kind = KINDS[request["kind"]]
        allowed = kind.seconds + (COMPILING if kind.compiles else 0)
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._line(START + PATIENCE * allowed)
        except BrokenPipeError:
            line = None
        return self._death() if line is None else Outcome.from_json(json.loads(line))

    def _start(self) -> None:
        folders = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), self._home.name)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **folders}
        with open(self._errors, "wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", self._program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=environment,
            )
        self._pending = b""

    def _line(self, seconds: float) -> bytes | None:
        """The next line of the answer; None when the process ended, or was ended because it is stuck."""
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if not selector.select(max(end - time.monotonic(), 0)):
                    self._process.send_signal(signal.SIGUSR1)  # it writes down where it is
                    time.sleep(1)
                    self._process.send_signal(signal.SIGXCPU)
                    return None
                part = os.read(self._process.stdout.fileno(), 2**16)
                if not part:
                    return None
                self._pending += part
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def _death(self) -> Outcome:
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            code = -signal.SIGXCPU
        self.stop()
        text = self._errors.read_text(encoding="utf-8", errors="replace")
        # Who runs out of memory is killed by the system; a request to end comes from somebody else, and is no fault.
        status = {-signal.SIGXCPU: HANG, -signal.SIGKILL: MEMORY, -signal.SIGTERM: VOID}.get(code, CRASH)
        return Outcome(status, place_in(text), f"the process ended with the code {code}\n{text[-TAIL:]}")


def place_in(dump: str) -> str:
    """File and function of the innermost frame in the product, in what `faulthandler` writes."""
    for line in dump.splitlines():
        if PRODUCT in line and " in " in line:
            file, _, function = line.rpartition(" in ")
            return f"{file.rpartition(PRODUCT)[2].partition(chr(34))[0]}:{function}"
    return ""
