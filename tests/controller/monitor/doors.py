"""Doors for tests of what is behind them: whoever comes is known."""

from fastapi import Request

from controller.access.people import Person

ANN = Person("Ann", "supervisor")
TIM = Person("Tim", "technician")
DEE = Person("Dee", "dealer")


class Everybody:
    """Whoever asks is this person."""

    def __init__(self, person: Person = ANN) -> None:
        self.one = person

    def person(self, _request: Request, /) -> Person:
        return self.one

    def stays(self, _request: Request, /) -> bool:
        return True


class Staff:
    """Whoever asks may: a technician for the technician's page, a dealer for the console, a supervisor for
    all others."""

    def person(self, request: Request, /) -> Person:
        theirs = {"technician": TIM, "console": DEE}
        return theirs.get(request.url.path.split("/")[1], ANN)

    def stays(self, _request: Request, /) -> bool:
        return True
