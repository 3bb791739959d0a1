"""Shuffler, sensors, display and console. Sections 9, 11 and 13."""

from drivers import messages as m
from drivers.conformance.check import Check
from drivers.conformance.manual_steps import EVENT_ACTIONS, REVERSE_ACTIONS, perform
from drivers.conformance.matchers import is_event, says
from drivers.conformance.operator import OperatorCheck
from drivers.conformance.outcome import CheckFailed
from drivers.conformance.probe import Probe
from drivers.conformance.trace import TraceEntry
from drivers.protocol import tsl_pb2 as tsl
from drivers.protocol.codes import KEYS, LAMPS, DeviceClass, Lamp, LevelState, ShufflerPhase, Status

SHUFFLER = frozenset({DeviceClass.SHUFFLER})
SENSORS = frozenset({DeviceClass.SENSORS})
DISPLAY = frozenset({DeviceClass.DISPLAY})
CONSOLE = frozenset({DeviceClass.CONSOLE})
OPEN = bytes([Lamp.OPEN] * LAMPS)
LEASE = 0.8
LAMPS_NO_BETS = OperatorCheck("Do all lamps show NO BETS now?", "lamps", lambda notice: bool(notice["safe"]))
LAMPS_OPEN = OperatorCheck(
    "Do all lamps show that bets are OPEN now?", "lamps", lambda notice: not notice["safe"]
)
PROMPT_SHOWN = OperatorCheck(
    "Does the console show the prompt CONFORMANCE?", "prompt", lambda notice: notice["text"] == "CONFORMANCE"
)
PROMPT_BLANK = OperatorCheck("Is the console's prompt blank?", "prompt", lambda notice: not notice["text"])
LINK_LOST_SHOWN = OperatorCheck(
    "Does the display show that the link is lost?", "display", lambda notice: bool(notice["lost"])
)
LEVEL_SHOWN = OperatorCheck(
    "Does the display show level 1 at 123.45?", "display", lambda notice: "1" in notice["levels"]
)


async def _body(p: Probe, body: str, within: float) -> tsl.Event:
    def so(entry: TraceEntry) -> bool:
        return is_event(entry) and isinstance(entry.message, tsl.Event) and entry.message.HasField(body)

    message: tsl.Event = await p.expect(f"an Event {body}", so, within)
    return message


async def _cycle(p: Probe) -> None:
    await p.armed()
    await p.order(m.Start(1))
    state = (await _body(p, "shuffler_state", 2.0)).shuffler_state.state
    if state not in (ShufflerPhase.SHUFFLING, ShufflerPhase.CHECKING):
        raise CheckFailed("ShufflerState 2 (shuffling) after Start")
    await p.order(m.Stop())
    again = await p.order(m.Stop())
    await p.order(m.Disarm())
    if again.status != Status.DONE:
        raise CheckFailed("DONE for a Stop where nothing runs: a state command says what shall be")


async def _ttl(p: Probe) -> None:
    await p.armed()
    await p.order(m.Lamps(10_001, OPEN), Status.RANGE)
    await p.order(m.Lamps(10_000, OPEN))
    await p.order(m.Lamps(1, OPEN))
    await p.order(m.Disarm())


async def _lease(p: Probe) -> None:
    await p.armed()
    await p.order(m.Lamps(int(LEASE * 1000), OPEN))
    if not await p.confirm(LAMPS_OPEN):
        raise CheckFailed("lamps that show what Lamps says while the lease runs")
    await p.wait(LEASE + 0.2)
    if not await p.confirm(LAMPS_NO_BETS):
        raise CheckFailed(
            f"lamps that show no bets {LEASE:g} s after a lease of {LEASE:g} s, with the session still up"
        )
    await p.order(m.Disarm())


async def _lamps_wait(p: Probe) -> None:
    hello = await p.open()
    await p.order(m.Lamps(10_000, OPEN))
    if not await p.confirm(LAMPS_NO_BETS):
        raise CheckFailed("lamps that show no bets until Arm")
    await p.order(m.Resume(hello.newest + 1))
    await p.order(m.Arm(hello.newest))
    if not await p.confirm(LAMPS_OPEN):
        raise CheckFailed("lamps that show at Arm what Lamps said before")
    p.bye()
    await p.wait(0.2)
    if not await p.confirm(LAMPS_NO_BETS):
        raise CheckFailed("lamps that show no bets when the session ends")


