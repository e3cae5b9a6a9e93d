"""Targets that a method takes, which readers of targets check against."""

from dataclasses import dataclass

from .tasks import TASKS


@dataclass(frozen=True)
class Accepts:
    """Targets that a method takes.

    Attributes
    ----------
    tasks : tuple of str
        Names of the tasks.
    method : str
        Name of the method in messages.
    unlabelled : bool
        True if rows without a target are taken.
    """

    tasks: tuple[str, ...] = TASKS
    method: str = "this method"
    unlabelled: bool = False

    def check(self, task: str, hint: str = "") -> None:
        """Raise ValueError if `task` is none of those that are taken; hint: the end of the message."""
        if task not in self.tasks:
            names = self.tasks if len(self.tasks) < 3 else (", ".join(self.tasks[:-1]), self.tasks[-1])
            raise ValueError(f"{self.method} is for {' and '.join(names)}, not for {task}{hint}")
