"""Which pages are pictured, and how: their sizes, colours and languages, and the files of the pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from tests.fixtures.browser_table import DESK, PHONE

DOCS: Final = Path(__file__).parents[3] / "docs"
PICTURES: Final = DOCS / "pictures"
SHEETS: Final = PICTURES / "sheets"

Theme = Literal["light", "contrast"]
Language = Literal["en", "es"]

THEMES: Final[Mapping[Theme, str]] = {"light": "Light", "contrast": "High contrast"}
LANGUAGES: Final[Mapping[Language, str]] = {"en": "English", "es": "Spanish"}

Size = tuple[int, int]
"""Width and height in pixels."""
KIOSK: Final = (1024, 600)
LARGE: Final = (1920, 1080)
SIZES: Final[Mapping[Size, str]] = {
    KIOSK: "screen of a table",
    DESK: "desk",
    LARGE: "large screen",
    PHONE: "phone",
}

TABLE: Final[Mapping[str, str]] = {
    "sign-in": "Signing in",
    "account": "One's own account",
    "live": "The live page",
    "console-betting": "The console: betting",
    "console-insurance": "The console: insurance",
    "console-playing": "The console: playing, with split hands",
    "console-paying": "The console: paying",
    "console-claim": "The console: a jackpot is hit, and the dealer has called the supervisor",
    "supervisor": "The supervisor's page of a table that needs its supervisor",
    "supervisor-claim": "The supervisor's form that verifies a claim",
    "supervisor-void": "The supervisor's form that voids a round",
    "technician": "The technician's page",
    "technician-testing": "The technician's page in test mode, with the lamps",
    "rounds": "Rounds",
    "round": "One round",
    "replay": "A round step by step",
    "reports": "Reports",
    "report": "A report",
    "audit": "The audit log",
    "slip": "The slip of a jackpot claim",
    "reference": "The reference of the API",
    "events": "Significant events of the journal",
    "halted": "A halted table",
    "simulator": "The simulator of the demonstration",
}
"""The pages of a table by the name of their pictures, each with its title."""
FLOOR: Final[Mapping[str, str]] = {
    "floor-sign-in": "The floor: signing in",
    "floor": "The floor: all tables",
    "floor-wall": "The floor: on a wall",
    "floor-table": "The floor: one table",
    "floor-rounds": "The floor: rounds of all tables",
    "floor-round": "The floor: one round",
    "floor-reports": "The floor: reports",
    "floor-report": "The floor: the report of a day",
    "floor-jackpot": "The floor: a linked jackpot",
    "floor-notices": "The floor: notices",
}
"""The pages of the floor."""
PAGES: Final[Mapping[str, str]] = {**TABLE, **FLOOR}
PAPER: Final = frozenset({"slip"})
"""Pages to be printed: nobody chooses their colours or touches them, so they are not measured."""
WHOLE: Final[Mapping[str, tuple[str, Size]]] = {
    "sign-in-desk.png": ("sign-in", DESK),
    "console-betting.png": ("console-betting", DESK),
    "console-playing.png": ("console-playing", DESK),
    "console-paying.png": ("console-paying", DESK),
    "supervisor-desk.png": ("supervisor", DESK),
    "supervisor-phone.png": ("supervisor", PHONE),
    "rounds-desk.png": ("rounds", DESK),
    "rounds-1-replay-desk.png": ("replay", DESK),
    "report-desk.png": ("report", DESK),
    "audit-desk.png": ("audit", DESK),
    "technician-desk.png": ("technician", DESK),
}
"""The pictures at full size that the guide shows, in English and in the page's own colours."""


@dataclass(frozen=True, slots=True)
class Look:
    """A page as one quarter of a sheet shows it."""

    page: str
    size: Size
    theme: Theme
    language: Language

    @property
    def file(self) -> str:
        """The name of the picture's file."""
        return f"{self.page}-{size_text(self.size)}-{self.theme}-{self.language}.png"


def size_text(size: Size) -> str:
    """As "1280x800"."""
    return f"{size[0]}x{size[1]}"


def sheet_name(page: str, size: Size) -> str:
    """The file of the sheet with the four looks of a page at this size."""
    return f"{page}-{size_text(size)}.jpg"