async def _wager(p: Probe) -> None:
    await p.armed()
    await perform(p, EVENT_ACTIONS[DeviceClass.SENSORS])
    put = (await _body(p, "wager", 3.0)).wager
    await perform(p, REVERSE_ACTIONS[DeviceClass.SENSORS])
    taken = (await _body(p, "wager", 3.0)).wager
    if (put.seat, put.spot, put.present) != (1, 0, True) or taken.present:
        raise CheckFailed("Wager(seat 1, spot 0, present true), then present false")
    if taken.cents:
        raise CheckFailed("cents 0 in a Wager that says that no chips are present")


async def _shows(p: Probe) -> None:
    await p.armed()
    levels = [m.Level(1, 12_345, state) for state in LevelState]
    bodies: list[m.CommandBody] = [*levels, m.Text(0, "CONFORMANCE"), m.Celebrate(1, 12_345, 1)]
    for body in bodies:
        await p.order(body)
    await p.order(m.Disarm())


async def _over_long_text(p: Probe) -> None:
    await p.armed()
    key = p.key()
    text = tsl.Frame()
    text.command.key = key
    text.command.text.text = "x" * 65
    p.launch(text.SerializeToString(), note="a text of 65 bytes")
    await p.never("answer to a text field over its size", says("result", key=key))
    await p.order(m.Text(0, "x" * 64))
    await p.order(m.Disarm())


async def _link_lost(p: Probe) -> None:
    await p.armed()
    await p.order(m.Level(1, 12_345, 0))
    p.bye()
    await p.wait(0.2)
    if not (await p.confirm(LINK_LOST_SHOWN) and await p.confirm(LEVEL_SHOWN)):
        raise CheckFailed("the last value with a mark that the link is lost, when the session ends")


async def _prompts(p: Probe) -> None:
    await p.armed()
    for body in (m.Prompt("CONFORMANCE", 1), m.KeyLamps(1), m.Buzz(50)):
        await p.order(body)
    if not await p.confirm(PROMPT_SHOWN):
        raise CheckFailed("the prompt that Prompt says")
    p.bye()
    await p.wait(0.2)
    if not await p.confirm(PROMPT_BLANK):
        raise CheckFailed("no prompt and no key lamp when the session ends")


async def _key(p: Probe) -> None:
    await p.armed()
    await perform(p, EVENT_ACTIONS[DeviceClass.CONSOLE])
    key = (await _body(p, "key", 3.0)).key
    if key.action not in KEYS:
        raise CheckFailed(f"Key.action: one of {', '.join(KEYS)}")


CHECKS = (
    Check(
        "shuffler.cycle",
        "9.2",
        "Start begins a cycle and is answered at once; events tell the rest. Stop ends it.",
        "a Result within 1 s, whatever takes longer",
        _cycle,
        classes=SHUFFLER,
    ),
    Check(
        "sensors.ttl",
        "11",
        "Lamps for more than 10,000 ms are answered with RANGE.",
        "the bounds of ttl_ms",
        _ttl,
        classes=SENSORS,
    ),
    Check(
        "sensors.lease",
        "11",
        "Lamps end ttl_ms after arrival, session or not.",
        "the lease of the lamps, counted from the arrival of the command",
        _lease,
        classes=SENSORS,
    ),
    Check(
        "sensors.lamps-wait",
        "9.1",
        "Lamps wait for Arm, and show no bets again when the session ends.",
        "state commands before Arm, and the safe state",
        _lamps_wait,
        classes=SENSORS,
    ),
    Check(
        "sensors.wager",
        "13",
        "Chips put on a spot and chips taken are reported as Wager.",
        "seat counts from 1, spot from 0",
        _wager,
        classes=SENSORS,
    ),
    Check(
        "display.shows",
        "13",
        "Level in each of its four states, Text and Celebrate are carried out.",
        "the commands of a display; state 3 is the host's to send, beside the display's own mark",
        _shows,
        classes=DISPLAY,
    ),
    Check(
        "display.text-size",
        "5",
        "A text of more than 64 bytes makes its message unreadable.",
        "the sizes in section 14 are limits, and nothing is cut off",
        _over_long_text,
        classes=DISPLAY,
    ),
    Check(
        "display.link-lost",
        "11",
        "Without a session the last value stays, marked.",
        "the safe state of a display",
        _link_lost,
        classes=DISPLAY,
    ),
    Check(
        "console.prompts",
        "11",
        "Prompt, KeyLamps and Buzz are carried out; without a session the console is blank.",
        "the commands and the safe state of a console",
        _prompts,
        classes=CONSOLE,
    ),
    Check(
        "console.key",
        "13",
        "A key is reported with one of the words of section 13.",
        "the words of Key.action",
        _key,
        classes=CONSOLE,
    ),
)
"""In the order in which they run."""
