"""The process that compiles kernels after installation: when it is started, and that it is one at a time."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

from orangecontrib.reliefe import cli, warming
from orangecontrib.reliefe.core.kernel_cache import KernelCache
from orangecontrib.reliefe.widgets.tests import base

WARM = "orangecontrib.reliefe.core.warmup.warm"


class WarmingTest(base.RankerTest):
    """An empty folder, nothing that came with the package, and no real process."""

    shipped = False

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name) / "cache"
        compiled = Path(place.name) / "_compiled"
        if self.shipped:
            compiled.mkdir()
        self.allowed = {k: v for k, v in os.environ.items() if k not in (warming.OFF, "NUMBA_DISABLE_JIT")}
        for patcher in (
            patch.dict(os.environ, self.allowed, clear=True),
            patch.object(warming, "folder", lambda: self.folder),
            patch.object(warming, "SHIPPED", compiled),
            patch.object(warming, "_children", {}),
            patch.object(KernelCache, "missing", []),
        ):
            patcher.start()
            self.addCleanup(patcher.stop)
        patcher = patch.object(warming.subprocess, "Popen")
        self.started = patcher.start()
        self.addCleanup(patcher.stop)
        super().setUp()

    def commands(self):
        return [call.args[0] for call in self.started.call_args_list]


class TestStart(WarmingTest):
    def test_the_first_data_start_one(self):
        self.assertEqual(self.commands(), [])
        self.ready(self.heart)
        self.ready(self.housing)
        self.ready(self.heart, self.make())
        (command,) = self.commands()
        self.assertEqual(command[:4], [sys.executable, "-m", "orangecontrib.reliefe", "warm"])
        self.assertEqual(command[4:], ["--once", str(warming.stamp())])
        self.assertTrue(self.started.call_args.kwargs["start_new_session"])

    def test_a_widget_that_is_opened_starts_one(self):
        self.widget.show()
        self.process_events()
        self.widget.hide()
        self.assertEqual(len(self.commands()), 1)

    def test_not_where_it_is_switched_off_done_or_under_way(self):
        with patch.dict(os.environ, {warming.OFF: "1"}):
            warming.begin()
        self.folder.mkdir()
        warming.stamp().touch()
        warming.begin()
        warming.stamp().unlink()
        warming._children.clear()  # another session
        lock = self.folder / "warming.lock"
        lock.touch()
        warming.begin()
        self.assertEqual(self.commands(), [])
        os.utime(lock, (0, 0))  # whoever made it is gone
        warming.begin()
        self.assertEqual(len(self.commands()), 1)

    def test_an_edit_of_the_core_asks_for_another(self):
        before = warming.stamp()
        with patch.object(warming, "version", lambda name: "0.0"):
            self.assertNotEqual(before, warming.stamp())
        with tempfile.TemporaryDirectory() as other:
            file = Path(other) / "core" / "a.py"
            file.parent.mkdir()
            file.touch()
            with patch.object(warming, "PACKAGE", Path(other)):
                first = warming.stamp()
                os.utime(file, (1, 1))
                self.assertNotEqual(first, warming.stamp())


class TestShipped(WarmingTest):
    shipped = True

    def test_nothing_to_do_where_kernels_came_along(self):
        with patch.object(KernelCache, "shipped", True):
            self.widget.show()
            self.ready(self.heart)
        self.widget.hide()
        self.assertEqual([command for command in self.commands() if "--native" in command], [])
        self.assertEqual(len(self.commands()), bool(KernelCache.missing))

    def test_what_they_lack_is_compiled(self):
        KernelCache.missing.append("one")
        warming.follow(1)
        self.assertEqual(len(self.commands()), 1)

    def test_large_work_asks_for_native_kernels_once(self):
        with patch.object(KernelCache, "shipped", True):
            warming.follow(warming.MIN_OWN_STEPS)
            self.assertEqual(self.commands(), [])
            with patch.object(warming, "MIN_OWN_STEPS", 1000):
                self.ready(self.heart)
                self.ready(self.housing)
        native = [command for command in self.commands() if "--native" in command]
        self.assertEqual(len(native), 1)
        self.assertEqual(native[0][-1], str(warming.stamp(native=True)))

    def test_not_where_kernels_are_native_anyway(self):
        with patch.object(KernelCache, "shipped", False):
            warming.follow(10 * warming.MIN_OWN_STEPS)
        self.assertEqual(self.commands(), [])


class TestProcess(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.stamp = Path(place.name) / "new" / "warm-1"
        self.lock = self.stamp.parent / "warming.lock"

    def run_once(self, effect):
        with patch(WARM, side_effect=effect) as warm, patch.object(warming.os, "nice", create=True) as nice:
            status = cli.main(["warm", "--once", str(self.stamp)])
        return status, warm.call_count, nice.call_count

    def test_it_leaves_a_stamp_and_no_lock(self):
        def effect(*_):
            self.assertTrue(self.lock.exists())
            return 0

        self.assertEqual(self.run_once(effect), (0, 1, 1))
        self.assertTrue(self.stamp.exists())
        self.assertFalse(self.lock.exists())

    def test_a_failure_leaves_neither(self):
        self.assertNotEqual(self.run_once(ValueError("no"))[0], 0)
        self.assertFalse(self.stamp.exists() or self.lock.exists())

    def test_a_second_one_ends_at_once(self):
        """A real process."""
        self.lock.parent.mkdir()
        self.lock.touch()
        command = [sys.executable, "-m", "orangecontrib.reliefe", "warm", "--once", str(self.stamp)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertTrue(self.lock.exists())
        self.assertFalse(self.stamp.exists())

    def test_one_that_died_does_not_stand_in_the_way(self):
        self.lock.parent.mkdir()
        self.lock.touch()
        os.utime(self.lock, (0, 0))
        self.assertEqual(self.run_once(lambda *_: 0), (0, 1, 1))
        self.assertTrue(self.stamp.exists())


if __name__ == "__main__":
    unittest.main()
