"""What pages with the same choice are sent: the differences are found, and put into words, once for all of
them.

A channel makes a numbered message whenever something has changed. A page that joins gets everything as it was
after the last message, and then what follows. One that has fallen far behind gets everything anew.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from controller.floor.pages.rendering import HOUSES, instance_html, jackpots_html
from controller.floor.pages.view import FloorView
from controller.floor.tables.arrangement import Order, TileFilter
from controller.floor.tables.changes import TileChanges, TileFeed
from controller.languages import ENGLISH, Language, speaking
from controller.monitor.live.stream import message

BEGIN: Final = "begin"
"""The first event of a stream: the page forgets the tiles that do not come again before the next beat."""
TILES: Final = "tiles"
"""Tiles that are new or have changed, as HTML."""
GONE: Final = "gone"
ORDER: Final = "order"
"""Names of tables, one a line: those to remove, and all in their order."""
INSTANCE: Final = "instance"
JACKPOTS: Final = "jackpots"
HOUSE: Final = "house"
"""Panels over the tiles: that this instance does not act, the jackpots, and alerts about the floor itself."""
KEPT: Final = 8
"""Messages that are kept for pages that are slower than others."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page follows. `acknowledges`: whether its reader acknowledges alerts."""

    order: Order
    filter: TileFilter
    acknowledges: bool
    language: Language = ENGLISH


class TileChannel:
    """`number`: how many messages were made so far."""

    def __init__(self, view: FloorView, subject: Subject) -> None:
        self._view, self._subject = view, subject
        self._feed = TileFeed()
        self._panels: dict[str, str] = {}
        self._latest: deque[str] = deque(maxlen=KEPT)
        self._everything = 0, ""
        self.number = 0

    def advance(self, now: float) -> bool:
        """Make a message of what has changed since the last one. Returns whether there is any. `now`: a
        monotonic time in seconds."""
        wanted = self._view.arranged(self._subject.order, self._subject.filter)
        with speaking(self._subject.language):
            text = "".join((*self._tiles(self._feed.take(wanted, now)), *self._fresh_panels()))
        if text:
            self._latest.append(text)
            self.number += 1
        return bool(text)

    @property
    def holds_back(self) -> bool:
        """Whether a change waits, so that no tile changes too often."""
        return self._feed.due is not None

    def everything(self) -> str:
        """What a page needs that shows nothing yet, or something else."""
        if self._everything[0] != self.number:
            tiles = TileChanges(tuple(self._feed.shown.values()))
            panels = (message(name, panel) for name, panel in self._panels.items())
            with speaking(self._subject.language):
                self._everything = self.number, "".join((message(BEGIN, ""), *self._tiles(tiles), *panels))
        return self._everything[1]

    def after(self, number: int) -> str:
        """The messages after this one; empty if there is none."""
        missed = self.number - number
        if missed > len(self._latest):
            return self.everything()
        return "".join(list(self._latest)[len(self._latest) - missed :])

    def _fresh_panels(self) -> Iterator[str]:
        for name, render in self._renders().items():
            panel = self._view.panel(render)
            if panel != self._panels.get(name):
                self._panels[name] = panel
                yield message(name, panel)

    def _renders(self) -> Mapping[str, Callable[[FloorView], str]]:
        return {
            INSTANCE: instance_html,
            JACKPOTS: jackpots_html,
            HOUSE: HOUSES[self._subject.acknowledges],
        }

    def _tiles(self, changes: TileChanges) -> Iterator[str]:
        if changes.gone:
            yield message(GONE, "\n".join(changes.gone))
        if changes.tiles:
            yield message(TILES, "\n".join(map(self._view.html, changes.tiles)))
        if changes.order is not None:
            yield message(ORDER, "\n".join(changes.order))


@dataclass(slots=True)
class _Shared:
    channel: TileChannel
    followers: int = 0


@dataclass(frozen=True, slots=True)
class TileChannels:
    """The channels that pages follow now. `steady`: a monotonic clock in seconds."""

    view: FloorView
    steady: Callable[[], float]
    _open: dict[Subject, _Shared] = field(default_factory=dict)

    @contextmanager
    def following(self, subject: Subject) -> Iterator[TileChannel]:
        """The channel of this subject, which exists as long as anybody follows it."""
        if subject not in self._open:
            self._open[subject] = _Shared(TileChannel(self.view, subject))
            self._open[subject].channel.advance(self.steady())
        shared = self._open[subject]
        shared.followers += 1
        try:
            yield shared.channel
        finally:
            shared.followers -= 1
            if not shared.followers:
                del self._open[subject]

    def advance(self, *, changed: bool) -> bool:
        """Let each channel make its message. `changed`: whether the view has. Returns whether any page has to
        be sent something."""
        now = self.steady()
        moving = [one.channel for one in self._open.values() if changed or one.channel.holds_back]
        return bool([channel for channel in moving if channel.advance(now)])
