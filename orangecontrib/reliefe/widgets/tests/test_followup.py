"""Work that follows a ranking: when it is done, given up and asked for, without a ranker."""

import threading
import unittest
from types import SimpleNamespace
from unittest.mock import patch

from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.tests.base import GuiTest

from orangecontrib.reliefe.orange.jobs.result import Result
from orangecontrib.reliefe.widgets.ranker import followup
from orangecontrib.reliefe.widgets.ranker.followup import FollowUp, ShownRanking
from orangecontrib.reliefe.widgets.ranker.followups import FollowUps
from orangecontrib.reliefe.widgets.tests.widgettest import LIMIT, WidgetTest, owner_of


def count_rows(table, job, state):
    """Rows of a table; the job says what happens."""
    if job == "failing":
        raise ValueError("no way")
    if job == "slow":
        while not state.is_interruption_requested():
            state.set_progress_value(1)
            threading.Event().wait(0.01)
    return len(table)


def count_rows_after_a_part(table, job, state):
    """Rows of a table; of the first one only as a partial result, after which it waits for the end."""
    if job == "first":
        state.set_partial_result(len(table))
        FIRST_PART_IS_SENT.set()
        while not state.is_interruption_requested():
            threading.Event().wait(0.01)
    return len(table)


FIRST_PART_IS_SENT = threading.Event()


class Rows(FollowUp):
    title = "Rows"
    ticked = Setting(True)
    find = staticmethod(count_rows)


class Columns(Rows):
    """Has a value for each of two features, whatever is ranked."""

    def n_ranked(self, result):
        return 2


def of_table(name, ranked=()):
    """Problem of a table of Orange, with the features that are ranked."""
    return SimpleNamespace(table=Table(name), ranked=ranked)


