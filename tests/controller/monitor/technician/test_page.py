"""The technician's page: every device with what to do, test mode, and the computer."""

from dataclasses import fields, replace
from pathlib import Path

import httpx
import pytest
from markupsafe import escape

from controller.monitor.context import WebContext
from controller.monitor.device_states import DEVICE_STATE_TEXTS
from controller.monitor.live.changes import ChangeNotifier
from controller.monitor.technician.advice import TOOLS
from controller.monitor.technician.facts import faulty_devices, healthy_devices, host_facts, size
from controller.monitor.web import build
from controller.table.record.views import TableView
from controller.telemetry.link_counters import counter_named
from drivers.devices.reconnect import DEVICE_STATES
from tests.controller.monitor.technician.workshop import CALM, MACHINE, TESTED, TIM
from tests.fixtures.command_line import called
from tests.fixtures.core_socket import no_core
from tests.fixtures.web_server import KnownPerson

DOCS = Path(__file__).parents[4] / "docs"


async def page(view: TableView) -> str:
    parts = WebContext(
        no_core(),
        lambda: view,
        ChangeNotifier(),
        authentication=KnownPerson(TIM),
        machine=lambda: MACHINE,
    )
    transport = httpx.ASGITransport(build(parts))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/technician")
    assert answer.status_code == 200
    return answer.text


async def test_each_device_with_its_state_and_what_to_do() -> None:
    text = await page(CALM)
    for device in CALM.devices:
        assert f"<h3>{device.name}</h3>" in text
        assert device.serial in text
        assert device.port.replace("/", "/<wbr>") in text  # a long one breaks there and nowhere else
    assert "Check that it is plugged in and switched on; the daemon tries it again each second." in text
    assert "IDENTITY: TS-DI-0003 answers, TS-CO-0007 is configured" in text
    assert "The device is hot: give it more air." in text
    assert "The line damages the messages of the device" in text
    assert text.count("INSECURE") == 1


def test_counts_have_plain_names_and_those_that_are_zero_are_left_out() -> None:
    counters = {"crc": 0, "naks_in": 2, "frames_in": 88, "bytes_out": 4_711}  # traffic alone says nothing
    (shoe, *_) = healthy_devices(replace(CALM, devices=(replace(CALM.devices[0], counters=counters),)))
    named = [(fact.name, fact.value) for fact in shoe.counters]
    assert named == [("Retransmissions requested by the device", "2")]
    counts = healthy_devices(CALM)[0].counters
    assert ("Sessions ended: heartbeat", "1") in [(fact.name, fact.value) for fact in counts]
    assert counter_named("doubts").text == "Doubts"


async def test_the_page_begins_with_the_worst_device() -> None:
    faulty = [row.device.name for row in faulty_devices(CALM)]
    marks = [row.mark for row in faulty_devices(CALM)]
    assert marks == sorted(marks, key=["bad", "warn"].index)
    assert set(marks) == {"bad", "warn"}
    healthy = [row.device.name for row in healthy_devices(CALM)]
    assert sorted([*faulty, *healthy]) == sorted(device.name for device in CALM.devices)
    text = await page(CALM)
    places = [text.index(f"<h3>{name}</h3>") for name in [*faulty, *healthy]]
    assert places == sorted(places)
    assert places[len(faulty) - 1] < text.index('class="mode off"') < places[len(faulty)]


async def test_the_page_says_that_every_device_works() -> None:
    text = await page(replace(CALM, devices=CALM.devices[:1]))
    assert ">Every device works</h2>" in text
    assert ">What to mend</h2>" in await page(CALM)


async def test_a_commercial_shoe_is_said_to_be_unverified() -> None:
    shoe = replace(CALM.devices[0], adapter="bee-tek")
    assert "bee-tek, unverified on hardware" in await page(replace(CALM, devices=(shoe,)))
    assert "unverified" not in await page(CALM)


async def test_the_page_shows_the_inputs_of_test_mode() -> None:
    text = await page(TESTED)
    assert '<p class="mode on">Test mode</p>' in text
    assert "Tim since 2026-11-20 09:03 UTC" in text
    assert text.index("Key hit, seat 3") < text.index("Tim saw win: seat 3 spot 2 dark")
    assert '<p class="mode off">' not in text
    assert '<p class="mode off">' in await page(CALM)


async def test_the_technician_page_lists_the_state_of_the_computer() -> None:
    facts = {fact.name: fact.value for fact in host_facts(CALM, MACHINE)}
    assert facts == {
        "Version": "0.1.0",
        "Program files": "466 files are those of the manifest 5f3c..",
        "Free space for the journal": "12.4 GB",
        "Free space for the mirror": "3.1 GB",
        "Journal": "81,234 rows, 47.2 MB with its closed files",
        "Pages": "3 open, 2 signed in",
    }
    assert "2026-11-20" in await page(CALM)


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0.0 MB"), (47_200_000, "47.2 MB"), (512_000_000, "512 MB"), (2 * 10**9, "2.0 GB")],
)
def test_sizes_are_shown_with_a_unit(count: int, text: str) -> None:
    assert size(count) == text


def test_unchecked_files_are_marked() -> None:
    facts = host_facts(replace(CALM, selftest="own files are unchecked"), MACHINE)
    assert [fact.name for fact in facts if fact.mark] == ["Program files"]


async def test_the_page_explains_every_state_of_a_device() -> None:
    assert tuple(DEVICE_STATE_TEXTS) == DEVICE_STATES
    shown = await page(CALM)
    for state, text in DEVICE_STATE_TEXTS.items():
        assert f"<dt>{state}</dt>" in shown
        assert str(escape(text.fix)) in shown


def test_every_command_named_on_the_page_exists() -> None:
    used = [tool.command.removeprefix("sudo ").split()[1:] for tool in TOOLS]
    assert [words for words in used if not called(words)] == []


async def test_nothing_of_a_card_is_shown() -> None:
    """Not even open cards: no part of the page can hold one."""
    assert "cards_out" in {field.name for field in fields(CALM.shoe)}
    dealt = replace(CALM, dealer=replace(CALM.dealer, cards=("Kd", "??")))
    assert await page(dealt) == await page(CALM)
