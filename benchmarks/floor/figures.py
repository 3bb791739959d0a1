"""A figure of the floor beside its target."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """`most`: the highest value that meets the target; None without one. `form`: the format of both."""

    name: str
    measured: float
    most: float | None = None
    form: str = "{:.2f}"

    @property
    def missed(self) -> bool:
        return self.most is not None and not self.measured <= self.most

    def cells(self) -> tuple[str, str, str]:
        target = "" if self.most is None else f"at most {self.form.format(self.most)}"
        return self.name, self.form.format(self.measured), f"MISSED: {target}" if self.missed else target


PERCENT = "{:.2%} of a core"
MEGABYTES = "{:.0f} MB"
SECONDS = "{:.2f} s"
MILLISECONDS = "{:.0f} ms"
COUNT = "{:,.0f}"


def table_of(title: str, figures: Sequence[Figure]) -> Table:
    shown = Table("figure", "measured", "target", title=title)
    for figure in figures:
        shown.add_row(*figure.cells())
    return shown


def percentile(values: Sequence[float], part: float) -> float:
    """Not a number if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")
