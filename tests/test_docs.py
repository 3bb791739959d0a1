"""The docs match the code: links resolve, commands and options exist, keys are those of the model."""

import ast
import errno
import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import get_args

import pytest
from fastapi.routing import APIRoute
from prometheus_client.parser import text_string_to_metric_families
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from starlette.routing import Mount
from typer.testing import CliRunner

from controller.commands.app import app
from controller.config import Config, DeviceSection, DevicesSection, JackpotSection, ShoeSection, read
from controller.config.bridge import MqttSection, WebhookSection
from controller.games import GAMES, open_game
from controller.monitor.context import WebContext
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.web import build
from controller.monitor.web_metrics import WebMetrics
from controller.table.record.views import TableView
from drivers.sim.kinds import KINDS, Settings
from drivers.sim.link.memory import Memory
from drivers.sim.physical_state import PhysicalState
from drivers.sim.requests import RequestError
from drivers.sim.unit import Unit
from tests.fixtures.command_line import called, commands, everything
from tests.fixtures.core_socket import no_core
from tests.fixtures.metrics import exposed

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md")), *sorted((ROOT / "firmware-protocol").rglob("*.md"))]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OPTION = re.compile(r"--[a-z][a-z-]*")
ENDS = frozenset({"|", ";", "&", ">", "2>"})
"""Where a shell's command ends."""
TOGETHER = frozenset({"people", "floor"})
"""Groups whose commands have one section together."""
APART = frozenset({"floor progressive"})
"""Commands of such groups that have a section of their own."""
OTHERS = frozenset({"apt-get", "journalctl", "ls", "mv", "systemctl", "tar"})
"""Programs to which the same word is a package, a unit or a folder."""


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def links(path: Path) -> set[str]:
    """The relative targets of a page, without code."""
    return {target for target in LINK.findall(FENCED.sub("", path.read_text("utf-8"))) if ":" not in target}


def anchors(path: Path) -> set[str]:
    """The anchors of headings."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


def rows(text: str) -> Iterator[list[str]]:
    """The cells of all rows of all tables."""
    for line in text.splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


class TestLinks:
    @pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
    def test_every_link_resolves(self, path: Path) -> None:
        for target in links(path):
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            assert file.exists(), target
            assert not anchor or anchor in anchors(file), target

    def test_every_page_is_linked_from_the_readme(self) -> None:
        reached, fresh = set[Path](), {README}
        while fresh:
            reached |= fresh
            found = {
                (path.parent / target.partition("#")[0]).resolve() for path in fresh for target in links(path)
            }
            fresh = (found & set(PAGES)) - reached
        assert set(PAGES) <= reached


@cache
def shown(command: str) -> str:
    """The help of a command; of all commands for an empty name."""
    arguments = [*command.split(), "--help"]
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout


def sections() -> list[str]:
    """What has a section on the page of commands: each command, and the groups that have one as a whole."""
    return list(dict.fromkeys(section(name) for name in commands()))


def section(command: str) -> str:
    """The title of the section that describes a command."""
    title = " ".join(command.split()[:2])
    group = command.partition(" ")[0]
    return group if group in TOGETHER and title not in APART else title


def parts(title: str) -> list[str]:
    """The commands and groups that a section describes."""
    return [name for name in everything() if section(name) == title]


def examples() -> list[tuple[str, list[str]]]:
    """Every use of the command in a shell block of any page: page and arguments."""
    return [
        (path.name, list(takewhile(lambda word: word not in ENDS, words[place + 1 :])))
        for path in PAGES
        for kind, block in FENCED.findall(path.read_text("utf-8"))
        for line in (block.splitlines() if kind == "sh" else ())
        if re.search(r"(^|[ /])tableside ", line)
        for words in [shlex.split(line, comments=True)]
        for place, word in enumerate(words)
        if word.split("/")[-1] == "tableside"
        and words[0] not in OTHERS
        and words[place - 1 : place] != ["-u"]
    ]


class TestCommands:
    @pytest.mark.parametrize(("name", "arguments"), examples())
    def test_examples_use_what_exists_by_its_present_name(self, name: str, arguments: list[str]) -> None:
        assert called(arguments), name
        used = {word for word in arguments if word.startswith("--")}
        assert used <= set(OPTION.findall(shown(called(arguments)))), name

    def test_each_section_has_an_example(self) -> None:
        used = {section(called(arguments)) for name, arguments in examples() if name == "commands.md"}
        assert used == set(sections())

    @pytest.mark.parametrize("title", sections())
    def test_each_option_is_described(self, title: str) -> None:
        text = page("commands.md").split(f"\n## {title}\n")[1].split("\n## ")[0]
        there = {option for part in parts(title) for option in OPTION.findall(shown(part))}
        assert there - {"--help"} <= set(OPTION.findall(text))

    def test_the_page_lists_every_section(self) -> None:
        listed = [cells[0] for cells in rows(page("commands.md").split("\n## ")[0]) if cells[0][0] == "["]
        assert listed == [f"[`{title}`](#{title.replace(' ', '-')})" for title in sections()]


def keys() -> Mapping[str, FieldInfo]:
    """Every key of a configuration except the games' options; NAME stands for a device or a spot."""
    sections: dict[str, type[BaseModel]] = {
        name: kind
        for name, field in Config.model_fields.items()
        for kind in (field.annotation, *get_args(field.annotation))
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind is not JackpotSection
    }
    sections |= {
        "jackpot.NAME": JackpotSection,
        "devices.NAME": DeviceSection,
        "bridge.mqtt": MqttSection,
        "bridge.webhooks.NAME": WebhookSection,
    }
    shoe = {name: ShoeSection.model_fields[name] for name in ShoeSection.__annotations__}
    return {
        f"{section}.{name}": field
        for section, model in sections.items()
        for name, field in model.model_fields.items()
    } | {f"devices.shoe.{name}": field for name, field in shoe.items()}


