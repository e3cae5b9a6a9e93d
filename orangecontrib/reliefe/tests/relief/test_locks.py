"""Threads that search write to the lists of two blocks of rows at a time, and never wait for each other forever."""

import threading

from orangecontrib.reliefe.core.relief.neighbourhoods.locks import Locks

FAR = 1000  # a row in another block than row 0
TIMES = 2000
PATIENCE = 60  # seconds


def test_blocks_are_locked_in_one_order():
    locks = Locks(2 * FAR, 64)
    inside = 0
    most_inside = 0

    def hold(rows):
        nonlocal inside, most_inside
        for _ in range(TIMES):
            with locks.of(*rows):
                inside += 1
                most_inside = max(most_inside, inside)
                inside -= 1

    threads = [threading.Thread(target=hold, args=(rows,), daemon=True) for rows in [(0, FAR), (FAR, 0), (FAR, FAR)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
    assert most_inside == 1


def test_blocks_without_a_common_row_are_locked_at_a_time():
    locks = Locks(2 * FAR, 64)
    entered = threading.Event()

    def enter():
        with locks.of(FAR):
            entered.set()

    with locks.of(0):
        thread = threading.Thread(target=enter, daemon=True)
        thread.start()
        assert entered.wait(PATIENCE)
    thread.join(PATIENCE)
