"""Decision on the outputs of a ranker, and refresh of its window, without Qt."""

import itertools

import numpy as np
import pytest

from orangecontrib.reliefe.orange.ranker.decision import (
    Awaited,
    Dispatch,
    OutputRequest,
    PValuesState,
    RankingState,
    When,
    decide,
)
from orangecontrib.reliefe.orange.ranker.refresh import Refresh
from orangecontrib.reliefe.orange.ranker.scores import MethodScores
from orangecontrib.reliefe.orange.ranker.selection import SelectionRule

NAMES = ("a", "b", "c")
DONE = PValuesState(missing=False, running=False)
TESTING = PValuesState(missing=True, running=True)  # no shuffles are finished
MORE = PValuesState(missing=False, running=True)  # finished shuffles, and further ones


def scores(name, partial=False):
    return MethodScores(name, np.array([3.0, 2, 1]), name, partial=partial)


LEAD = (scores("lead"),)


def ranking(running=False, lead_final=True, failed=False, data=1, run=1, columns=LEAD):
    return RankingState(data, run, running, failed, lead_final, NAMES, columns)


def asked(mode="best", n=2, leading=""):
    rule = SelectionRule(mode, n, threshold=0.0, share=10.0, level=0.1, folded=False, keep=())
    return OutputRequest(rule, by_hand=(), leading=leading, p_values=False, adds_to_others=False, highlighted="")


def decided(state=None, p_values=DONE, request=None):
    return decide(state or ranking(), [True, False, True], p_values, request or asked())


BEGUN = ranking(running=True, lead_final=False)
LEADING = ranking(running=True)


def test_all_combinations():
    """The table of the stages, with each reason for a pending, partial or final output."""
    for mode, running, lead_final, missing, testing in itertools.product(("best", "fdr"), *[(False, True)] * 4):
        decision = decided(ranking(running, lead_final), PValuesState(missing, testing), asked(mode))
        pending = (running and not lead_final) or (mode == "fdr" and missing)
        assert decision.pending == pending
        assert decision.partial == (not pending and (running or testing))
        assert (decision.awaited is Awaited.NOTHING) == (not pending and not running and not testing)


def test_when_it_is_sent():
    """Stages of the first ranking go out at once, later ones as the user wants, and quick changes together."""
    dispatch = Dispatch(decided(ranking(data=0, run=0, columns=())))
    for state, request, p_values, when in (
        (BEGUN, asked(), DONE, When.NOT_YET),
        (LEADING, asked(), DONE, When.AT_ONCE),
        (LEADING, asked(n=1), DONE, When.SOON),
        (ranking(), asked(n=1), MORE, When.AT_ONCE),
        (ranking(), asked(n=1), DONE, When.AS_THE_USER_WANTS),
        (ranking(), asked(n=1), DONE, When.NOT_YET),
        (ranking(running=True, lead_final=False, run=2), asked(), DONE, When.NOT_YET),
        (ranking(run=2), asked(), DONE, When.AS_THE_USER_WANTS),
        (ranking(data=2, run=3, failed=True, columns=()), asked(), DONE, When.AT_ONCE),
        (ranking(data=2, run=4), asked("fdr"), TESTING, When.NOT_YET),
        (ranking(data=2, run=4), asked("fdr"), DONE, When.AT_ONCE),
    ):
        decision = decided(state, p_values, request)
        assert dispatch.follow(decision) is when
        assert dispatch.is_pending == decision.pending


def test_what_is_sent():
    columns = scores("lead"), scores("slow", partial=True)
    decision = decided(ranking(running=True, columns=columns))
    assert decision.selected == ("a", "c")
    assert decision.columns == columns[:1]
    assert decided(ranking(columns=columns)).columns == columns  # stopped: this is all there will be
    assert decided(ranking(columns=())).selected is None


def test_the_leading_score_is_sent_once_and_the_rest_at_the_end():
    begun, leads, end = decided(BEGUN), decided(LEADING), decided()
    assert not begun.advances(end)
    assert leads.advances(begun)
    assert not leads.advances(leads)
    assert end.advances(leads)
    assert not end.advances(end)


def test_another_ranking_is_sent_though_nothing_was_seen_of_its_begin():
    before, after = decided(), decided(ranking(run=2))
    assert after.advances(before)
    assert not decided(ranking(running=True, lead_final=False, run=2)).advances(before)


def test_a_selection_by_p_values_is_pending_until_they_come():
    begun, held = decided(BEGUN, TESTING, asked("fdr")), decided(ranking(), TESTING, asked("fdr"))
    assert held.pending
    assert not held.advances(begun)
    stopped, more = decided(ranking(), DONE, asked("fdr")), decided(ranking(), MORE, asked("fdr"))
    assert stopped.advances(held)
    assert not more.advances(stopped)  # begun, and nothing new yet
    assert stopped.advances(more)


def test_p_values_that_come_after_the_ranking_are_sent_once():
    ranked, tested = decided(ranking(), TESTING), decided()
    assert ranked.partial
    assert tested.advances(ranked)
    assert not tested.advances(tested)


@pytest.mark.parametrize("p_values", [DONE, TESTING, MORE])
def test_p_values_of_before_change_nothing_while_it_ranks(p_values):
    assert not decided(LEADING, p_values).advances(decided(LEADING))
    assert not decided(BEGUN, p_values).advances(decided(BEGUN))


def test_another_request_is_sent_unless_it_waits():
    before, request = decided(), asked(n=1)
    assert decided(request=request).differs(before)
    assert not decided(BEGUN, request=request).differs(before)
    assert decided(LEADING, request=request).differs(decided(LEADING))
    assert not decided(LEADING, TESTING, asked("fdr")).differs(before)
    assert decided(request=asked(leading="other")).differs(before)


def test_a_failure_is_news():
    failed = decided(ranking(failed=True, columns=()))
    assert failed.failed
    assert failed.advances(decided(BEGUN))


def test_a_change_is_shown_once_at_the_end_of_the_outermost_event():
    seen = []

    def show(stale):
        seen.append(stale - {""})
        if "scores" in stale:
            refresh("table")  # marks: it is shown next

    refresh = Refresh(show, lambda: seen.append("after"))
    with refresh.event("scores"):
        refresh("summary")
        with refresh.event("summary"):
            assert not seen
    assert seen == [{"scores", "summary"}, {"table"}, "after"]


def test_an_event_that_fails_does_not_keep_later_ones_from_being_shown():
    seen = []
    refresh = Refresh(seen.append, lambda: None)
    with pytest.raises(ZeroDivisionError), refresh.event("scores"):
        raise ZeroDivisionError
    assert not seen
    refresh("summary")
    assert seen == [{"", "scores", "summary"}]