def described() -> dict[str, str]:
    """Keys of the page, and their defaults."""
    found = (cells for cells in rows(page("configuration.md")) if re.fullmatch(r"`\w+(\.\w+)+`", cells[0]))
    return {cells[0].strip("`"): cells[1] for cells in found}


@cache
def sources() -> str:
    """Every text of the program: literals that go on in the next line are one."""
    files = (
        file
        for package in ("controller", "drivers")
        for file in (ROOT / package).rglob("*.*")
        if file.suffix in {".py", ".html", ".js"} and "vendor" not in file.parts
    )
    text = "\n".join(file.read_text("utf-8") for file in files)
    return re.sub(r'"\n\s*f?"', "", text) + "\n".join(map(os.strerror, errno.errorcode))


def symptoms() -> list[str]:
    """The quoted texts in the first column."""
    return [
        symptom
        for cells in rows(page("troubleshooting.md"))
        for symptom in re.findall(r'"([^"]+)"', cells[0])
    ]


class TestTroubleshooting:
    @pytest.mark.parametrize("symptom", symptoms())
    def test_each_quoted_message_exists_in_the_code(self, symptom: str) -> None:
        pieces = [piece.strip() for piece in symptom.split("..") if piece.strip()]
        assert pieces
        assert not [piece for piece in pieces if piece not in sources()]


def options(game: str) -> Mapping[str, FieldInfo]:
    """A game's options."""
    return type(open_game(game).options).model_fields


def default(field: FieldInfo) -> str:
    """As the page writes it."""
    if field.is_required():
        return "needed"
    return "none" if field.default is None else f"`{json.dumps(field.default)}`"


class TestConfiguration:
    def test_the_page_has_the_keys_of_the_model(self) -> None:
        assert described().keys() == keys().keys()

    def test_the_page_has_the_defaults_of_the_model(self) -> None:
        plain = {key: field for key, field in keys().items() if field.default_factory is None}
        assert {key: described()[key] for key in plain} == {
            key: default(field) for key, field in plain.items()
        }

    def test_the_example_is_good_and_has_every_section(self) -> None:
        config = read(ROOT / "examples" / "easy-jack.toml")
        assert config.devices.configured().keys() == DevicesSection.model_fields.keys()
        assert config.options.keys() == options(config.table.game).keys()

    def test_the_smallest_one_of_the_page_is_good(self, tmp_path: Path) -> None:
        path = tmp_path / "table.toml"
        path.write_text(
            next(block for kind, block in FENCED.findall(page("configuration.md")) if kind == "toml")
        )
        assert read(path).table.name == "Table 1"

    @pytest.mark.parametrize("game", GAMES)
    def test_options_stand_on_the_page_of_the_game(self, game: str) -> None:
        text = page(f"games/{game}.md").split("\n## Options\n")[1].split("\n## ")[0]
        described = {cells[0]: cells[1] for cells in rows(text) if cells[0].startswith("`")}
        assert described.keys() == {f"`{name}`" for name in options(game)}
        plain = {f"`{name}`": field for name, field in options(game).items() if not field.default_factory}
        assert {name: described[name] for name in plain} == {name: default(plain[name]) for name in plain}
        assert f"{game}.md" in links(DOCS / "games" / "README.md")

    def test_the_options_of_the_page_are_good(self) -> None:
        """They are those of the game whose name comes before them."""
        written = next(block for _, block in FENCED.findall(page("configuration.md")) if "[options" in block)
        chosen = open_game("no-bust-21st-century", tomllib.loads(written)["options"]).options
        assert chosen.limit("buster") == (100, 10000)
        assert chosen.model_fields_set >= {"decks", "surrender", "buster"}


