"""The table's register of requests: the open ones, and the last closed ones with their outcomes."""

from dataclasses import dataclass, field, replace
from typing import Literal

from controller.table.errors import NotAllowed
from controller.table.record.events import MeterCorrection, RequestSubject, Supervisor
from controller.table.record.rules import Progressive
from controller.table.record.views import OUTCOME_SENTENCES
from controller.text.characters import same_name

RequestState = Literal["open", "granted", "declined", "withdrawn", "failed"]

DONE_KEPT = 20


@dataclass(frozen=True, slots=True)
class TablePosition:
    """Where the table was when somebody asked: the round, how much of it had happened, how many cards were
    out of the shoe, and, for a meter, the cents that it showed."""

    round: int
    events: int = 0
    cards: int = 0
    cents: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """`at` is seconds of Unix time. `word`, `meter` or `fed` is what is done once `needs` persons have
    granted it; `signs`: who asks is the first of the persons who say it."""

    number: int
    about: RequestSubject
    who: str
    why: str
    at: float
    mark: TablePosition
    needs: int
    signs: bool = False
    grants: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    word: Supervisor | None = None
    meter: MeterCorrection | None = None
    fed: dict[str, Progressive] = field(default_factory=dict)
    """How jackpots are fed from then on, by spot."""
    state: RequestState = "open"

    @property
    def persons(self) -> tuple[str, str]:
        """Who says it, and their second, empty where one will do."""
        signed = [*([self.who] if self.signs else []), *self.grants, "", ""]
        return signed[0], signed[1]


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """What became of a request: whose answer ended it, empty where it failed, at which second, why, and in
    which round."""

    request: Request
    who: str
    at: float
    why: str
    round: int = 0


@dataclass(slots=True)
class RequestRegister:
    """The open requests, oldest first, and the last closed ones, newest first."""

    open: tuple[Request, ...] = ()
    done: tuple[AnsweredRequest, ...] = ()
    last: int = 0
    """The highest number that was assigned."""
    declined: dict[str, Progressive] = field(default_factory=dict)
    """New parameters of jackpots that somebody has declined: nobody is asked for the same ones again."""

    def find(self, number: int) -> Request:
        """The open request of this number; raises NotAllowed, naming who has answered it."""
        found = next((one for one in self.open if one.number == number), None)
        if found is None:
            raise NotAllowed(self._absent(number))
        return found

    def find_by(self, about: RequestSubject, who: str) -> Request | None:
        """The open request of this person about this subject."""
        return next((one for one in self.open if one.about == about and same_name(one.who, who)), None)

    def add(self, request: Request) -> Request:
        """Adds a request under the next number."""
        self.last += 1
        numbered = replace(request, number=self.last)
        self.open = (*self.open, numbered)
        return numbered

    def update(self, request: Request) -> None:
        """Replaces the open request of the same number."""
        self.open = tuple(request if one.number == request.number else one for one in self.open)

    def close(self, answer: AnsweredRequest) -> None:
        """Closes the request and forgets the decision that it would have carried out."""
        number = answer.request.number
        self.open = tuple(one for one in self.open if one.number != number)
        spent = replace(answer.request, word=None, meter=None, fed={})
        self.done = (replace(answer, request=spent), *self.done)[:DONE_KEPT]

    def _absent(self, number: int) -> str:
        done = next((done for done in self.done if done.request.number == number), None)
        if done:
            outcome = OUTCOME_SENTENCES[done.request.state].format(who=done.who, why=done.why)
            return f"request {number} {outcome}"
        numbers = ", ".join(str(one.number) for one in self.open) or "none"
        return f"there is no open request {number}; open: {numbers}"
