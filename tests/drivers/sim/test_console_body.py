import pytest

from drivers.messages import Buzz, Key, KeyLamps, Prompt
from drivers.protocol.codes import Status
from drivers.sim.dealer_console import ConsoleBody
from drivers.sim.requests import RequestError
from tests.drivers.sim.bench import Bench, ask


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def console(bench: Bench) -> ConsoleBody:
    console = ConsoleBody(bench)
    console.arm(0.0)
    return console


def prompts(bench: Bench) -> list[tuple[str, int]]:
    return [(notice["text"], notice["number"]) for notice in bench.said("prompt")]


def test_prompts_are_numbered_as_they_change(bench: Bench, console: ConsoleBody) -> None:
    for text in ("Pay", "Pay", "Place your bets"):
        assert console.command(Prompt(text, 0), 0.0) == (Status.DONE, "")
    assert prompts(bench) == [("Pay", 1), ("Place your bets", 2)]


def test_key_lamps_are_told_by_name(bench: Bench, console: ConsoleBody) -> None:
    console.command(KeyLamps(0b11), 0.0)
    assert bench.said("keys") == [{"notice": "keys", "keys": ["hit", "stand"]}]


def test_any_key_is_recorded(bench: Bench, console: ConsoleBody) -> None:
    ask(console, 0.0, "press", action="stand", seat=3)
    ask(console, 0.0, "press", action="double", seat=1, cents=500)
    assert bench.taken() == [Key("stand", 3, 0), Key("double", 1, 500)]


def test_an_answer_to_a_prompt_that_is_gone_is_no_key(bench: Bench, console: ConsoleBody) -> None:
    console.command(Prompt("Pay", 0), 0.0)
    ask(console, 0.0, "press", action="pay", prompt=1)
    console.safe(1.0)
    with pytest.raises(RequestError, match="prompt 1 is gone; prompt 2 is shown"):
        ask(console, 0.0, "press", action="pay", prompt=1)
    assert bench.taken() == [Key("pay", 0, 0)]


def test_a_console_without_a_host_is_blank_and_dark(bench: Bench, console: ConsoleBody) -> None:
    console.command(Prompt("Pay", 0), 0.0)
    console.command(KeyLamps(1), 0.0)
    console.safe(1.0)
    assert prompts(bench)[-1][0] == ""
    assert bench.said("keys")[-1]["keys"] == []
    console.arm(2.0)
    console.command(Prompt("Pay", 0), 2.0)
    assert prompts(bench)[-1] == ("Pay", 3)


def test_the_buzzer_sounds_for_its_time(bench: Bench, console: ConsoleBody) -> None:
    console.command(Buzz(200), 0.0)
    assert bench.said("buzz") == [{"notice": "buzz", "ms": 200}]


@pytest.mark.parametrize("wrong", [{"action": "fold"}, {"action": "hit", "seat": 10}, {}])
def test_keys_that_do_not_exist_are_refused(console: ConsoleBody, wrong: dict[str, object]) -> None:
    with pytest.raises(RequestError, match="press: "):
        ask(console, 0.0, "press", **wrong)