def verbs(kind: str) -> set[str]:
    """The verbs of a simulated device."""
    unit = Unit(Settings(kind, "S"), memory=Memory(), surroundings=PhysicalState(), random=bytes, now=0.0)
    with pytest.raises(RequestError) as caught:
        unit.ask({"do": ""}, 0.0)
    return set(str(caught.value).partition("allowed: ")[2].split(", "))


class TestSimulators:
    def test_the_page_has_their_verbs(self) -> None:
        text = page("simulators.md").split("\n## The control socket\n")[1].split("\n## ")[0]
        named = {cells[0].strip("`") for cells in rows(text) if cells[0].startswith("`")}
        assert named == set().union(*map(verbs, KINDS))


class TestServer:
    def test_the_page_lists_every_path(self) -> None:
        routes = build(
            WebContext(no_core(), lambda: pytest.fail("nobody asked"), ChangeNotifier(), Path("t.db"))
        ).routes
        served = {route.path for route in routes if isinstance(route, APIRoute)}
        mounted = {f"{route.path}/" for route in routes if isinstance(route, Mount)}
        listed = {cells[0].strip("`") for cells in rows(page("http.md")) if cells[0].startswith("`/")}
        shown = {path for path in served if not path.startswith("/api/v1/")}
        assert listed == shown | mounted | {"/api/v1/openapi.json"}

    def test_the_reference_describes_every_field_of_the_view(self) -> None:
        text = page("api.md").split("\n### TableView\n")[1].split("\n### ")[0]
        said = {cells[0].split("`")[1]: cells[-1] for cells in rows(text) if cells[0].startswith("`")}
        assert said.keys() == {field.name for field in fields(TableView)}
        assert all(said.values()), said

    def test_the_page_lists_every_metric(self, tmp_path: Path) -> None:
        """Those of links are named after their counters, which the protocol has."""
        text = page("http.md").split("\n## Metrics\n")[1]
        listed = {
            name for cells in rows(text) for name in re.findall(r"`((?:tableside|process)_\w+)`", cells[0])
        }
        families = text_string_to_metric_families(exposed(tmp_path))
        there = {family.name + "_total" * (family.type == "counter") for family in families}
        own = text_string_to_metric_families(WebMetrics(ChangeNotifier())())
        there |= {family.name + "_total" * (family.type == "counter") for family in own}
        links = {name for name in there | listed if name.startswith("tableside_link_")}
        assert listed - links == there - links
        assert listed & links <= there


OPENING = re.compile(r"# .+\n\n\*\*In short\*\*\n(\n- .+(\n  .+)*\n- .+(\n  .+)*\n- .+(\n  .+)*\n)\n")
"""What the page is for, who reads it, what to do first."""
WITH_OPENING = [path for path in PAGES if not path.name[:4].isdigit() and path != README]


class TestOpening:
    @pytest.mark.parametrize("path", WITH_OPENING, ids=lambda path: str(path.relative_to(ROOT)))
    def test_a_page_opens_with_three_lines_in_short(self, path: Path) -> None:
        assert OPENING.match(path.read_text("utf-8"))


@cache
def definitions(path: Path) -> frozenset[str]:
    """The module-level names of a file, and the members of its classes as Class.member."""
    found = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{member.name}" for member in node.body if hasattr(member, "name")}
    return frozenset(found)


def journey_steps() -> list[tuple[str, str]]:
    """File and name of each step of the journeys."""
    cells = (cells for cells in rows(page("architecture.md")) if len(cells) == 4)
    return [(row[1].strip("`"), row[2].strip("`")) for row in cells if row[1].startswith("`")]


def import_layers(package: str) -> dict[str, int]:
    """The number of the layer of each room, from the contracts of import-linter; 1 is the highest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = (contract["layers"] for contract in contracts if contract.get("containers") == [package])
    return {room: number for number, layer in enumerate(layers, 1) for room in layer.split(" | ")}


class TestArchitecture:
    def test_every_path_exists(self) -> None:
        paths = re.findall(r"`((?:controller|drivers|examples)/[\w./]+)`", page("architecture.md"))
        assert [path for path in paths if not (ROOT / path).exists()] == []

    @pytest.mark.parametrize(("file", "name"), journey_steps())
    def test_every_step_names_something_in_its_file(self, file: str, name: str) -> None:
        assert name in definitions(ROOT / file)

    @pytest.mark.parametrize("package", ["controller", "drivers"])
    def test_every_room_is_on_the_map_in_its_layer(self, package: str) -> None:
        text = page("architecture.md").split("\n### Inside ")[0]
        mapped = {
            room: int(layer)
            for layer, named in re.findall(r"^\| (\d+) \| (.+?) \|", text, re.MULTILINE)
            for room in re.findall(rf"`{package}/(\w+)(?:\.py|/)`", named)
        }
        assert mapped == import_layers(package)