class TestFollowUp(GuiTest):
    process_events = WidgetTest.process_events

    def setUp(self):
        self.ranking = ShownRanking(of_table("iris"), Result(), None, "quick", str, has_null=True, level=0.1,
                                   running=False, visible=True)  # fmt: skip
        self.owner = owner_of(Rows)
        self.rows = Rows(self.owner)
        self.addCleanup(self.rows.shutdown)

    def refresh(self, rows):
        """Refresh a follow-up, without which it knows nothing of the ranking."""
        rows.ranking = self.ranking
        rows.refresh()

    def look(self, **changes):
        """Look at another ranking, and wait for what follows it."""
        self.ranking = self.ranking._replace(**changes)
        self.refresh(self.rows)
        self.process_events(lambda: not self.rows.busy, timeout=LIMIT)

    def test_it_is_computed_once(self):
        self.look()
        self.assertEqual((self.rows.found("quick"), self.rows.caption("quick")), (150, "Rows"))
        with patch.object(self.rows, "find") as again:
            self.look()
            again.assert_not_called()
        self.rows.reset()
        self.assertIsNone(self.rows.found("quick"))

    def test_it_waits_for_the_ranking_and_for_somebody_who_looks(self):
        for state in ({"running": True}, {"running": False, "visible": False}, {"lead_job": None}):
            self.look(**state)
            self.assertIsNone(self.rows.found("quick"))

    def test_what_is_not_wanted_is_not_computed(self):
        changes = []
        self.rows.ticked_changed.connect(lambda: changes.append(self.rows.ticked))
        self.rows.clicked(False)
        self.look()
        self.rows.clicked(True)
        self.assertEqual(changes, [False, True])
        self.assertIsNone(self.rows.found("quick"))
        self.look()
        self.assertEqual(self.rows.found("quick"), 150)

    def test_a_failure_is_shown_until_it_is_asked_for_again(self):
        self.look(lead_job="failing")
        self.assertEqual(self.rows.state("failing"), (False, "Rows: failed", True, "no way"))
        self.rows.ask("failing")
        self.assertEqual(self.rows.caption("failing"), "Rows")

    def test_what_takes_long_is_given_up_unless_it_is_asked_for(self):
        with patch.object(followup, "TRIAL", 0.0), patch.object(followup, "QUICK", 0.0):
            self.look(lead_job="slow")
        self.assertRegex(self.rows.caption("slow"), r"Rows \(about \d+ s\)")
        self.assertFalse(self.rows.is_due("slow"))
        self.rows.ask("slow")
        self.assertTrue(self.rows.is_due("slow"))
        self.refresh(self.rows)
        self.assertTrue(self.rows.busy)
        self.look(lead_job="quick")
        self.assertEqual(self.rows.found("quick"), 150)

    def test_work_that_another_job_ended_is_done_when_its_turn_comes_again(self):
        with patch.object(followup, "TRIAL", 0.0), patch.object(followup, "QUICK", float("inf")):
            self.ranking = self.ranking._replace(lead_job="slow")
            self.refresh(self.rows)
            self.process_events(lambda: self.rows.record("slow").seconds is not None, timeout=LIMIT)
        self.look(lead_job="quick")
        self.assertTrue(self.rows.is_due("slow"))

    def test_a_part_that_was_sent_before_other_data_came_is_not_taken(self):
        self.rows.find = count_rows_after_a_part
        self.ranking = self.ranking._replace(lead_job="first")
        self.refresh(self.rows)
        self.assertTrue(FIRST_PART_IS_SENT.wait(LIMIT / 1000))
        self.ranking = self.ranking._replace(problem=of_table("zoo"))
        self.rows.reset()  # the part waits in the queue of events
        self.refresh(self.rows)
        taken = []
        self.rows.changed.connect(lambda: taken.append(self.rows.found("first")))
        for _ in range(20):
            self.process_events()
        self.assertNotIn(150, taken)
        self.rows.reset()

    def test_results_of_other_features_are_refused(self):
        columns = Columns(self.owner)
        self.addCleanup(columns.shutdown)
        for names, failure in (("a", "The result is of 2 features, and 1 are ranked"), ("ab", "")):
            self.ranking = self.ranking._replace(problem=of_table("iris", names))
            columns.reset()
            self.refresh(columns)
            self.process_events(lambda: not columns.busy, timeout=LIMIT)
            record = columns.record("quick")
            self.assertEqual((record.failure, record.result), (failure, None if failure else 150))

    def test_others_come_first(self):
        second = Rows(self.owner, first=[self.rows])
        self.addCleanup(second.shutdown)
        self.ranking = self.ranking._replace(lead_job="slow")
        self.refresh(self.rows)
        second.ranking = self.ranking
        self.assertFalse(second.ready())
        self.rows.reset()
        self.assertTrue(second.ready())

    def test_the_ranking_is_handed_over_to_those_that_sleep_and_taken_away_with_the_data(self):
        self.rows.ticked = False
        together = FollowUps([self.rows])
        together.refresh(self.ranking)
        self.assertFalse(self.rows.awake)
        self.assertIs(self.rows.ranking, self.ranking)
        together.reset()
        self.assertIsNone(self.rows.ranking.problem)

    def test_what_does_not_concern_the_ranking_sleeps(self):
        self.rows.ticked = False
        together = FollowUps([self.rows])
        with patch.object(self.rows, "show") as show, patch.object(self.rows, "offer") as offer:
            together.refresh(self.ranking._replace(lead_job=None))
            together.refresh(self.ranking)
            together.refresh(self.ranking)
            self.assertEqual([call.args for call in offer.call_args_list], [(False,), (True,)])
            show.assert_not_called()
            self.rows.ticked = True
            together.refresh(self.ranking)
            self.process_events(lambda: not self.rows.busy, timeout=LIMIT)
            self.rows.ticked = False
            together.refresh(self.ranking)  # it is awake, and says that it is not wanted
            self.assertEqual(show.call_count, 2)
            self.assertFalse(self.rows.is_blank)
            together.reset()
            self.assertTrue(self.rows.is_blank)
            together.refresh(self.ranking)  # shows that nothing is known of other data
            together.refresh(self.ranking)
            self.assertEqual(show.call_count, 3)


if __name__ == "__main__":
    unittest.main()
