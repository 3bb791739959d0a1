"""The content of the dealer's page, read as a browser reads it."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from controller.access.people import Person
from controller.monitor.console.page import CONSOLE
from controller.monitor.live.renderer import PageRenderer
from controller.table.record.views import TableView

LISTED = re.compile(r"(Seat \d+(?: hand \d+)?) has (soft )?(\d+): .*")
"""Where the hardware console names the legal keys. The page shows them."""
AGAINST = re.compile(r" against (?:A|K|Q|J|\d+)$")
"""What only the page says: the dealer's up-card."""
DEE = Person("Dee", "dealer")
VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "use", "path"})


@dataclass
class Element:
    """One element with its text, including that of the elements inside it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    within: list["Element"] = field(default_factory=list)

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


class Reading(HTMLParser):
    """All elements of some HTML, in order; raises AssertionError where a tag is not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """The elements with this tag and these attributes; "" stands for any value."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            each
            for each in self.elements
            if each.tag == tag
            and all(n in each.attributes and v in ("", each.attributes[n]) for n, v in wanted.items())
        ]

    def of_class(self, name: str) -> list[Element]:
        return [each for each in self.elements if name in each.attributes.get("class", "").split()]


def without_keys(prompt: str) -> str:
    """A prompt of the hardware console as the page words it, without the up-card."""
    return LISTED.sub(lambda found: f"{found[1]} has {found[2] or 'hard '}{found[3]}", prompt)


@dataclass(frozen=True)
class Shown:
    """The panels of a page."""

    panels: dict[str, Reading]

    @property
    def due(self) -> tuple[str, int]:
        """The sentence in large type, without the up-card, and its seat."""
        panel = self.panels["console-due"]
        (sentence,) = panel.all("h1")
        seat = [each.words for each in panel.all("b")]
        return AGAINST.sub("", sentence.text), int(seat[0]) if seat else 0

    @property
    def keys(self) -> list[Element]:
        return self.panels["console-pad"].all("button", data_action="")

    @property
    def presses(self) -> list[tuple[str, int]]:
        """What each key sends."""
        return [(key.attributes["data-action"], int(key.attributes["data-seat"])) for key in self.keys]

    def letter(self, action: str, seat: int = 0) -> str:
        """The key that presses it on a keyboard."""
        place = self.presses.index((action, seat))
        return self.keys[place].attributes["data-letter"]

    def words(self, panel: str) -> str:
        """All text of a panel."""
        reading = self.panels[f"console-{panel}"]
        return " ".join(each.words for each in reading.elements)


def shown(view: TableView) -> Shown:
    """The page of this view."""
    panels = PageRenderer(CONSOLE, DEE).panels(view)
    return Shown({name: Reading(html) for name, html in panels.items()})
