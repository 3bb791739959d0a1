"""Drawings read back as shapes and words; a drawing that is not well-formed raises an error."""

from dataclasses import dataclass
from xml.parsers import expat


@dataclass
class Shape:
    name: str
    attributes: dict[str, str]
    words: str = ""

    def number(self, name: str) -> float:
        return float(self.attributes[name])


def shapes(drawn: str) -> list[Shape]:
    found: list[Shape] = []
    parser = expat.ParserCreate()

    def words(more: str) -> None:
        found[-1].words += more

    parser.StartElementHandler = lambda name, attributes: found.append(Shape(name, attributes))
    parser.CharacterDataHandler = words
    parser.Parse(drawn, True)
    return found


def filled(drawn: str, name: str, fill: str) -> list[Shape]:
    return [one for one in shapes(drawn) if one.name == name and one.attributes.get("fill") == fill]


def words(drawn: str) -> list[str]:
    return [one.words.strip() for one in shapes(drawn) if one.name == "text"]
