"""The process that compiles kernels beside Orange: when it starts and ends, one at a time, a few functions each."""

import os
import sys
import tempfile
import time
import unittest
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from Orange.widgets.tests.base import GuiTest

from orangecontrib.reliefe.command import warming
from orangecontrib.reliefe.widgets.tests import base
from orangecontrib.reliefe.widgets.utils.strip import Strip


class WarmingTest(base.RankerTest):
    """An empty folder, and no real process."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name) / "cache"
        self.allowed = {k: v for k, v in os.environ.items() if k not in (warming.OFF, "NUMBA_DISABLE_JIT")}
        for patcher in (
            patch.dict(os.environ, self.allowed, clear=True),
            patch.object(warming, "folder", lambda: self.folder),
            patch.object(warming, "_children", []),
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
        self.assertEqual(command[0], sys.executable)
        self.assertIn(f"compile_once({str(warming.stamp())!r})", command[-1])

    def test_a_widget_that_is_opened_starts_one(self):
        self.widget.show()
        self.process_events()
        self.widget.hide()
        self.assertEqual(len(self.commands()), 1)

    def test_not_where_it_is_switched_off_or_done(self):
        with patch.dict(os.environ, {warming.OFF: "1"}):
            warming.begin()
        self.folder.mkdir()
        warming.stamp().touch()
        warming.begin()
        self.assertEqual(self.commands(), [])

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


TOY = """
import os, sys, time, types

def step(number):
    def run():
        count.count += 30
        with open(os.environ["TOY_LOG"], "a") as log:
            print(number, os.getpid(), file=log)
        time.sleep(60 if os.environ["TOY"] == "sleep" and number else 0)
        1 / (os.environ["TOY"] != "fail")
    return run

count, steps = types.SimpleNamespace(count=0), [("toy", step(number)) for number in range(5)]
for module, name, value in (
    ("kernels.compilation", "COMPILATION", count),
    ("warmup", "steps", lambda: steps),
):
    toy = sys.modules[f"orangecontrib.reliefe.core.{module}"] = types.ModuleType(module)
    setattr(toy, name, value)
os.nice = int
"""


class TestProcess(unittest.TestCase):
    """Real processes, which import a toy list of steps: each says that it has compiled 30 functions."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        (self.folder / "sitecustomize.py").write_text(TOY)
        self.stamp, self.log = self.folder / "new" / "warm-1", self.folder / "log"

    def inside(self, kind):
        paths = os.pathsep.join([str(self.folder), *sys.path])
        return patch.dict(os.environ, {"PYTHONPATH": paths, "TOY": kind, "TOY_LOG": str(self.log)})

    def start(self, kind="quick"):
        with self.inside(kind):
            return warming._start(f"compile_once({str(self.stamp)!r})")

    def run_once(self, kind="quick"):
        with self.start(kind) as process:
            told = process.stdout.read()
        done = len(self.steps()) - (kind == "fail")
        self.assertEqual(told, "".join(f"{number + 1} 5\n" for number in range(done)))
        return self.steps()

    def steps(self):
        """Numbers of the steps that were begun, and by which processes."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [tuple(map(int, line.split())) for line in lines if " " in line]

    def test_a_process_compiles_few_functions(self):
        steps = self.run_once()
        self.assertEqual([number for number, _ in steps], [0, 1, 2, 3, 4])
        self.assertEqual([len(list(own)) for _, own in groupby(steps, key=lambda step: step[1])], [2, 2, 1])
        self.assertTrue(self.stamp.exists())

    def test_a_failure_leaves_no_stamp(self):
        self.assertEqual(len(self.run_once("fail")), 1)
        self.assertFalse(self.stamp.exists())

    def test_one_at_a_time(self):
        """A lock that was left by a process that died does not stand in the way."""
        self.stamp.parent.mkdir()
        with (self.stamp.parent / "warming.lock").open("w") as lock:
            self.assertTrue(warming._locked(lock))
            self.assertEqual(self.run_once(), [])
            self.assertFalse(self.stamp.exists())
        self.assertEqual(len(self.run_once()), 5)

    def test_its_state_is_known_while_it_goes_on(self):
        with self.inside("sleep"):
            begun = warming.Preparation(str(self.stamp))
        with patch.object(warming, "_children", [begun]):
            while warming.preparation() is None:
                self.assertIsNone(begun.process.poll())
                time.sleep(0.02)
            self.assertEqual((begun.step, begun.steps), (1, 5))
            begun.process.stdin.close()
            begun.process.wait(30)
            self.assertIsNone(warming.preparation())

    def test_it_ends_with_orange(self):
        with self.start("sleep") as process:
            while not self.steps():
                self.assertIsNone(process.poll())
                time.sleep(0.02)
            process.stdin.close()  # as the system does when the process at the other end is gone
            self.assertEqual(process.wait(30), 1)
        self.assertFalse(self.stamp.exists())
        *_, (_, worker) = self.steps()
        if os.name == "nt":
            return  # there os.kill is no question
        with self.assertRaises(ProcessLookupError):
            for _ in range(1000):
                os.kill(worker, 0)
                time.sleep(0.02)


class TestLabel(GuiTest):
    def test_it_says_how_far_it_is(self):
        strip = Strip()
        with patch.object(warming, "preparation", lambda: SimpleNamespace(step=12, steps=671)):
            strip.show()
            self.assertEqual(strip.preparation.text(), "Preparing methods: 1 %")
            self.assertTrue(strip.preparation.isVisible())
        with patch.object(warming, "preparation", lambda: None):
            strip.preparation.look()
        self.assertFalse(strip.preparation.isVisible())
        strip.hide()


if __name__ == "__main__":
    unittest.main()
