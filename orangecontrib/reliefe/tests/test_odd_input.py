"""Whatever is given to anything public: it works, or a ValueError or TypeError says why not, in words for people."""

import re

import pytest

from orangecontrib.reliefe.tests.odd import CALLS

LONGEST = 1000  # characters of a message: what is possible may be a list
SLOW = "rank ", "Forest", "hierarchical_t"
PROGRAMMERS = re.compile(r"truth value|unhashable|broadcast|inhomogeneous|not iterable|unpack|has no attribute|ufunc")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name.startswith(SLOW) else name for name in CALLS]
)
def test_odd_values(name):
    call, wrong = CALLS[name], []
    call.function(**call.arguments)
    for argument, odd, value in call.cases():
        try:
            call.function(**{**call.arguments, argument: value})
        except (ValueError, TypeError) as error:
            message = str(error)
            if len(message) > LONGEST or PROGRAMMERS.search(message):
                wrong.append(f"{argument}: {odd}: {type(error).__name__}: {message[:200]}")
        except Exception as error:  # noqa: BLE001
            wrong.append(f"{argument}: {odd}: {type(error).__name__}: {str(error)[:200]}")
    assert not wrong, "\n".join(wrong)
