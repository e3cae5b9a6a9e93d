"""Stages of the outputs of a ranker, without Qt."""

import pytest

from orangecontrib.reliefe.orange.ranker.output_stage import BEHIND, HELD, RANKING, REFINING, SENT, WAITING, State
from orangecontrib.reliefe.orange.ranker.refresh import Refresh


def begun():
    """State of a ranking of new data."""
    state = State()
    state.data_arrived()
    assert (state.stage, state.urgent) == (WAITING, True)
    state.begin()
    assert state.stage == RANKING
    return state


def test_the_leading_score_is_sent_once_and_the_rest_at_the_end():
    state = begun()
    assert state.lead()
    assert state.stage == REFINING
    assert state.send()
    assert not state.lead()
    state.end(holds=False, testing=False)
    assert state.stage == SENT
    assert state.send()  # what was sent on the way does not decide for the end
    assert not state.send()


def test_changes_of_the_same_data_are_not_urgent():
    state = begun()
    state.end(holds=False, testing=False)
    state.send()
    state.begin()
    assert state.lead()
    assert not state.send()


def test_a_selection_by_p_values_is_held_until_they_come():
    state = begun()
    state.end(holds=True, testing=True)
    assert state.stage == HELD
    assert not state.release(holds=True, testing=True)
    assert state.release(holds=False, testing=True)
    assert state.stage == BEHIND  # the first shuffles: those that follow are sent, too
    assert state.send()
    assert not state.release(holds=False, testing=True)
    assert state.release(holds=False, testing=False)
    assert state.stage == SENT
    assert not state.send()


def test_p_values_that_come_after_the_ranking_are_sent_once():
    state = begun()
    state.end(holds=False, testing=False)
    assert not state.release(holds=False, testing=True)
    assert state.release(holds=False, testing=False)
    assert not state.release(holds=False, testing=False)


@pytest.mark.parametrize("testing", [False, True])
def test_nothing_is_released_while_it_ranks(testing):
    state = begun()
    for stage in (RANKING, REFINING):
        assert not state.release(holds=False, testing=testing)
        assert state.stage == stage
        state.lead()


def test_what_comes_after_a_failure_is_sent_at_once():
    state = begun()
    state.fail()
    assert not state.release(holds=False, testing=False)
    state.begin()
    state.end(holds=False, testing=False)
    assert state.send()


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
    with refresh.event("scores"):
        refresh.now()  # and then nothing is left
    assert seen[3:] == [{"scores"}, {"table"}, "after"]


def test_an_event_that_fails_does_not_keep_later_ones_from_being_shown():
    seen = []
    refresh = Refresh(seen.append, lambda: None)
    with pytest.raises(ZeroDivisionError), refresh.event("scores"):
        raise ZeroDivisionError
    assert not seen
    refresh("summary")
    assert seen == [{"", "scores", "summary"}]
